
// Options of the command line, as the GNU C library takes them: words that are none come last.

#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option { const char* name; int has_arg; int* flag; int val; };
inline char* optarg = 0;
inline int optind = 1, opterr = 1, optopt = 0;
inline int __option_letter = 0, __option_word = 0;

inline __host__ void __move_word(char** words, int from, int to) {
    char* word = words[from];
    for (; from > to; --from) words[from] = words[from - 1];
    words[to] = word;
}
inline __host__ int __end_option(int found, int words) { optind += words; __option_letter = 0; return found; }
inline __host__ int __wrong_option(int words, bool missing, char quiet) {
    __end_option(0, words);
    return missing && quiet == ':' ? ':' : '?';
}
inline __host__ int __long_option(int argc, char** words, const char* options, const option* longs, int* which) {
    char* word = words[optind] + 2;
    size_t n = strcspn(word, "=");
    int found = -1;
    for (int i = 0; longs[i].name; ++i) {
        if (strncmp(longs[i].name, word, n) != 0) continue;
        if (strlen(longs[i].name) == n) { found = i; break; }
        if (found < 0) found = i;
    }
    if (found < 0) {
        if (opterr && options[0] != ':') fprintf(stderr, "%s: unrecognized option '%s'\n", words[0], words[optind]);
        optopt = 0;
        return __wrong_option(1, false, options[0]);
    }
    int used = 1;
    optarg = word[n] ? word + n + 1 : 0;
    if (longs[found].has_arg == required_argument && !optarg) {
        if (__option_word + 1 >= argc) {
            if (opterr && options[0] != ':') fprintf(stderr, "%s: option '%s' requires an argument\n", words[0], words[optind]);
            optopt = longs[found].val;
            return __wrong_option(1, true, options[0]);
        }
        __move_word(words, __option_word + 1, optind + 1);
        optarg = words[optind + 1];
        used = 2;
    }
    if (which) *which = found;
    if (!longs[found].flag) return __end_option(longs[found].val, used);
    *longs[found].flag = longs[found].val;
    return __end_option(0, used);
}
inline __host__ int __next_option(int argc, char** words, const char* options, const option* longs, int* which) {
    if (!__option_letter) {
        __option_word = optind;
        while (__option_word < argc && (words[__option_word][0] != '-' || !words[__option_word][1])) ++__option_word;
        if (__option_word >= argc) return -1;
        __move_word(words, __option_word, optind);
        if (strcmp(words[optind], "--") == 0) return __end_option(-1, 1);
        if (longs && words[optind][1] == '-') return __long_option(argc, words, options, longs, which);
        __option_letter = 1;
    }
    char letter = words[optind][__option_letter];
    __option_letter += 1;
    const char* found = letter == ':' ? 0 : strchr(options, letter);
    bool last = !words[optind][__option_letter];
    optopt = letter;
    if (!found) {
        if (opterr && options[0] != ':') fprintf(stderr, "%s: invalid option -- '%c'\n", words[0], letter);
        return last ? __end_option('?', 1) : '?';
    }
    if (found[1] != ':') return last ? __end_option(letter, 1) : letter;
    optarg = last ? 0 : words[optind] + __option_letter;
    if (!last || found[2] == ':') return __end_option(letter, 1);
    if (__option_word + 1 >= argc) {
        if (opterr && options[0] != ':') fprintf(stderr, "%s: option requires an argument -- '%c'\n", words[0], letter);
        return __wrong_option(1, true, options[0]);
    }
    __move_word(words, __option_word + 1, optind + 1);
    optarg = words[optind + 1];
    return __end_option(letter, 2);
}
inline __host__ int getopt(int argc, char* const argv[], const char* options) { return __next_option(argc, const_cast<char**>(argv), options, 0, 0); }
inline __host__ int getopt_long(int argc, char* const argv[], const char* options, const option* longs, int* which) {
    return __next_option(argc, const_cast<char**>(argv), options, longs, which);
}
