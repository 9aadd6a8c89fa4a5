#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <cctype>
#include <climits>
#include <cstdint>

static const char* const DAYS[] = {"Mon", "Tue", "Wed"};

int main() {
    char line[64] = "matrix";
    strcat(line, " kernel");
    printf("[%s] %d [%10s] [%-10s] [%.3s]\n", line, (int)strlen(line), DAYS[1], DAYS[2], line);
    char copy[20];
    strcpy(copy, line);
    for (char* p = copy; *p; ++p) *p = toupper(*p);
    printf("%s %d %d\n", copy, strcmp("abc", "abd") < 0, strncmp("abcdef", "abcxyz", 3));
    char number[32];
    int length = sprintf(number, "%05d|%x|%#o|%+d|%% ", 42, 255u, 8, 7);
    printf("%s%d\n", number, length);
    printf("%d\n", snprintf(number, 5, "%s", "overflowing"));
    puts(number);
    printf("%ld %lu %lld %hhd %hu %c %p\n", LONG_MIN, ULONG_MAX, LLONG_MAX, (signed char)-1, (unsigned short)65535, 'z', (void*)0);
    printf("%e %G %a %10.3f|%-10.2e|% d\n", 12345.678, 0.00001234, 1.0, 3.14159, 0.5, 3);
    printf("%*d|%-*d|%.*f\n", 6, 42, 6, 42, 2, 2.71828);
    printf("%d %d %d\n", isdigit('7') != 0, isspace('x') != 0, atoi("  -12abc"));
    printf("%.2f %ld %lu\n", strtod("2.5e3xyz", 0), strtol("ff", 0, 16), (unsigned long)sizeof(int64_t));
    printf("%s %s\n", strchr("key=value", '=') + 1, strstr("find the needle", "need"));
    unsigned char bytes[4];
    unsigned word = 0x01020304;
    memcpy(bytes, &word, 4);
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    memset(line, '-', 5);
    line[5] = 0;
    puts(line);
    putchar('e'); putchar('n'); putchar('d'); putchar('\n');
    return 0;
}
