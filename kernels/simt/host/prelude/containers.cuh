
// Further containers of the C++ library. Elements lie one after the other where that changes nothing that a program can see.

namespace std {
template <class T, class C = less<T>> class set {
    vector<T> items;
    C before;
public:
    typedef T value_type;
    typedef T key_type;
    typedef const T* iterator;
    typedef const T* const_iterator;
    __host__ set() {}
    __host__ explicit set(const C& c) : before(c) {}
    __host__ set(initializer_list<T> given) { insert(given.begin(), given.end()); }
    template <class I> __host__ set(I from, I to) { insert(from, to); }
    template <class I> __host__ set(I from, I to, const C& c) : before(c) { insert(from, to); }
    __host__ pair<const T*, bool> insert(const T& value) {
        size_t at = lower(value);
        if (at < items.size() && !before(value, items[at])) return pair<const T*, bool>(items.begin() + at, false);
        items.insert(items.begin() + at, value);
        return pair<const T*, bool>(items.begin() + at, true);
    }
    template <class I> __host__ void insert(I from, I to) { for (; from != to; ++from) insert(*from); }
    template <class A> __host__ pair<const T*, bool> emplace(A&& a) { return insert(T(forward<A>(a))); }
    __host__ size_t erase(const T& value) {
        size_t at = lower(value);
        if (at == items.size() || before(value, items[at])) return 0;
        items.erase(items.begin() + at);
        return 1;
    }
    __host__ const T* erase(const T* place) { return items.erase(place); }
    __host__ const T* find(const T& value) const {
        size_t at = lower(value);
        return at < items.size() && !before(value, items[at]) ? items.begin() + at : items.end();
    }
    __host__ size_t count(const T& value) const { size_t at = lower(value); return at < items.size() && !before(value, items[at]); }
    __host__ bool contains(const T& value) const { return count(value) != 0; }
    __host__ const T* lower_bound(const T& value) const { return items.begin() + lower(value); }
    __host__ const T* upper_bound(const T& value) const { return items.begin() + lower(value) + count(value); }
    __host__ void clear() { items.clear(); }
    __host__ size_t size() const { return items.size(); }
    __host__ bool empty() const { return items.empty(); }
    __host__ const T* begin() const { return items.begin(); }
    __host__ const T* end() const { return items.end(); }
    __host__ std::reverse_iterator<const T> rbegin() const { return std::reverse_iterator<const T>{end()}; }
    __host__ std::reverse_iterator<const T> rend() const { return std::reverse_iterator<const T>{begin()}; }
private:
    __host__ size_t lower(const T& value) const {
        size_t low = 0, high = items.size();
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (before(items[middle], value)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
};
template <class T, class C = less<T>> class multiset {
    vector<T> items;
    C before;
public:
    typedef T value_type;
    typedef const T* iterator;
    typedef const T* const_iterator;
    __host__ multiset() {}
    __host__ explicit multiset(const C& c) : before(c) {}
    __host__ multiset(initializer_list<T> given) { insert(given.begin(), given.end()); }
    template <class I> __host__ multiset(I from, I to) { insert(from, to); }
    __host__ const T* insert(const T& value) {
        size_t at = std::upper_bound(items.data(), items.data() + items.size(), value, before) - items.data();
        return items.insert(items.begin() + at, value);
    }
    template <class I> __host__ void insert(I from, I to) { for (; from != to; ++from) insert(*from); }
    template <class... A> __host__ const T* emplace(A&&... a) { return insert(T(forward<A>(a)...)); }
    __host__ const T* lower_bound(const T& value) const { return std::lower_bound(begin(), end(), value, before); }
    __host__ const T* upper_bound(const T& value) const { return std::upper_bound(begin(), end(), value, before); }
    __host__ pair<const T*, const T*> equal_range(const T& value) const { return pair<const T*, const T*>(lower_bound(value), upper_bound(value)); }
    __host__ size_t count(const T& value) const { return upper_bound(value) - lower_bound(value); }
    __host__ const T* find(const T& value) const { const T* found = lower_bound(value); return found != end() && !before(value, *found) ? found : end(); }
    __host__ size_t erase(const T& value) { size_t n = count(value); items.erase(lower_bound(value), upper_bound(value)); return n; }
    __host__ const T* erase(const T* place) { return items.erase(place); }
    __host__ void clear() { items.clear(); }
    __host__ size_t size() const { return items.size(); }
    __host__ bool empty() const { return items.empty(); }
    __host__ const T* begin() const { return items.begin(); }
    __host__ const T* end() const { return items.end(); }
    __host__ std::reverse_iterator<const T> rbegin() const { return std::reverse_iterator<const T>{end()}; }
    __host__ std::reverse_iterator<const T> rend() const { return std::reverse_iterator<const T>{begin()}; }
};
template <class K, class V, class C = less<K>> class multimap {
    vector<pair<K, V>> items;
    C before;
public:
    typedef pair<K, V> value_type;
    typedef pair<K, V> __pair;
    typedef pair<K, V>* iterator;
    typedef const pair<K, V>* const_iterator;
    __host__ multimap() {}
    __host__ multimap(initializer_list<__pair> given) { insert(given.begin(), given.end()); }
    template <class I> __host__ multimap(I from, I to) { insert(from, to); }
    __host__ __pair* insert(const __pair& value) { return items.insert(upper_bound(value.first), value); }
    template <class I> __host__ void insert(I from, I to) { for (; from != to; ++from) insert(*from); }
    template <class A, class B> __host__ __pair* emplace(A&& key, B&& value) { return insert(__pair(forward<A>(key), forward<B>(value))); }
    __host__ __pair* lower_bound(const K& key) {
        size_t at = 0, size = items.size();
        while (size > 0) {
            if (before(items[at + size / 2].first, key)) { at = at + size / 2 + 1; size = size - size / 2 - 1; }
            else size = size / 2;
        }
        return items.begin() + at;
    }
    __host__ __pair* upper_bound(const K& key) {
        size_t at = 0, size = items.size();
        while (size > 0) {
            if (before(key, items[at + size / 2].first)) size = size / 2;
            else { at = at + size / 2 + 1; size = size - size / 2 - 1; }
        }
        return items.begin() + at;
    }
    __host__ pair<__pair*, __pair*> equal_range(const K& key) { return pair<__pair*, __pair*>(lower_bound(key), upper_bound(key)); }
    __host__ size_t count(const K& key) { return upper_bound(key) - lower_bound(key); }
    __host__ __pair* find(const K& key) { __pair* found = lower_bound(key); return found != end() && !before(key, found->first) ? found : end(); }
    __host__ size_t erase(const K& key) { size_t n = count(key); items.erase(lower_bound(key), upper_bound(key)); return n; }
    __host__ __pair* erase(__pair* place) { return items.erase(place); }
    __host__ void clear() { items.clear(); }
    __host__ size_t size() const { return items.size(); }
    __host__ bool empty() const { return items.empty(); }
    __host__ __pair* begin() { return items.begin(); }
    __host__ __pair* end() { return items.end(); }
    __host__ const __pair* begin() const { return items.begin(); }
    __host__ const __pair* end() const { return items.end(); }
    __TILESCOPE_BACKWARDS(__pair)
};
template <class T> class deque {
    T* first;
    size_t used;
    T* block;
    size_t room;
public:
    typedef T value_type;
    typedef T* iterator;
    __host__ deque() : first(0), used(0), block(0), room(0) {}
    __host__ explicit deque(size_t n) : first(0), used(0), block(0), room(0) { for (size_t i = 0; i < n; ++i) push_back(T()); }
    __host__ deque(size_t n, const T& value) : first(0), used(0), block(0), room(0) { for (size_t i = 0; i < n; ++i) push_back(value); }
    __host__ deque(initializer_list<T> given) : first(0), used(0), block(0), room(0) { add(given.begin(), given.end()); }
    __host__ deque(const deque& other) : first(0), used(0), block(0), room(0) { add(other.first, other.first + other.used); }
    __host__ deque(deque&& other) : first(other.first), used(other.used), block(other.block), room(other.room) { other.forget(); }
    __host__ ~deque() { __end(first, used); __tilescope_drop(block); }
    __host__ deque& operator=(const deque& other) { if (this != &other) { clear(); add(other.first, other.first + other.used); } return *this; }
    __host__ void push_back(const T& value) {
        T kept(value);
        grow(0, 1);
        new (first + used) T(move(kept));
        used = used + 1;
    }
    __host__ void push_front(const T& value) {
        T kept(value);
        grow(1, 0);
        first = first - 1;
        new (first) T(move(kept));
        used = used + 1;
    }
    template <class... A> __host__ T& emplace_back(A&&... a) {
        grow(0, 1);
        new (first + used) T(forward<A>(a)...);
        used = used + 1;
        return first[used - 1];
    }
    __host__ void pop_back() { used = used - 1; __end(first + used, 1); }
    __host__ void pop_front() { __end(first, 1); first = first + 1; used = used - 1; }
    __host__ void clear() { __end(first, used); used = 0; }
    __host__ size_t size() const { return used; }
    __host__ bool empty() const { return used == 0; }
    __host__ T* begin() { return first; }
    __host__ T* end() { return first + used; }
    __host__ const T* begin() const { return first; }
    __host__ const T* end() const { return first + used; }
    __TILESCOPE_BACKWARDS(T)
    __host__ T& operator[](size_t i) { return first[i]; }
    __host__ const T& operator[](size_t i) const { return first[i]; }
    __host__ T& at(size_t i) { if (__tilescope_at(i, used)) __beyond("deque::_M_range_check: __n (which is %zu)>= this->size() (which is %zu)", i, used); return first[i]; }
    __host__ T& front() { return first[0]; }
    __host__ T& back() { return first[used - 1]; }
    __host__ const T& front() const { return first[0]; }
    __host__ const T& back() const { return first[used - 1]; }
private:
    __host__ void forget() { first = 0; used = 0; block = 0; room = 0; }
    __host__ void add(const T* from, const T* to) { for (; from != to; ++from) push_back(*from); }
    __host__ void grow(size_t before, size_t behind) {
        if (block && first >= block + before && first + used + behind <= block + room) return;
        size_t wider = 2 * used + 8, start = used / 2 + 4;
        T* made = static_cast<T*>(__tilescope_kept(wider * sizeof(T)));
        memcpy(made + start, first, used * sizeof(T));
        __tilescope_drop(block);
        block = made;
        first = made + start;
        room = wider;
    }
};

template <class T> struct __node { __node* next; __node* before; T value; };
template <class T> struct __place {
    __node<T>* at;
    __node<T>* last;
    __host__ T& operator*() const { return at->value; }
    __host__ T* operator->() const { return &at->value; }
    __host__ __place& operator++() { last = at; at = at->next; return *this; }
    __host__ __place operator++(int) { __place old{at, last}; last = at; at = at->next; return old; }
    __host__ __place& operator--() { at = at ? at->before : last; last = at ? at->before : 0; return *this; }
    __host__ bool operator==(const __place& other) const { return at == other.at; }
    __host__ bool operator!=(const __place& other) const { return at != other.at; }
};
template <class T> class list {
    __node<T>* first;
    __node<T>* last;
    size_t used;
public:
    typedef T value_type;
    typedef __place<T> iterator;
    typedef __place<T> const_iterator;
    __host__ list() : first(0), last(0), used(0) {}
    __host__ list(initializer_list<T> given) : first(0), last(0), used(0) {
        for (const T* each = given.begin(); each != given.end(); ++each) push_back(*each);
    }
    template <class I, class = decltype(*I())> __host__ list(I from, I to) : first(0), last(0), used(0) { for (; from != to; ++from) push_back(*from); }
    __host__ explicit list(size_t n) : first(0), last(0), used(0) { for (size_t i = 0; i < n; ++i) push_back(T()); }
    __host__ list(size_t n, const T& value) : first(0), last(0), used(0) { for (size_t i = 0; i < n; ++i) push_back(value); }
    __host__ list(const list& other) : first(0), last(0), used(0) { for (__node<T>* each = other.first; each; each = each->next) push_back(each->value); }
    __host__ ~list() { clear(); }
    __host__ list& operator=(const list& other) {
        if (this == &other) return *this;
        clear();
        for (__node<T>* each = other.first; each; each = each->next) push_back(each->value);
        return *this;
    }
    __host__ void push_back(const T& value) { put(0, value); }
    __host__ void push_front(const T& value) { put(first, value); }
    template <class... A> __host__ T& emplace_back(A&&... a) { put(0, T(forward<A>(a)...)); return last->value; }
    __host__ __place<T> insert(__place<T> place, const T& value) {
        __node<T>* made = put(place.at, value);
        return __place<T>{made, made->before};
    }
    __host__ __place<T> erase(__place<T> place) {
        __node<T>* next = place.at->next;
        take(place.at);
        return __place<T>{next, next ? next->before : last};
    }
    __host__ void pop_back() { take(last); }
    __host__ void pop_front() { take(first); }
    __host__ void remove(const T& value) {
        T wanted(value);
        __node<T>* next;
        for (__node<T>* each = first; each; each = next) { next = each->next; if (each->value == wanted) take(each); }
    }
    template <class F> __host__ void remove_if(F test) {
        __node<T>* next;
        for (__node<T>* each = first; each; each = next) { next = each->next; if (test(each->value)) take(each); }
    }
    template <class F> __host__ void sort(F before) {
        vector<T> kept(begin(), end());
        std::stable_sort(kept.data(), kept.data() + kept.size(), before);
        size_t i = 0;
        for (__node<T>* each = first; each; each = each->next) { each->value = kept[i]; ++i; }
    }
    __host__ void sort() { sort(less<>()); }
    __host__ void unique() {
        for (__node<T>* each = first; each && each->next;) { if (each->value == each->next->value) take(each->next); else each = each->next; }
    }
    __host__ void reverse() {
        __node<T>* next;
        for (__node<T>* each = first; each; each = next) { next = each->next; each->next = each->before; each->before = next; }
        next = first;
        first = last;
        last = next;
    }
    __host__ void clear() { while (first) take(first); }
    __host__ size_t size() const { return used; }
    __host__ bool empty() const { return used == 0; }
    __host__ T& front() { return first->value; }
    __host__ T& back() { return last->value; }
    __host__ __place<T> begin() const { return __place<T>{first, 0}; }
    __host__ __place<T> end() const { return __place<T>{0, last}; }
private:
    __host__ __node<T>* put(__node<T>* next, const T& value) {
        __node<T>* made = static_cast<__node<T>*>(__tilescope_kept(sizeof(__node<T>)));
        __node<T>* before = next ? next->before : last;
        new (&made->value) T(value);
        made->next = next;
        made->before = before;
        if (before) before->next = made;
        else first = made;
        if (next) next->before = made;
        else last = made;
        used = used + 1;
        return made;
    }
    __host__ void take(__node<T>* gone) {
        if (gone->before) gone->before->next = gone->next;
        else first = gone->next;
        if (gone->next) gone->next->before = gone->before;
        else last = gone->before;
        __end(&gone->value, 1);
        __tilescope_drop(gone);
        used = used - 1;
    }
};

template <class T, class S = deque<T>> class queue {
    S items;
public:
    typedef T value_type;
    __host__ queue() {}
    __host__ void push(const T& value) { items.push_back(value); }
    template <class... A> __host__ void emplace(A&&... a) { items.push_back(T(forward<A>(a)...)); }
    __host__ void pop() { items.pop_front(); }
    __host__ T& front() { return items.front(); }
    __host__ T& back() { return items.back(); }
    __host__ size_t size() const { return items.size(); }
    __host__ bool empty() const { return items.empty(); }
};
template <class T, class S = deque<T>> class stack {
    S items;
public:
    typedef T value_type;
    __host__ stack() {}
    __host__ void push(const T& value) { items.push_back(value); }
    template <class... A> __host__ void emplace(A&&... a) { items.push_back(T(forward<A>(a)...)); }
    __host__ void pop() { items.pop_back(); }
    __host__ T& top() { return items.back(); }
    __host__ size_t size() const { return items.size(); }
    __host__ bool empty() const { return items.empty(); }
};
template <class T, class S = vector<T>, class C = less<T>> class priority_queue {
    S items;
    C before;
public:
    typedef T value_type;
    __host__ priority_queue() {}
    __host__ explicit priority_queue(const C& c) : before(c) {}
    template <class U> __host__ priority_queue(U* from, U* to) : items(from, to) { make_heap(items.data(), items.data() + items.size(), before); }
    __host__ void push(const T& value) {
        items.push_back(value);
        T kept(value);
        __raise(items.data(), items.size() - 1, 0, kept, before);
    }
    template <class... A> __host__ void emplace(A&&... a) { push(T(forward<A>(a)...)); }
    __host__ void pop() {
        pop_heap(items.data(), items.data() + items.size(), before);
        items.pop_back();
    }
    __host__ const T& top() const { return items.front(); }
    __host__ size_t size() const { return items.size(); }
    __host__ bool empty() const { return items.empty(); }
};

struct nullopt_t { int unused; };
inline constexpr nullopt_t nullopt{0};
struct bad_optional_access : exception { __host__ bad_optional_access() { words = "bad optional access"; } };
template <class T> class optional {
    T held;
    bool there;
public:
    __host__ optional() : held(), there(false) {}
    __host__ optional(nullopt_t) : held(), there(false) {}
    __host__ optional(const T& value) : held(value), there(true) {}
    __host__ bool has_value() const { return there; }
    __host__ explicit operator bool() const { return there; }
    __host__ T& value() { if (!there) throw bad_optional_access(); return held; }
    __host__ const T& value() const { if (!there) throw bad_optional_access(); return held; }
    template <class... A> __host__ T& emplace(A&&... a) { held = T(forward<A>(a)...); there = true; return held; }
    __host__ T value_or(const T& other) const { return there ? held : other; }
    __host__ T& operator*() { return held; }
    __host__ const T& operator*() const { return held; }
    __host__ T* operator->() { return &held; }
    __host__ const T* operator->() const { return &held; }
    __host__ void reset() { there = false; }
};
template <class T> __host__ bool operator==(const optional<T>& a, nullopt_t) { return !a.has_value(); }
template <class T> __host__ bool operator!=(const optional<T>& a, nullopt_t) { return a.has_value(); }
template <class T> __host__ bool operator==(const optional<T>& a, const T& b) { return a.has_value() && *a == b; }
template <class T> __host__ bool operator==(const optional<T>& a, const optional<T>& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
}
template <class T> __host__ bool operator!=(const optional<T>& a, const T& b) { return !(a == b); }
template <class T> __host__ bool operator!=(const optional<T>& a, const optional<T>& b) { return !(a == b); }
template <class T> __host__ optional<decay_t<T>> make_optional(T&& value) { return optional<decay_t<T>>(forward<T>(value)); }
}

namespace std {
template <size_t N> struct bitset {
    unsigned long long words[N / 64 + 1];
    struct reference {
        bitset* whole;
        size_t place;
        __host__ operator bool() const { return whole->test(place); }
        __host__ reference& operator=(bool value) { whole->set(place, value); return *this; }
        __host__ reference& operator=(const reference& other) { whole->set(place, static_cast<bool>(other)); return *this; }
        __host__ bool operator~() const { return !whole->test(place); }
        __host__ void flip() { whole->flip(place); }
    };
    __host__ bitset() { for (size_t i = 0; i < N / 64 + 1; ++i) words[i] = 0; }
    __host__ bitset(unsigned long long value) : bitset() { words[0] = N < 64 ? value & ((1ull << N % 64) - 1) : value; }
    __host__ explicit bitset(const string& text) : bitset() { for (size_t i = 0; i < text.size() && i < N; ++i) set(i, text[text.size() - 1 - i] == '1'); }
    __host__ bitset& set(size_t i, bool value = true) {
        if (i >= N) throw out_of_range("bitset::set");
        words[i / 64] = value ? words[i / 64] | 1ull << i % 64 : words[i / 64] & ~(1ull << i % 64);
        return *this;
    }
    __host__ bitset& set() { for (size_t i = 0; i < N; ++i) set(i); return *this; }
    __host__ bitset& reset(size_t i) { return set(i, false); }
    __host__ bitset& reset() { for (size_t i = 0; i < N / 64 + 1; ++i) words[i] = 0; return *this; }
    __host__ bitset& flip(size_t i) { return set(i, !test(i)); }
    __host__ bitset& flip() { for (size_t i = 0; i < N; ++i) flip(i); return *this; }
    __host__ bool test(size_t i) const { if (i >= N) throw out_of_range("bitset::test"); return words[i / 64] >> i % 64 & 1; }
    __host__ bool operator[](size_t i) const { return words[i / 64] >> i % 64 & 1; }
    __host__ reference operator[](size_t i) { return reference{this, i}; }
    __host__ size_t count() const { size_t n = 0; for (size_t i = 0; i < N; ++i) n += words[i / 64] >> i % 64 & 1; return n; }
    __host__ size_t size() const { return N; }
    __host__ bool any() const { return count() > 0; }
    __host__ bool none() const { return count() == 0; }
    __host__ bool all() const { return count() == N; }
    __host__ unsigned long to_ulong() const { return words[0]; }
    __host__ unsigned long long to_ullong() const { return words[0]; }
    __host__ string to_string() const { string text; for (size_t i = N; i > 0; --i) text += words[(i - 1) / 64] >> (i - 1) % 64 & 1 ? '1' : '0'; return text; }
    __host__ bitset& operator&=(const bitset& b) { for (size_t i = 0; i < N / 64 + 1; ++i) words[i] &= b.words[i]; return *this; }
    __host__ bitset& operator|=(const bitset& b) { for (size_t i = 0; i < N / 64 + 1; ++i) words[i] |= b.words[i]; return *this; }
    __host__ bitset& operator^=(const bitset& b) { for (size_t i = 0; i < N / 64 + 1; ++i) words[i] ^= b.words[i]; return *this; }
    __host__ bitset operator~() const { bitset made(*this); made.flip(); return made; }
    __host__ bitset operator<<(size_t n) const { bitset made; for (size_t i = n; i < N; ++i) made.set(i, test(i - n)); return made; }
    __host__ bitset operator>>(size_t n) const { bitset made; for (size_t i = n; i < N; ++i) made.set(i - n, test(i)); return made; }
    __host__ bool operator==(const bitset& b) const { for (size_t i = 0; i < N / 64 + 1; ++i) if (words[i] != b.words[i]) return false; return true; }
    __host__ bool operator!=(const bitset& b) const { return !(*this == b); }
};
template <size_t N> __host__ bitset<N> operator&(bitset<N> a, const bitset<N>& b) { a &= b; return a; }
template <size_t N> __host__ bitset<N> operator|(bitset<N> a, const bitset<N>& b) { a |= b; return a; }
template <size_t N> __host__ bitset<N> operator^(bitset<N> a, const bitset<N>& b) { a ^= b; return a; }
template <size_t N> __host__ ostream& operator<<(ostream& out, const bitset<N>& b) { return out << b.to_string(); }
}
