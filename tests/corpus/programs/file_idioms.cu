// Idioms of reading: a whole file through rdbuf and istreambuf_iterator, numbers through istream_iterator.
#include <iostream>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>
#include <algorithm>
int main() {
    std::istringstream numbers("3 1 2 x 5");
    std::vector<int> v{std::istream_iterator<int>(numbers), std::istream_iterator<int>()};
    std::sort(v.begin(), v.end());
    std::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, " "));
    std::cout << v.size() << '\n';
    std::ifstream in("file_graph.txt");
    std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::cout << all.size() << ' ' << std::count(all.begin(), all.end(), '\n') << '\n';
    std::ifstream again("file_graph.txt");
    std::stringstream ss;
    ss << again.rdbuf();
    std::cout << (ss.str() == all) << ' ' << ss.str().substr(0, 5) << '\n';
    std::string word; int n = 0;
    while (ss >> word) ++n;
    std::cout << n << '\n';
    std::ifstream third("file_graph.txt");
    std::vector<double> d;
    std::copy(std::istream_iterator<double>(third), std::istream_iterator<double>(), std::back_inserter(d));
    std::cout << d.size() << '\n';
}
