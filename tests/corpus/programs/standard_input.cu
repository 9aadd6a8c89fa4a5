// A program that asks: scanf and its like, lines, and the streams of C++, in turn.
// input: 3 4\n2.5 hello\n z,99\nlong line of text\nend!\nQword 1 2 3 x tail\nlast\nmore
#include <cstdio>
#include <iostream>
#include <string>
#include <cstring>
int main() {
    int n, m; double d; char w[20], c; unsigned long big;
    printf("n? ");
    int got = scanf("%d %d", &n, &m);
    printf("%d: %d %d\n", got, n, m);
    got = scanf("%lf%19s", &d, w); printf("%d %g %s\n", got, d, w);
    got = scanf(" %c,%lu", &c, &big); printf("%d %c %lu\n", got, c, big);
    char line[10]; while (fgets(line, 10, stdin)) { printf("<%s>", line); if (strchr(line, '!')) break; }
    int ch = getchar(); printf("%d\n", ch);
    std::string word; std::cin >> word; std::cout << word << "\n";
    int x = 0, sum = 0; while (std::cin >> x) sum += x; std::cout << sum << " " << std::cin.eof() << std::cin.fail() << "\n";
    std::cin.clear(); std::string rest; std::getline(std::cin, rest); std::cout << "[" << rest << "]" << std::endl;
    while (std::getline(std::cin, rest)) std::cout << "[" << rest << "]";
    int a, b; char op; got = sscanf("12x7 abc", "%d%c%d %s", &a, &op, &b, w); printf("%d %d%c%d %s\n", got, a, op, b, w);
    got = sscanf("k=5;", "%[a-z]=%i;", w, &a); printf("%d %s %d\n", got, w, a);
    printf("%d\n", scanf("%d", &a));
    return 0;
}
