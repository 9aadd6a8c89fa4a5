// Numbers of texts, exceptions of a class of its own, lists, sets of bits, and arrays that new gives values.
#include <iostream>
#include <string>
#include <list>
#include <bitset>
#include <memory>
#include <stdexcept>
#include <vector>
class ParseError : public std::exception {
    std::string text;
public:
    explicit ParseError(const std::string& t) : text("parse error: " + t) {}
    const char* what() const noexcept override { return text.c_str(); }
};
int number(const std::string& t) { if (t.empty()) throw ParseError("nothing"); return std::stoi(t); }
int main() {
    for (const char* t : {"12", " 7x", "", "abc", "99999999999"}) {
        try { std::cout << number(t) << '\n'; }
        catch (const ParseError& e) { std::cout << "own: " << e.what() << '\n'; }
        catch (const std::invalid_argument& e) { std::cout << "invalid: " << e.what() << '\n'; }
        catch (const std::exception& e) { std::cout << "other: " << e.what() << '\n'; }
    }
    try { throw ParseError("base"); } catch (const std::exception& e) { std::cout << e.what() << '\n'; }
    std::size_t end; std::cout << std::stoi("ff,", &end, 16) << ' ' << end << ' ' << std::stod("2.5e3z", &end) << ' ' << end << '\n';
    std::string s = "--block=32--block"; std::cout << s.rfind("--block") << s.rfind("--block", 0) << s.rfind('b', 5) << (s.rfind("x") == std::string::npos) << '\n';
    std::vector<int> v{5, 6, 7}; std::list<int> l(v.begin(), v.end()), m(3, 2), n(2); for (int x : l) std::cout << x; for (int x : m) std::cout << x; std::cout << n.size() << '\n';
    std::bitset<70> b; b[3] = true; b.set(69); b[4] = b[3]; std::cout << b.count() << b.test(69) << (b << 1).test(5) << (~b).count() << ' ' << std::bitset<8>("1011") << ' ' << (std::bitset<8>(0x1f3) & std::bitset<8>(0x0f)).to_ulong() << '\n';
    try { b.test(70); } catch (const std::out_of_range&) { std::cout << "range\n"; }
    std::unique_ptr<int[]> p(new int[2]{1, 2}), q(new int[1]{9}); std::swap(p, q); std::cout << p[0] << q[1] << '\n';
}
