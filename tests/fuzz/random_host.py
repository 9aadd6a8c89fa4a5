"""Parts of random programs that stay on the host: the language, the C library and what of C++'s library programs use."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.random_text import SCALARS, Part, Writer


def vectors(writer: Writer, number: int) -> Part:
    """A vector that algorithms change, step by step."""
    draw, name = writer.draw, f"part{number}"
    known, pair = {"x": "int"}, {"a": "int", "b": "int"}
    pick = f"[&](int x) {{ return {writer.condition(known, 1)}; }}"
    change = f"[shift](int x) {{ return {writer.whole('int', {**known, 'shift': 'int'}, 2)}; }}"
    order = draw.choice(("a < b", "a > b", "(a & 255) != (b & 255) ? (a & 255) < (b & 255) : a < b"))
    steps = (
        f"std::sort(v.begin(), v.end(), [](int a, int b) {{ return {order}; }});",
        f"std::transform(v.begin(), v.end(), v.begin(), {change});",
        "std::reverse(v.begin(), v.begin() + v.size() / 2);",
        f"std::rotate(v.begin(), v.begin() + v.size() / {draw.randint(2, 4)}, v.end());",
        f"v.erase(std::remove_if(v.begin(), v.end(), {pick}), v.end());",
        f"v.insert(v.begin() + v.size() / 2, {draw.randint(0, 3)}, {writer.number('int')});",
        f"std::replace_if(v.begin(), v.end(), {pick}, {writer.number('int')});",
        "std::stable_sort(v.begin(), v.end(), [](int a, int b) { return a % 5 < b % 5; });",
        f"printf(\"%d \", (int)std::count_if(v.begin(), v.end(), {pick}));",
        "printf(\"%lld \", std::accumulate(v.begin(), v.end(), 0ll));",
        "if (!v.empty()) printf(\"%d %d \", *std::min_element(v.begin(), v.end()), *std::max_element(v.begin(), v.end()));",
        f"v.push_back({writer.number('int')}); v.push_back((int)v.size());",
        f"printf(\"%d \", (int)(std::find_if(v.begin(), v.end(), {pick}) - v.begin()));",
        "std::sort(v.begin(), v.end()); v.erase(std::unique(v.begin(), v.end()), v.end());",
        f"std::sort(v.begin(), v.end()); printf(\"%d \", (int)(std::lower_bound(v.begin(), v.end(), {writer.number('int')}) - v.begin()));",
        f"{{ std::vector<int> w; std::copy_if(v.begin(), v.end(), std::back_inserter(w), {pick}); v.swap(w); v.push_back(1); }}",
        f"printf(\"%llu \", std::inner_product(v.begin(), v.end(), v.begin(), 0ull, [](unsigned long long a, unsigned long long b) "
        f"{{ return a + b; }}, [](int a, int b) {{ return (unsigned long long){writer.whole('unsigned', pair, 1)}; }}));",
        "std::next_permutation(v.begin(), v.end());",
        "std::partial_sum(v.begin(), v.end(), v.begin(), [](int a, int b) { return (int)((unsigned)a + (unsigned)b); });",
    )  # fmt: skip
    body = "".join(f"    {draw.choice(steps)}\n" for _ in range(draw.randint(3, 7)))
    before = f"""void {name}()
{{
    int shift = {writer.number("int")};
    std::vector<int> v({draw.choice((3, 12, 40))});
    std::iota(v.begin(), v.end(), {writer.number("int")});
    for (size_t i = 0; i < v.size(); ++i)
        v[i] = {writer.whole("int", {"i": "unsigned long long", "shift": "int"}, 2)};
{body}    printf("{name} %zu:", v.size());
    for (int each : v)
        printf(" %d", each);
    printf("\\n");
}}
"""
    return Part(before, f"{name}();")


def texts(writer: Writer, number: int) -> Part:
    """Strings, streams of text, and counting in a map."""
    draw, name = writer.draw, f"part{number}"
    words = " ".join("".join(draw.choice("abcde") for _ in range(draw.randint(1, 3))) for _ in range(draw.randint(4, 12)))
    steps = (
        "text += std::to_string(text.size());", "std::reverse(text.begin(), text.end());",
        f'if (text.find("{draw.choice("abcde")}") != std::string::npos) text.insert(text.find("{words[0]}") == 0, "<>");',
        f"text = text.substr(text.size() / {draw.randint(2, 5)}) + text.substr(0, 3);",
        f"for (char& c : text) c = c == '{draw.choice('abcde')}' ? '{draw.choice('xyz')}' : c;",
        'if (!text.empty()) text.pop_back();', f"text.append({draw.randint(1, 3)}, '{draw.choice('#+.')}');",
        f"text.replace(0, text.size() / 2, \"{draw.choice(('q', 'left', ''))}\");",
        "printf(\"%d \", text.compare(\"b\") < 0 ? -1 : text == \"b\" ? 0 : 1);",
        "std::sort(text.begin(), text.end());", "for (char& c : text) c = (char)toupper(c);", "text.erase(text.size() / 2, 2);",
    )  # fmt: skip
    body = "".join(f"    {draw.choice(steps)}\n" for _ in range(draw.randint(2, 6)))
    before = f"""void {name}()
{{
    std::string line = "{words}", word, text;
    std::map<std::string, int> counts;
    std::istringstream stream(line);
    while (stream >> word) {{
        ++counts[word];
        text += word{draw.choice(("", "[0]", ".back()"))};
    }}
    for (const auto& entry : counts)
        std::cout << entry.first << '=' << entry.second << ' ';
{body}    std::ostringstream made;
    made << std::setw({draw.randint(2, 12)}) << std::{draw.choice(("left", "right"))} << std::setfill('{draw.choice("*-_")}') << text << '|'
         << std::{draw.choice(("hex", "oct", "dec"))} << std::showbase << {draw.randint(0, 999)} << std::dec << '|';
    std::cout << made.str() << made.str().size() << '\\n';
}}
"""
    return Part(before, f"{name}();")


def formats(writer: Writer, number: int) -> Part:
    """Numbers in all formats of `printf` and of streams."""
    draw, name = writer.draw, f"part{number}"
    known: dict[str, str] = {}
    lines = []
    whole = {"int": ("d", "i", "x", "X", "o", "u", "c"), "long long": ("lld", "llx", "llu"), "unsigned long long": ("llu", "llX", "llo")}
    for _ in range(draw.randint(4, 8)):
        width = draw.choice(("", "5", "12", "-9", "08", "+", "#", " ", "-+6", ".4", "10.6"))
        if draw.random() < 0.5:
            kind = draw.choice(list(whole))
            mark = draw.choice(whole[kind])
            value = f"{draw.randint(65, 90)}" if mark == "c" else writer.whole(kind, known, 2)
            width = draw.choice(("", "4", "-4")) if mark == "c" else width if mark[-1] in "xXo" or "#" not in width else "7"
            if mark[-1] in "xXouc" and ("+" in width or " " in width):
                width = "3"
            value = f"(unsigned)({value})" if mark in ("x", "X", "o", "u") else value
            lines.append(f'printf("[%{width}{mark}]\\n", {value});')
        elif draw.random() < 0.6:
            value = f"{draw.choice((0.1, 1e-7, 123456.789, 2.5, -3.75, 1e21, 0.0, 1 / 3))!r} * {draw.choice((1, 1000, 0.001))!r}"
            lines.append(f'printf("[%{width}{draw.choice("feEgG")}]\\n", {value});')
        else:
            value = draw.choice(("3.14159265f", "1e10", "-0.5", "2.0 / 3", "100000.0f", "1234567.0", "true", "'x'", "-17ll", '"text"'))
            marks = draw.choice(("", "std::fixed << ", "std::scientific << ", "std::boolalpha << ", "std::showpos << ", "std::left << "))
            marks += f"std::setprecision({draw.randint(0, 9)}) << std::setw({draw.randint(0, 14)})"
            lines.append(f"{{ std::ostringstream s; s << {marks} << {value};"
                         f" std::cout << '[' << s.str() << \"]\\n\"; }}")  # fmt: skip
    body = "".join(f"    {line}\n" for line in lines)
    return Part(f"void {name}()\n{{\n{body}}}\n", f"{name}();")


def integers(writer: Writer, number: int) -> Part:
    """Whole numbers of every type that are converted, promoted and wrapped, in loops and switches."""
    draw, name = writer.draw, f"part{number}"
    known: dict[str, str] = {}
    lines = []
    for place in range(draw.randint(3, 6)):
        kind, variable = draw.choice(SCALARS), f"v{place}"
        lines.append(f"{kind} {variable} = {writer.whole(kind, known)};")
        known[variable] = kind
        lines += writer.statements(known, variable, kind)
    lines.append(f"unsigned drawn = {writer.function()}({writer.whole('unsigned', known, 1)}, {draw.randint(-5, 20)});")
    lines.append("std::cout << drawn" + "".join(f" << ' ' << (long long){each}" for each in known) + " << '\\n';")
    return Part(f"void {name}()\n{{\n{''.join(f'    {each}{chr(10)}' for each in lines)}}}\n", f"{name}();")


def objects(writer: Writer, number: int) -> Part:
    """Classes: virtual functions, owners, copies that are counted, exceptions."""
    draw, name = writer.draw, f"part{number}"
    known = {"size": "int", "k": "int"}
    before = f"""struct {name}_Shape {{
    static int alive;
    int size;
    explicit {name}_Shape(int s) : size(s) {{ ++alive; }}
    {name}_Shape(const {name}_Shape& other) : size(other.size + 1) {{ ++alive; }}
    virtual ~{name}_Shape() {{ --alive; }}
    virtual long long area(int k) const {{ return {writer.whole("int", known, 2)}; }}
    virtual std::string word() const {{ return "shape"; }}
}};
int {name}_Shape::alive = 0;

