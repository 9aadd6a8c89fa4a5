// Objects without members, or that nothing names, whose constructors and destructors say that they were there.
#include <cstdio>
struct Hello { Hello() { printf("hi\n"); } Hello(int n) { printf("hi %d\n", n); } };
struct Init { Init() { printf("init\n"); } } init;
struct Base { Base() { printf("base\n"); } };
struct Heir : Base { int n; Heir() : n(3) { printf("heir\n"); } };
struct With { Hello h; int x; With() : h(3), x(2) {} };
int main() { Hello h; Hello g(3); Hello k{4}; Hello *p = new Hello; delete p; Heir e; With w; Hello(7); static Hello s; Hello a[2]; printf("%d\n", w.x); auto q = Hello(8); Hello r = 9; (void)sizeof(k); }
struct D { ~D() { printf("~D\n"); } };
struct E2 : D, Base { double v = 2; ~E2() { printf("~E2 %g\n", v); } };
struct Num { double a; };
struct E3 : Base, Num, D { int z = 4; };
struct E4 : Base, D { };
template <class T> struct Tm { Tm() { printf("Tm\n"); } template <class U> Tm(U u) { printf("Tm %d\n", (int)u); } };
struct Guard { ~Guard() { printf("guard\n"); } };
struct HasD { D d; int k = 3; };
void more() { D d; E2 e; E3 f; f.a = 3; printf("%g %d %d\n", f.a, f.z, (int)sizeof(f)); E4 g; E4 h = g; Tm<int> t; Tm<float> u(3); Guard q{}; Guard *r = new Guard(); delete r; HasD hd; printf("%d\n", hd.k); HasD he = hd; Base arr[2]; }
struct Last { ~Last() { more(); } } at_the_end;
