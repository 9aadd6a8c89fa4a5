// Sets, deques, queues, lists, streams of strings, tuples: what stands beside vectors in labs.
#include <cstdio>
#include <iostream>
#include <iomanip>
#include <set>
#include <unordered_set>
#include <map>
#include <deque>
#include <queue>
#include <stack>
#include <list>
#include <sstream>
#include <array>
#include <tuple>
#include <functional>
#include <string>
#include <vector>
#include <algorithm>
#include <memory>
#include <optional>
std::tuple<int, double, std::string> three() { return {1, 2.5, "x"}; }
struct Event { double at; int who; bool operator<(const Event &o) const { return at > o.at; } };
int main() {
    std::set<int> s{3, 1, 2};
    s.insert(5); s.insert(1); s.erase(2);
    for (int x : s) printf("%d ", x);
    printf("| %zu %d\n", s.size(), (int)s.count(3));
    for (auto it = s.begin(); it != s.end(); ++it) std::cout << *it << ",";
    std::cout << std::endl;
    if (s.find(7) == s.end()) std::cout << "no 7\n";
    std::unordered_set<std::string> names;
    names.insert("a"); names.insert("b"); names.insert("a");
    std::cout << names.size() << " " << names.count("b") << "\n";
    std::deque<int> d;
    d.push_back(1); d.push_front(0); d.push_back(2);
    for (int x : d) printf("%d ", x);
    d.pop_front(); printf("%d %d %zu\n", d.front(), d[1], d.size());
    std::queue<int> q; q.push(4); q.push(5);
    while (!q.empty()) { printf("%d ", q.front()); q.pop(); }
    std::stack<int> st; st.push(4); st.push(5);
    while (!st.empty()) { printf("%d ", st.top()); st.pop(); }
    std::priority_queue<int> pq; pq.push(2); pq.push(9); pq.push(4);
    while (!pq.empty()) { printf("%d ", pq.top()); pq.pop(); }
    std::priority_queue<int, std::vector<int>, std::greater<int>> least; least.push(2); least.push(9); least.push(1);
    while (!least.empty()) { printf("%d ", least.top()); least.pop(); }
    std::priority_queue<Event> ev; ev.push({2.0, 1}); ev.push({1.0, 2}); printf("%d\n", ev.top().who);
    std::list<int> l{1, 2, 3}; l.push_front(0); l.push_back(4);
    for (auto it = l.begin(); it != l.end(); ) { if (*it == 2) it = l.erase(it); else ++it; }
    for (int x : l) printf("%d ", x);
    printf("%zu\n", l.size());
    std::ostringstream out; out << "n=" << 5 << " " << std::fixed << std::setprecision(2) << 1.5 << " " << std::setw(4) << 7;
    std::string text = out.str(); std::cout << text << " " << text.size() << "\n";
    std::stringstream in("12 3.5 word"); int a; double b; std::string w; in >> a >> b >> w; std::cout << a << b << w << "\n";
    std::string line; std::stringstream lines("one\ntwo\n"); while (std::getline(lines, line)) std::cout << "[" << line << "]";
    std::stringstream csv("a,b,c"); while (std::getline(csv, line, ',')) std::cout << line << ";"; std::cout << "\n";
    std::array<float, 3> arr{1, 2, 3}; float sum = 0; for (float v : arr) sum += v; printf("%g %zu\n", sum, arr.size());
    auto [x, y, z] = three(); std::cout << x << y << z << std::get<0>(three()) << "\n";
    std::tuple<int, float> tp(3, 4.5f); std::get<0>(tp) = 9; std::cout << std::get<0>(tp) << std::get<1>(tp) << "\n";
    std::pair<std::string, int> pr = {"k", 3}; std::cout << pr.first << pr.second << "\n";
    std::map<std::string, std::vector<int>> groups; groups["b"].push_back(1); groups["a"].push_back(2); groups["b"].push_back(3);
    for (const auto &[name, values] : groups) { std::cout << name << ":"; for (int v : values) std::cout << v; std::cout << " "; }
    for (const auto &g : groups) std::cout << g.first << g.second.size();
    std::cout << "\n";
    std::optional<int> none, some = 4; printf("%d %d %d\n", none.has_value(), *some, none.value_or(7));
    std::vector<int> v{5, 3, 1}; std::sort(v.begin(), v.end()); std::sort(v.begin(), v.end(), std::greater<int>());
    std::string joined; for (int e : v) joined += std::to_string(e) + ","; std::cout << joined << "\n";
    std::shared_ptr<int> sp = std::make_shared<int>(5), sp2 = sp; printf("%d %ld\n", *sp2, sp.use_count());
    return 0;
}