struct {name}_Square : {name}_Shape {{
    using {name}_Shape::{name}_Shape;
    long long area(int k) const override {{ return {writer.whole("long long", known, 2)}; }}
    std::string word() const override {{ return "square" + std::to_string(size % 10); }}
}};

struct {name}_Deep : {name}_Square {{
    std::vector<int> parts;
    {name}_Deep(int s, int n) : {name}_Square(s), parts(n, s) {{}}
    long long area(int k) const override
    {{
        if (k > {draw.randint(0, 3)})
            throw std::{draw.choice(("runtime_error", "out_of_range", "invalid_argument"))}("too deep " + std::to_string(k));
        return {name}_Square::area(k + 1) ^ (long long)parts.size();
    }}
}};

int {name}()
{{
    std::vector<std::unique_ptr<{name}_Shape>> shapes;
    shapes.push_back(std::make_unique<{name}_Shape>({draw.randint(1, 99)}));
    shapes.emplace_back(new {name}_Deep({draw.randint(1, 9)}, {draw.randint(0, 5)}));
    shapes.push_back(std::make_unique<{name}_Square>({draw.randint(1, 99)}));
    std::shared_ptr<{name}_Shape> kept = std::make_shared<{name}_Square>(7), again = kept;
    {name}_Square copied({draw.randint(1, 9)}), copy = copied;
    int caught = 0;
    for (int k = 0; k < 3; ++k)
        for (const auto& each : shapes)
            try {{
                std::cout << each->word() << ':' << each->area(k) << ' ';
            }} catch (const std::exception& e) {{
                ++caught;
                std::cout << "(" << e.what() << ") ";
            }}
    if ({draw.choice(("true", "false"))})
        shapes.pop_back();
    std::cout << copy.size << ' ' << kept.use_count() << ' ' << caught << ' ' << {name}_Shape::alive << std::endl;
    return {name}_Shape::alive;
}}
"""
    return Part(before, f'printf("%d\\n", {name}() - part{number}_Shape::alive);')


def compile_time(writer: Writer, number: int) -> Part:
    """Templates: numbers as parameters, packs, `constexpr`, `if constexpr`, specialisations, function objects."""
    draw, name = writer.draw, f"part{number}"
    joined = writer.whole("int", {"i": "int", "s": "int", "n": "int"}, 2)
    before = f"""constexpr int {name}_power(int base, int n) {{ return n == 0 ? 1 : base * {name}_power(base, n - 1); }}
