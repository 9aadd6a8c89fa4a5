// Records sorted in several ways, grouped in maps of vectors, sums made on the device; comparators passed to templates.
#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>
#include <cuda_runtime.h>

enum class Grade { A = 1, B, C };
std::ostream &operator<<(std::ostream &out, Grade g) { return out << "?ABC"[static_cast<int>(g)]; }

struct Student {
    std::string name;
    int group;
    double score;
    Grade grade() const { return score > 80 ? Grade::A : score > 50 ? Grade::B : Grade::C; }
    friend std::ostream &operator<<(std::ostream &out, const Student &s) {
        return out << std::left << std::setw(7) << s.name << std::right << std::setw(3) << s.group << std::setw(7) << std::fixed
                   << std::setprecision(1) << s.score << ' ' << s.grade();
    }
    bool operator<(const Student &o) const { return std::tie(group, name) < std::tie(o.group, o.name); }
};

__global__ void group_sums(const int *group, const double *score, double *sums, int n) {
    int i = threadIdx.x;
    if (i == 0)
        for (int k = 0; k < n; ++k) sums[group[k]] += score[k];
}

template <typename It, typename Less> It smallest(It first, It last, Less less) {
    It best = first;
    for (; first != last; ++first)
        if (less(*first, *best)) best = first;
    return best;
}

template <typename Container, typename F> auto mapped(const Container &c, F f) {
    std::vector<decltype(f(*c.begin()))> out;
    out.reserve(c.size());
    for (const auto &x : c) out.push_back(f(x));
    return out;
}

int main() {
    std::vector<Student> all = {{"Ida", 2, 91.5}, {"Bo", 1, 47}, {"Cyd", 2, 66.25}, {"Ann", 1, 80.5}, {"Eve", 0, 66.25}, {"Dan", 1, 12}};
    std::sort(all.begin(), all.end());
    for (const auto &s : all) std::cout << s << '\n';
    std::stable_sort(all.begin(), all.end(), [](const Student &a, const Student &b) { return a.score > b.score; });
    for (const auto &s : all) std::cout << s.name << ' ';
    std::cout << '\n';
    std::map<Grade, std::vector<std::string>> by_grade;
    for (const auto &s : all) by_grade[s.grade()].push_back(s.name);
    for (const auto &[grade, names] : by_grade) {
        std::cout << grade << ':';
        for (const auto &n : names) std::cout << ' ' << n;
        std::cout << '\n';
    }
    auto least = smallest(all.begin(), all.end(), [](const Student &a, const Student &b) { return a.name.size() < b.name.size(); });
    std::cout << "shortest " << least->name << '\n';
    auto groups = mapped(all, [](const Student &s) { return s.group; });
    auto scores = mapped(all, [](const Student &s) { return s.score; });
    int *dg, n = (int)all.size();
    double *ds, *sums, h[3];
    cudaMalloc(&dg, n * sizeof(int));
    cudaMalloc(&ds, n * sizeof(double));
    cudaMalloc(&sums, sizeof h);
    cudaMemset(sums, 0, sizeof h);
    cudaMemcpy(dg, groups.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(ds, scores.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    group_sums<<<1, 32>>>(dg, ds, sums, n);
    cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
    std::cout << std::setprecision(2) << h[0] << ' ' << h[1] << ' ' << h[2] << '\n';
    auto by_length = [](const std::string &a, const std::string &b) { return a.size() != b.size() ? a.size() < b.size() : a < b; };
    std::set<std::string, decltype(by_length)> words(by_length);
    for (const char *w : {"warp", "tile", "bank", "block", "sm", "grid"}) words.insert(w);
    for (auto &w : words) std::cout << w << ' ';
    std::cout << '\n';
    std::map<std::string, std::map<int, double>> nested;
    for (auto &s : all) nested[std::string(1, s.name[0])][s.group] += s.score;
    for (auto &outer : nested)
        for (auto &inner : outer.second) std::cout << outer.first << inner.first << '=' << inner.second << ' ';
    std::cout << '\n';
    std::vector<std::vector<int>> triangle(5);
    for (size_t r = 0; r < triangle.size(); ++r) {
        triangle[r].resize(r + 1, 1);
        for (size_t c = 1; c < r; ++c) triangle[r][c] = triangle[r - 1][c - 1] + triangle[r - 1][c];
    }
    for (auto &row : triangle) std::cout << std::accumulate(row.begin(), row.end(), 0) << '/' << row[row.size() / 2] << ' ';
    std::cout << std::endl;
    std::vector<int> index(all.size());
    std::iota(index.begin(), index.end(), 0);
    std::sort(index.begin(), index.end(), [&](int a, int b) { return all[a].name < all[b].name; });
    for (int i : index) std::cout << i;
    std::cout << '\n';
    std::function<int(int, int)> gcd = [&](int a, int b) { return b ? gcd(b, a % b) : a; };
    std::cout << gcd(84, 36) << ' ' << std::plus<int>()(2, 3) << std::multiplies<>()(4, 5) << '\n';
    cudaFree(dg);
    cudaFree(ds);
    cudaFree(sums);
    return 0;
}
