// Commands from standard input, taken apart with a stringstream.
// input: # sizes\nadd 3 4.5\nmul 2 10\n\nbad line\nadd -1 1\nname Ada Lovelace\n1,2,3,,5\nend\nnot read\n
#include <cctype>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

struct Command {
    std::string name;
    double a, b;
};

__global__ void compute(const double* a, const double* b, const int* what, double* out, int n)
{
    int i = threadIdx.x;
    if (i < n) out[i] = what[i] ? a[i] * b[i] : a[i] + b[i];
}

static std::string trim(const std::string& s)
{
    size_t from = s.find_first_not_of(" \t");
    if (from == std::string::npos) return "";
    return s.substr(from, s.find_last_not_of(" \t") - from + 1);
}

int main()
{
    std::string line;
    std::vector<Command> commands;
    std::map<std::string, int> words;
    int number = 0;
    while (std::getline(std::cin, line)) {
        ++number;
        line = trim(line);
        if (line.empty() || line[0] == '#') continue;
        if (line == "end") break;
        if (line.find(',') != std::string::npos) {
            std::stringstream fields(line);
            std::string field;
            std::vector<std::string> found;
            while (std::getline(fields, field, ',')) found.push_back(field.empty() ? "?" : field);
            std::cout << found.size() << " fields:";
            for (auto& f : found) std::cout << " [" << f << "]";
            std::cout << '\n';
            continue;
        }
        std::istringstream in(line);
        Command c;
        if (!(in >> c.name)) continue;
        words[c.name]++;
        if (c.name == "name") {
            std::string first, last;
            in >> first >> last;
            for (auto& ch : last) ch = static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
            std::cout << last << ", " << first << '\n';
        } else if (in >> c.a >> c.b) {
            commands.push_back(c);
        } else {
            std::cerr << "line " << number << ": not understood\n";
            std::cout << "line " << number << " skipped: \"" << line << "\"\n";
        }
    }
    int n = static_cast<int>(commands.size());
    double *a, *b, *out;
    int* what;
    cudaMallocManaged(&a, n * sizeof(double));
    cudaMallocManaged(&b, n * sizeof(double));
    cudaMallocManaged(&out, n * sizeof(double));
    cudaMallocManaged(&what, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        a[i] = commands[i].a;
        b[i] = commands[i].b;
        what[i] = commands[i].name == "mul";
    }
    compute<<<1, 32>>>(a, b, what, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) std::cout << commands[i].name << " -> " << out[i] << '\n';
    for (const auto& w : words) std::cout << w.first << '=' << w.second << ' ';
    std::cout << '\n';
    std::ostringstream report;
    report << "n=" << n << " first=" << out[0];
    std::cout << report.str() << " (" << report.str().size() << ")\n";
    std::set<int> sizes{4, 1, 4, 9};
    for (int s : sizes) std::cout << s << ' ';
    std::cout << std::stoi("42") + std::stod("0.5") << ' ' << std::to_string(7) + "!" << '\n';
    cudaFree(a); cudaFree(b); cudaFree(out); cudaFree(what);
    return 0;
}
