
// Containers by hash, as the GNU library keeps them, so that their elements come in its order: all of them in one list, those of a bucket
// next to each other, a bucket's entry the element before its first one, or the entries
// themselves where there is none.

__host__ inline size_t __hash_bytes(const void* given, size_t size) {
    const size_t factor = 0xc6a4a7935bd1e995ul;
    const char* from = static_cast<const char*>(given);
    size_t found = 0xc70f6907ul ^ (size * factor);
    while (size >= 8) {
        size_t word = 0;
        memcpy(&word, from, 8);
        word *= factor;
        word = (word ^ (word >> 47)) * factor;
        found = (found ^ word) * factor;
        from = from + 8;
        size = size - 8;
    }
    if (size) {
        size_t word = 0;
        memcpy(&word, from, size);
        found = (found ^ word) * factor;
    }
    found = (found ^ (found >> 47)) * factor;
    return found ^ (found >> 47);
}
static const unsigned __hash_primes[] = {
    17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149, 157, 167, 179,
    193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953,
    1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703,
    5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753,
    22447, 24281, 26267, 28411, 30727, 33223, 35933, 38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229,
    92203, 99733, 107897, 116731, 126271, 136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261, 299951,
    324503, 351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049, 834181, 902483, 976369, 1056323,
    1142821, 1236397, 1337629, 1447153, 1565659, 1693859, 1832561, 1982627, 2144977, 2320627, 2510653, 2716249, 2938679, 3179303,
    3439651, 3721303, 4026031, 4355707, 4712381, 5098259, 5515729, 5967347, 6456007, 6984629, 7556579, 8175383, 8844859, 9569143,
    10352717, 11200489, 12117689, 13109983, 14183539, 15345007, 16601593, 17961079, 19431899, 21023161, 22744717, 24607243,
    26622317, 28802401, 31160981, 33712729, 36473443, 39460231, 42691603, 46187573, 49969847, 54061849, 58488943, 63278561,
    68460391, 74066549, 80131819, 86693767, 93793069, 101473717, 109783337, 118773397, 128499677, 139022417, 150406843, 162723577,
    176048909, 190465427, 206062531, 222936881, 241193053, 260944219, 282312799, 305431229, 330442829, 357502601, 386778277,
    418451333, 452718089, 489790921, 529899637, 573292817, 620239453, 671030513, 725980837, 785430967, 849749479, 919334987,
    994618837, 1076067617, 1164186217, 1259520799, 1362662261, 1474249943, 1594975441, 1725587117, 1866894511, 2019773507,
    2185171673u, 2364114217u, 2557710269u, 2767159799u, 2993761039u
};
struct __hash_link { __hash_link* next; size_t code; };
struct __hash_buckets {
    __hash_link* first;
    __hash_link** entries;
    size_t count, used, limit;
    __host__ __hash_buckets() : first(0), entries(0), count(1), used(0), limit(0) {}
    __host__ __hash_link* before(size_t place) { return entries[place] == head() ? reinterpret_cast<__hash_link*>(&first) : entries[place]; }
    __host__ __hash_link* head() const { return reinterpret_cast<__hash_link*>(entries); }
};
__host__ inline size_t __hash_room(size_t wanted) {
    if (wanted < 14) return wanted < 3 ? 2 : wanted == 3 ? 3 : wanted < 6 ? 5 : wanted < 8 ? 7 : wanted < 12 ? 11 : 13;
    int low = 0, high = sizeof(__hash_primes) / 4;
    while (low < high) {
        int middle = (low + high) / 2;
        if (__hash_primes[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    return __hash_primes[low];
}
__host__ inline void __hash_spread(__hash_buckets* all, size_t wanted) {
    size_t count = __hash_room(wanted), last = 0;
    all->limit = count;
    if (count == all->count && all->entries) return;
    __hash_link** entries = static_cast<__hash_link**>(__tilescope_kept(count * 8));
    memset(entries, 0, count * 8);
    __hash_link* each = all->first;
    all->first = 0;
    while (each) {
        __hash_link* next = each->next;
        size_t place = each->code % count;
        __hash_link* head = reinterpret_cast<__hash_link*>(entries);
        if (entries[place]) {
            __hash_link* before = entries[place] == head ? reinterpret_cast<__hash_link*>(&all->first) : entries[place];
            each->next = before->next;
            before->next = each;
        } else {
            each->next = all->first;
            all->first = each;
            entries[place] = head;
            if (each->next) entries[last] = each;
            last = place;
        }
        each = next;
    }
    __tilescope_drop(all->entries);
    all->entries = entries;
    all->count = count;
}
__host__ inline __hash_link* __hash_first(const __hash_buckets* all, size_t place) {
    return all->entries[place] == all->head() ? all->first : all->entries[place]->next;
}
__host__ inline void __hash_put(__hash_buckets* all, __hash_link* made) {
    if (all->used + 1 > all->limit) {
        size_t least = all->used + 1;
        if (all->limit == 0 && least < 11) least = 11;
        if (least >= all->count) __hash_spread(all, least + 1 > 2 * all->count ? least + 1 : 2 * all->count);
        else all->limit = all->count;
    }
    if (!all->entries) __hash_spread(all, all->count);
    size_t place = made->code % all->count;
    if (all->entries[place]) {
        __hash_link* before = all->before(place);
        made->next = before->next;
        before->next = made;
    } else {
        made->next = all->first;
        all->first = made;
        if (made->next) all->entries[made->next->code % all->count] = made;
        all->entries[place] = all->head();
    }
    all->used = all->used + 1;
}
__host__ inline void __hash_take(__hash_buckets* all, __hash_link* gone) {
    size_t place = gone->code % all->count;
    __hash_link* before = all->before(place);
    __hash_link* next = gone->next;
    bool first = before->next == gone;
    while (before->next != gone) before = before->next;
    size_t behind = next ? next->code % all->count : 0;
    if (first) {
        if (!next || behind != place) {
            if (next) all->entries[behind] = all->entries[place];
            all->entries[place] = 0;
        }
    } else if (next && behind != place) all->entries[behind] = before;
    before->next = next;
    all->used = all->used - 1;
}

namespace std {
template <class T> struct hash { __host__ size_t operator()(T v) const { return static_cast<size_t>(v); } };
template <class T> struct hash<T*> { __host__ size_t operator()(T* v) const { return reinterpret_cast<size_t>(v); } };
template <> struct hash<float> { __host__ size_t operator()(float v) const { return v == 0 ? 0 : __hash_bytes(&v, 4); } };
template <> struct hash<double> { __host__ size_t operator()(double v) const { return v == 0 ? 0 : __hash_bytes(&v, 8); } };
template <> struct hash<string> { __host__ size_t operator()(const string& v) const { return __hash_bytes(v.first, v.used); } };
template <class T> struct __hash_node { __hash_node* next; size_t code; T value; };
template <class T> struct __hash_place {
    __hash_node<T>* at;
    typedef T value_type;
    __host__ T& operator*() const { return at->value; }
    __host__ T* operator->() const { return &at->value; }
    __host__ __hash_place& operator++() { at = at->next; return *this; }
    __host__ __hash_place operator++(int) { __hash_place old{at}; at = at->next; return old; }
    __host__ bool operator==(const __hash_place& other) const { return at == other.at; }
    __host__ bool operator!=(const __hash_place& other) const { return at != other.at; }
};
template <class K, class T> __host__ const K& __hash_key(const T& value) {
    if constexpr (is_same_v<K, T>) return value;
    else return value.first;
}
#define __TILESCOPE_TABLE(NAME, KEY, VALUE) \
    __hash_buckets all; \
    H hashes; \
    E equals; \
    typedef __hash_place<VALUE> iterator; \
    typedef __hash_place<VALUE> const_iterator; \
    typedef VALUE value_type; \
    typedef KEY key_type; \
    typedef size_t size_type; \
    __host__ NAME() {} \
    __host__ explicit NAME(size_t n, const H& h = H(), const E& e = E()) : hashes(h), equals(e) { if (n) __hash_spread(&all, n); } \
    __host__ NAME(initializer_list<VALUE> given) { insert(given.begin(), given.end()); } \
    template <class I> __host__ NAME(I from, I to) { insert(from, to); } \
    __host__ NAME(const NAME& other) : hashes(other.hashes), equals(other.equals) { copy(other); } \
    __host__ NAME(NAME&& other) : all(other.all), hashes(other.hashes), equals(other.equals) { \
        other.all = __hash_buckets(); \
    } \
    __host__ ~NAME() { clear(); __tilescope_drop(all.entries); } \
    __host__ NAME& operator=(const NAME& other) { \
        if (this == &other) return *this; \
        clear(); \
        __tilescope_drop(all.entries); \
        all = __hash_buckets(); \
        copy(other); \
        return *this; \
    } \
    __host__ NAME& operator=(NAME&& other) { \
        if (this == &other) return *this; \
        clear(); \
        __tilescope_drop(all.entries); \
        all = other.all; \
        other.all = __hash_buckets(); \
        return *this; \
    } \
    __host__ __hash_node<VALUE>* node(const KEY& key) const { \
        if (!all.entries) return 0; \
        size_t code = hashes(key), place = code % all.count; \
        __hash_link* each = 0; \
        if (all.entries[place]) each = __hash_first(&all, place); \
        while (each && each->code % all.count == place) { \
            if (each->code == code && equals(__hash_key<KEY, VALUE>(reinterpret_cast<__hash_node<VALUE>*>(each)->value), key)) return reinterpret_cast<__hash_node<VALUE>*>(each); \
            each = each->next; \
        } \
        return 0; \
    } \
    __host__ __hash_node<VALUE>* make(const KEY& key, const VALUE& value) { \
        __hash_node<VALUE>* made = static_cast<__hash_node<VALUE>*>(__tilescope_kept(sizeof(__hash_node<VALUE>))); \
        made->code = hashes(key); \
        new (&made->value) VALUE(value); \
        __hash_put(&all, reinterpret_cast<__hash_link*>(made)); \
        return made; \
    } \
    __host__ void take(__hash_node<VALUE>* gone) { \
        __hash_take(&all, reinterpret_cast<__hash_link*>(gone)); \
        std::__end(&gone->value, 1); \
        __tilescope_drop(gone); \
    } \
    __host__ void copy(const NAME& other) { \
        if (other.all.entries) __hash_spread(&all, other.all.count); \
        all.limit = other.all.limit; \
        __hash_link* last = reinterpret_cast<__hash_link*>(&all.first); \
        for (__hash_link* each = other.all.first; each != 0; each = each->next) { \
            __hash_node<VALUE>* made = static_cast<__hash_node<VALUE>*>(__tilescope_kept(sizeof(__hash_node<VALUE>))); \
            made->code = each->code; \
            made->next = 0; \
            new (&made->value) VALUE(reinterpret_cast<__hash_node<VALUE>*>(each)->value); \
            last->next = reinterpret_cast<__hash_link*>(made); \
            size_t place = made->code % all.count; \
            if (!all.entries[place]) all.entries[place] = all.used ? last : all.head(); \
            last = last->next; \
            all.used = all.used + 1; \
        } \
    } \
    __host__ pair<iterator, bool> insert(const VALUE& value) { \
        __hash_node<VALUE>* found = node(__hash_key<KEY, VALUE>(value)); \
        bool fresh = !found; \
        if (fresh) found = make(__hash_key<KEY, VALUE>(value), value); \
        return pair<iterator, bool>(iterator{found}, fresh); \
    } \
    template <class I> __host__ void insert(I from, I to) { while (from != to) { insert(*from); ++from; } } \
    __host__ void insert(initializer_list<VALUE> given) { for (const VALUE* each = given.begin(); each != given.end(); ++each) insert(*each); } \
    template <class... A> __host__ pair<iterator, bool> emplace(A&&... a) { return insert(VALUE(forward<A>(a)...)); } \
    __host__ size_t erase(const KEY& key) { __hash_node<VALUE>* found = node(key); if (found) take(found); return found != 0; } \
    __host__ iterator erase(iterator place) { __hash_node<VALUE>* next = place.at->next; take(place.at); return iterator{next}; } \
    __host__ iterator find(const KEY& key) const { return iterator{node(key)}; } \
    __host__ size_t count(const KEY& key) const { return node(key) != 0; } \
    __host__ bool contains(const KEY& key) const { return node(key) != 0; } \
    __host__ iterator begin() const { return iterator{reinterpret_cast<__hash_node<VALUE>*>(all.first)}; } \
    __host__ iterator end() const { return iterator{0}; } \
    __host__ iterator cbegin() const { return begin(); } \
    __host__ iterator cend() const { return end(); } \
    __host__ void clear() { \
        while (all.first) { \
            __hash_node<VALUE>* gone = reinterpret_cast<__hash_node<VALUE>*>(all.first); \
            all.first = reinterpret_cast<__hash_link*>(gone->next); \
            std::__end(&gone->value, 1); \
            __tilescope_drop(gone); \
        } \
        if (all.entries) memset(all.entries, 0, all.count * 8); \
        all.used = 0; \
    } \
    __host__ void rehash(size_t n) { __hash_spread(&all, n > all.used + 1 ? n : all.used + 1); } \
    __host__ void reserve(size_t n) { rehash(n); } \
    __host__ size_t bucket_count() const { return all.count; } \
    __host__ float load_factor() const { return static_cast<float>(all.used) / static_cast<float>(all.count); } \
    __host__ float max_load_factor() const { return 1.0f; } \
    __host__ size_t size() const { return all.used; } \
    __host__ bool empty() const { return all.used == 0; }
template <class T, class H = hash<T>, class E = equal_to<T>> struct unordered_set {
    __TILESCOPE_TABLE(unordered_set, T, T)
};
template <class K, class V, class H = hash<K>, class E = equal_to<K>> struct unordered_map {
    typedef pair<K, V> __pair;
    __TILESCOPE_TABLE(unordered_map, K, __pair)
    typedef V mapped_type;
    __host__ V& operator[](const K& key) {
        __hash_node<__pair>* found = node(key);
        if (!found) found = make(key, __pair(key, V()));
        return found->value.second;
    }
    __host__ V& at(const K& key) {
        __hash_node<__pair>* found = node(key);
        if (!found) throw out_of_range("_Map_base::at");
        return found->value.second;
    }
    __host__ const V& at(const K& key) const {
        __hash_node<__pair>* found = node(key);
        if (!found) throw out_of_range("_Map_base::at");
        return found->value.second;
    }
    template <class U> __host__ pair<iterator, bool> insert_or_assign(const K& key, U&& value) {
        pair<iterator, bool> done = insert(__pair(key, value));
        if (!done.second) done.first->second = forward<U>(value);
        return done;
    }
    template <class... A> __host__ pair<iterator, bool> try_emplace(const K& key, A&&... a) { return insert(__pair(key, V(forward<A>(a)...))); }
};
#undef __TILESCOPE_TABLE
}