template <typename... T> long long {name}_sum(T... all) {{ return (0ll + ... + all); }}
template <typename T> struct {name}_Kind {{ static const char* word() {{ return sizeof(T) > 4 ? "wide" : "narrow"; }} }};
template <> struct {name}_Kind<{draw.choice(("int", "short", "double"))}> {{ static const char* word() {{ return "chosen"; }} }};
template <typename T, int N> struct {name}_Ring {{
    T items[N] = {{}};
    int next = 0;
    void put(T x) {{ items[next++ % N] = x; }}
    T sum() const {{ T s = T(); for (const T& x : items) s = (T)(s + x); return s; }}
    constexpr int room() const {{ return N; }}
}};
template <typename T> auto {name}_show(T x)
{{
    if constexpr (std::is_integral<T>::value)
        return x % {draw.randint(2, 9)};
    else
        return x / {draw.randint(2, 8)};
}}
template <typename F> int {name}_apply(F f, int n) {{ int s = 0; for (int i = 0; i < n; ++i) s ^= f(i, s); return s; }}

void {name}()
{{
    static_assert({name}_power(2, 5) == 32, "");
    constexpr int n = {name}_power({draw.randint(2, 4)}, {draw.randint(1, 3)});
    {name}_Ring<{draw.choice(("short", "int", "unsigned"))}, n> ring;
    for (int i = 0; i < {draw.randint(1, 40)}; ++i)
        ring.put((short)({writer.whole("int", {"i": "int"}, 2)}));
    std::array<int, n> table{{}};
    int seen = {draw.randint(1, 9)};
    std::function<int(int)> grow = [&seen](int x) {{ seen += x & 7; return {writer.whole("int", {"x": "int", "seen": "int"}, 2)}; }};
    for (int i = 0; i < n; ++i)
        table[i] = grow(i);
    std::pair<int, std::string> pair{{table[n / 2], {name}_Kind<decltype(ring.sum())>::word()}};
    auto [first, second] = pair;
    std::tuple<int, double, char> triple = std::make_tuple(n, {name}_show({draw.randint(3, 99)}.5), '{draw.choice("abc")}');
    printf("{name} %lld %s %d %d %g %c %d\\n", (long long)ring.sum(), second.c_str(), first, (int){name}_show((int)ring.room()),
           std::get<1>(triple), std::get<2>(triple), {name}_apply([=](int i, int s) {{ return {joined}; }}, 9));
    printf("%lld %d\\n", {name}_sum(1, {writer.number("long long")}, (short)-3, 'a'), seen);
}}
"""
    return Part(before, f"{name}();")


def c_style(writer: Writer, number: int) -> Part:
    """C: structs by pointer, lists, unions, bit fields, function pointers, `qsort`, `rand`, `memmove`, texts in arrays."""
    draw, name = writer.draw, f"part{number}"
    mixed = writer.whole("int", {"a": "int", "b": "int", "last": "int"}, 2)
    before = f"""typedef struct {name}_node {{
    int value;
    struct {name}_node* next;
}} {name}_node;
typedef union {{ unsigned word; unsigned char bytes[4]; float real; }} {name}_bits;
struct {name}_flags {{ unsigned low : {draw.randint(1, 7)}; int high : {draw.randint(2, 9)}; unsigned rest : 3; }};
enum {name}_mode {{ {name}_ADD, {name}_MIX = {draw.randint(2, 9)}, {name}_LAST }};
static int {name}_calls;
int {name}_add(int a, int b) {{ ++{name}_calls; return {writer.whole("int", {"a": "int", "b": "int"}, 2)}; }}
int {name}_mix(int a, int b) {{ static int last = {draw.randint(0, 9)}; last ^= a; return {mixed}; }}
int {name}_compare(const void* a, const void* b) {{ int x = *(const int*)a, y = *(const int*)b; return (x > y) - (x < y); }}
int {name}_deep(int n) {{ return n < 2 ? n : ({name}_deep(n - 1) + {name}_deep(n - 2)) % {draw.randint(7, 1000)}; }}

