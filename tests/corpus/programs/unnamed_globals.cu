// Variables of file scope that do something before main and after it, though nothing names them; arrays of objects from lists.
#include <cstdio>
#include <vector>
#include <string>
static int count = 0;
int next() { return ++count; }
int a = next();
namespace deep { struct R { int id; R(int i) : id(i) { printf("R %d\n", id); } ~R() { printf("~R %d\n", id); } }; static R r(next()); R all[2] = {R(7), R(8)};  }
static const float table[3] = {1, 2, 3};
struct Registry { std::vector<std::string> names; int add(const char *n) { names.push_back(n); return (int)names.size(); } };
Registry &registry() { static Registry r; return r; }
static int first = registry().add("one"), second = registry().add("two");
struct S { static S instance; int x; S() : x(5) { puts("S"); } };
S S::instance;
std::string unused("text");
__device__ int dev = 3;
template <class T> T tv = T(3);
std::string names[] = {"a", "b"};
std::vector<int> rows[2] = {{1, 2}, {3}};
struct Part { int id; Part(int i) : id(i) {  } ~Part() { id = 0; } };
void lists() { std::string more[2] = {std::string("x"), "y"}; std::string half[3] = {"u"}; printf("%s %zu %s %s %zu\n", names[1].c_str(), rows[0].size(), more[0].c_str(), more[1].c_str(), half[2].size());
 Part r[2] = {1, 2}; printf("%d\n", r[1].id); }
struct T { int id; T(int i) : id(i) { printf("T %d\n", id); } T(const T &o) : id(o.id) { printf("copy\n"); } ~T() { printf("~T %d\n", id); } };
T make(int i) { return T(i); }
struct In { int i; ~In() { more(); } static void more() { T t[3] = {T(1), 2, make(3)}; T u[2] = {4, t[0]}; printf("%d\n", u[0].id); std::vector<int> v[2] = {{1, 2}, {3}}; printf("%zu %zu\n", v[0].size(), v[1].size()); std::string n[2] = {std::string("abc") + "d", n[0]}; } };
In last_one;
int main() { lists(); printf("%d %zu %d\n", count, registry().names.size(), (int)table[1]); return 0; }