void {name}()
{{
    int (*table[])(int, int) = {{{name}_add, {name}_mix, {name}_add}};
    {name}_node* list = NULL;
    srand({draw.randint(0, 99)}u);
    for (int i = 0; i < {draw.randint(2, 9)}; ++i) {{
        {name}_node* made = ({name}_node*)malloc(sizeof({name}_node));
        made->value = table[rand() % 3](i, rand() % 100);
        made->next = list;
        list = made;
    }}
    int values[16] = {{0}}, count = 0;
    while (list) {{
        {name}_node* next = list->next;
        values[count++] = list->value;
        free(list);
        list = next;
    }}
    qsort(values, count, sizeof(int), {name}_compare);
    memmove(values + 1, values, count * sizeof(int));
    {name}_bits bits;
    bits.word = {writer.whole("unsigned", {}, 2)};
    struct {name}_flags flags = {{}};
    flags.low = bits.bytes[{draw.randint(0, 3)}];
    flags.high = (int)(bits.word >> {draw.randint(0, 20)});
    --flags.rest;
    char text[64], *end;
    snprintf(text, sizeof text, "%d;%x;%s", values[1], bits.word, {name}_calls % 2 ? "odd" : "even");
    strncat(text, "!tail", {draw.randint(1, 5)});
    long parsed = strtol(text, &end, 10);
    int i = 0;
    do {{
        if (text[i] == ';')
            break;
    }} while (text[++i]);
    printf("{name} %s %d %zu %ld %s %d\\n", text, i, strlen(text), parsed, strchr(text, ';'), {name}_LAST);
    printf("%u %d %u %d %d %d\\n", flags.low, flags.high, flags.rest, {name}_deep({draw.randint(3, 17)}), (int)sizeof({name}_node), count);
}}
"""
    return Part(before, f"{name}();")


HOST_PARTS: list[Callable[[Writer, int], Part]] = [vectors, texts, formats, integers, objects, compile_time, c_style]
