
// Algorithms and iterators.

namespace std {
template <> struct less<void> { template <class A, class B> __host__ bool operator()(const A& a, const B& b) const { return a < b; } };
template <> struct greater<void> { template <class A, class B> __host__ bool operator()(const A& a, const B& b) const { return b < a; } };
template <class I> __host__ long distance(I from, I to) {
    if constexpr (is_pointer_v<I>) return to - from;
    else {
        long n = 0;
        for (; from != to; ++from) ++n;
        return n;
    }
}
template <class I, class N> __host__ void advance(I& place, N n) {
    if constexpr (is_pointer_v<I>) place = place + n;
    else if (n < 0) for (; n < 0; ++n) --place;
    else for (; n > 0; --n) ++place;
}
template <class I> __host__ I next(I place, long n = 1) { std::advance(place, n); return place; }
template <class I> __host__ I prev(I place, long n = 1) { std::advance(place, -n); return place; }
template <class I, class J> __host__ void iter_swap(I a, J b) { swap(*a, *b); }
template <class C> struct back_insert_iterator {
    C* held;
    __host__ back_insert_iterator& operator*() { return *this; }
    __host__ back_insert_iterator& operator++() { return *this; }
    __host__ back_insert_iterator& operator++(int) { return *this; }
    template <class T> __host__ back_insert_iterator& operator=(const T& value) { held->push_back(value); return *this; }
};
template <class C> __host__ back_insert_iterator<C> back_inserter(C& into) { return back_insert_iterator<C>{&into}; }
template <class C> struct insert_iterator {
    C* held;
    __host__ insert_iterator& operator*() { return *this; }
    __host__ insert_iterator& operator++() { return *this; }
    template <class T> __host__ insert_iterator& operator=(const T& value) { held->insert(value); return *this; }
};
template <class C, class I> __host__ insert_iterator<C> inserter(C& into, I) { return insert_iterator<C>{&into}; }
template <class T> struct ostream_iterator {
    ostream* out;
    const char* between;
    __host__ ostream_iterator(ostream& stream, const char* text = "") : out(&stream), between(text) {}
    __host__ ostream_iterator& operator*() { return *this; }
    __host__ ostream_iterator& operator++() { return *this; }
    __host__ ostream_iterator& operator++(int) { return *this; }
    __host__ ostream_iterator& operator=(const T& value) { *out << value << between; return *this; }
};

template <class I, class T> __host__ void fill(I from, I to, const T& value) { for (; from != to; ++from) *from = value; }
template <class I, class T> __host__ T accumulate(I from, I to, T sum) { for (; from != to; ++from) sum = sum + *from; return sum; }
template <class I, class T, class F> __host__ T accumulate(I from, I to, T sum, F join) { for (; from != to; ++from) sum = join(sum, *from); return sum; }
template <class I, class O> __host__ O copy(I from, I to, O into) { for (; from != to; ++from, ++into) *into = *from; return into; }
template <class I, class T> __host__ void iota(I from, I to, T value) { for (; from != to; ++from, ++value) *from = value; }
template <class I, class F> __host__ void generate(I from, I to, F make) { for (; from != to; ++from) *from = make(); }
template <class I, class F> __host__ void for_each(I from, I to, F use) { for (; from != to; ++from) use(*from); }
template <class I, class O, class F> __host__ O transform(I from, I to, O into, F make) {
    for (; from != to; ++from, ++into) *into = make(*from);
    return into;
}
template <class I, class J, class O, class F> __host__ O transform(I from, I to, J with, O into, F make) {
    for (; from != to; ++from, ++with, ++into) *into = make(*from, *with);
    return into;
}
template <class I, class T> __host__ I find(I from, I to, const T& value) {
    I place = from;
    while (place != to && !(*place == value)) ++place;
    return place;
}
template <class I, class T> __host__ long count(I from, I to, const T& value) {
    long n = 0;
    for (; from != to; ++from) n += *from == value;
    return n;
}
template <class I, class F> __host__ I max_element(I from, I to, F before) {
    I best = from;
    for (I each = from; each != to; ++each) if (before(*best, *each)) best = each;
    return best;
}
template <class I, class F> __host__ I min_element(I from, I to, F before) {
    I best = from;
    for (I each = from; each != to; ++each) if (before(*each, *best)) best = each;
    return best;
}
template <class I> __host__ I max_element(I from, I to) { return max_element(from, to, less<>()); }
template <class I> __host__ I min_element(I from, I to) { return min_element(from, to, less<>()); }
template <class I, class F> __host__ pair<I, I> minmax_element(I from, I to, F before) {
    I least = from, most = from;
    for (I each = from; each != to; ++each) {
        if (before(*each, *least)) least = each;
        if (!before(*each, *most)) most = each;
    }
    return pair<I, I>(least, most);
}
template <class I> __host__ pair<I, I> minmax_element(I from, I to) { return minmax_element(from, to, less<>()); }
template <class I, class J> __host__ bool equal(I from, I to, J with) {
    bool same = true;
    for (; from != to && same; ++from, ++with) same = *from == *with;
    return same;
}
template <class T> __host__ void reverse(T* from, T* to) {
    for (; from < to; ++from) { --to; if (from < to) swap(*from, *to); }
}
template <class T, class F> __host__ void __sift(T* heap, long root, long size, F before) {
    for (long child = 2 * root + 1; child < size; child = 2 * root + 1) {
        if (child + 1 < size && before(heap[child], heap[child + 1])) child = child + 1;
        if (!before(heap[root], heap[child])) break;
        T kept = heap[root];
        heap[root] = heap[child];
        heap[child] = kept;
        root = child;
    }
}
// As the GNU library sorts, so that equal elements end up in the same order: parts of more than 16 around the median of three, then by insertion.
template <class T, class F> __host__ T* __median(T* a, T* b, T* c, F before) {
    if (before(*a, *b)) return before(*b, *c) ? b : before(*a, *c) ? c : a;
    return before(*a, *c) ? a : before(*b, *c) ? c : b;
}
template <class T, class F> __host__ T* __part(T* from, T* to, F before) {
    T* pivot = from;
    swap(*from, *__median(from + 1, from + (to - from) / 2, to - 1, before));
    for (from = from + 1; true; from = from + 1) {
        while (before(*from, *pivot)) from = from + 1;
        to = to - 1;
        while (before(*pivot, *to)) to = to - 1;
        if (!(from < to)) return from;
        swap(*from, *to);
    }
}
template <class T, class F> __host__ void __heap_sort(T* from, T* to, F before) {
    long size = to - from;
    for (long root = size / 2 - 1; root >= 0; --root) __sift(from, root, size, before);
    for (long end = size - 1; end > 0; --end) {
        T kept = from[0];
        from[0] = from[end];
        from[end] = kept;
        __sift(from, 0, end, before);
    }
}
template <class T, class F> __host__ void __insert_sorted(T* first, T* from, T* to, F before) {
    for (T* each = from; each < to; each = each + 1) {
        T kept(move(*each));
        T* place = each;
        while (place > first && before(kept, place[-1])) { *place = move(place[-1]); place = place - 1; }
        *place = move(kept);
    }
}
template <class T, class F> __host__ void sort(T* from, T* to, F before) {
    T* parts[128];
    int depths[64], open = 0;
    int depth = 0;
    for (long size = to - from; size > 1; size /= 2) depth += 2;
    T* first = from;
    T* last = to;
    while (true) {
        while (to - from > 16) {
            if (depth == 0) { __heap_sort(from, to, before); break; }
            depth = depth - 1;
            T* cut = __part(from, to, before);
            parts[2 * open] = cut;
            parts[2 * open + 1] = to;
            depths[open] = depth;
            open = open + 1;
            to = cut;
        }
        if (open == 0) break;
        open = open - 1;
        from = parts[2 * open];
        to = parts[2 * open + 1];
        depth = depths[open];
    }
    __insert_sorted(first, first + 1, last, before);
}
template <class T, class F> __host__ void stable_sort(T* from, T* to, F before) {
    size_t n = to - from;
    T* room = static_cast<T*>(__tilescope_kept(n * sizeof(T)));
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; ++i) {
                bool second = right < end && (left >= middle || before(from[right], from[left]));
                if (second) { memcpy(room + i, from + right, sizeof(T)); right = right + 1; }
                else { memcpy(room + i, from + left, sizeof(T)); left = left + 1; }
            }
        }
        memcpy(from, room, n * sizeof(T));
    }
    __tilescope_drop(room);
}
template <class T> __host__ void stable_sort(T* from, T* to) { stable_sort(from, to, less<T>()); }
template <class T> __host__ void sort(T* from, T* to) { sort(from, to, less<T>()); }

template <class I, class F> __host__ I find_if(I from, I to, F test) { while (from != to && !test(*from)) ++from; return from; }
template <class I, class F> __host__ I find_if_not(I from, I to, F test) { while (from != to && test(*from)) ++from; return from; }
template <class I, class F> __host__ bool any_of(I from, I to, F test) { return find_if(from, to, test) != to; }
template <class I, class F> __host__ bool none_of(I from, I to, F test) { return find_if(from, to, test) == to; }
template <class I, class F> __host__ bool all_of(I from, I to, F test) { return find_if_not(from, to, test) == to; }
template <class I, class F> __host__ long count_if(I from, I to, F test) { long n = 0; for (; from != to; ++from) if (test(*from)) ++n; return n; }
template <class I> __host__ I adjacent_find(I from, I to) {
    if (from == to) return to;
    I next = from;
    for (++next; next != to; ++next, ++from) if (*from == *next) return from;
    return to;
}
template <class I, class J, class F> __host__ bool equal(I from, I to, J with, F same) {
    for (; from != to; ++from, ++with) if (!same(*from, *with)) return false;
    return true;
}
template <class I, class J> __host__ pair<I, J> mismatch(I from, I to, J with) {
    while (from != to && *from == *with) { ++from; ++with; }
    return pair<I, J>(from, with);
}
template <class I, class J> __host__ bool lexicographical_compare(I from, I to, J other, J end) {
    for (; from != to && other != end; ++from, ++other) {
        if (*from < *other) return true;
        if (*other < *from) return false;
    }
    return from == to && other != end;
}
template <class I, class F> __host__ bool is_sorted(I from, I to, F before) {
    if (from == to) return true;
    I next = from;
    for (++next; next != to; ++next, ++from) if (before(*next, *from)) return false;
    return true;
}
template <class I> __host__ bool is_sorted(I from, I to) { return is_sorted(from, to, less<>()); }
template <class I, class N, class T> __host__ I fill_n(I from, N n, const T& value) { for (; n > 0; --n, ++from) *from = value; return from; }
template <class I, class N, class F> __host__ I generate_n(I from, N n, F make) { for (; n > 0; --n, ++from) *from = make(); return from; }
template <class I, class N, class O> __host__ O copy_n(I from, N n, O into) { for (; n > 0; --n, ++from, ++into) *into = *from; return into; }
template <class I, class O, class F> __host__ O copy_if(I from, I to, O into, F test) {
    for (; from != to; ++from) if (test(*from)) { *into = *from; ++into; }
    return into;
}
template <class T, class U> __host__ U* copy_backward(T* from, T* to, U* end) { while (to != from) *--end = *--to; return end; }
template <class I, class O> __host__ O move(I from, I to, O into) { for (; from != to; ++from, ++into) *into = move(*from); return into; }
template <class I, class J> __host__ J swap_ranges(I from, I to, J with) { for (; from != to; ++from, ++with) swap(*from, *with); return with; }
template <class I, class T> __host__ void replace(I from, I to, const T& old, const T& value) { for (; from != to; ++from) if (*from == old) *from = value; }
template <class I, class F, class T> __host__ void replace_if(I from, I to, F test, const T& value) { for (; from != to; ++from) if (test(*from)) *from = value; }
template <class I, class F> __host__ I remove_if(I from, I to, F test) {
    from = find_if(from, to, test);
    if (from == to) return to;
    I into = from;
    for (++from; from != to; ++from) if (!test(*from)) { *into = move(*from); ++into; }
    return into;
}
template <class I, class T> __host__ I remove(I from, I to, const T& value) {
    T wanted(value);
    return remove_if(from, to, [&wanted](const auto& each) { return each == wanted; });
}
template <class I, class O, class F> __host__ O remove_copy_if(I from, I to, O into, F test) {
    for (; from != to; ++from) if (!test(*from)) { *into = *from; ++into; }
    return into;
}
template <class I, class F> __host__ I unique(I from, I to, F same) {
    if (from == to) return to;
    I into = from;
    for (++from; from != to; ++from) if (!same(*into, *from)) { ++into; *into = move(*from); }
    return ++into;
}
template <class I> __host__ I unique(I from, I to) { return unique(from, to, [](const auto& a, const auto& b) { return a == b; }); }
template <class T, class O> __host__ O reverse_copy(T* from, T* to, O into) { while (to != from) { *into = *--to; ++into; } return into; }
template <class T> __host__ T* rotate(T* from, T* middle, T* to) {
    reverse(from, middle);
    reverse(middle, to);
    reverse(from, to);
    return from + (to - middle);
}
template <class T, class F> __host__ T* partition(T* from, T* to, F test) {
    while (true) {
        while (from != to && test(*from)) from = from + 1;
        if (from == to) return from;
        to = to - 1;
        while (from != to && !test(*to)) to = to - 1;
        if (from == to) return from;
        swap(*from, *to);
        from = from + 1;
    }
}
template <class T, class F> __host__ T* stable_partition(T* from, T* to, F test) {
    vector<T> rest;
    T* into = from;
    for (; from != to; from = from + 1) {
        if (test(*from)) { *into = move(*from); into = into + 1; }
        else rest.push_back(*from);
    }
    copy(rest.begin(), rest.end(), into);
    return into;
}
template <class T, class V, class F> __host__ T* lower_bound(T* from, T* to, const V& value, F before) {
    long size = to - from;
    while (size > 0) {
        long half = size / 2;
        if (before(from[half], value)) { from = from + half + 1; size = size - half - 1; }
        else size = half;
    }
    return from;
}
template <class T, class V, class F> __host__ T* upper_bound(T* from, T* to, const V& value, F before) {
    long size = to - from;
    while (size > 0) {
        long half = size / 2;
        if (before(value, from[half])) size = half;
        else { from = from + half + 1; size = size - half - 1; }
    }
    return from;
}
template <class T, class V> __host__ T* lower_bound(T* from, T* to, const V& value) { return lower_bound(from, to, value, less<>()); }
template <class T, class V> __host__ T* upper_bound(T* from, T* to, const V& value) { return upper_bound(from, to, value, less<>()); }
template <class T, class V> __host__ pair<T*, T*> equal_range(T* from, T* to, const V& value) {
    return pair<T*, T*>(lower_bound(from, to, value), upper_bound(from, to, value));
}
template <class T, class V, class F> __host__ bool binary_search(T* from, T* to, const V& value, F before) {
    T* found = lower_bound(from, to, value, before);
    return found != to && !before(value, *found);
}
template <class T, class V> __host__ bool binary_search(T* from, T* to, const V& value) { return binary_search(from, to, value, less<>()); }
template <class I, class J, class O, class F> __host__ O merge(I a, I a_end, J b, J b_end, O into, F before) {
    while (a != a_end && b != b_end) {
        if (before(*b, *a)) { *into = *b; ++b; }
        else { *into = *a; ++a; }
        ++into;
    }
    return copy(b, b_end, copy(a, a_end, into));
}
template <class I, class J, class O> __host__ O merge(I a, I a_end, J b, J b_end, O into) { return merge(a, a_end, b, b_end, into, less<>()); }
#define __TILESCOPE_SETS(name, left, right, both) \
    template <class I, class J, class O> __host__ O name(I a, I a_end, J b, J b_end, O into) { \
        while (a != a_end && b != b_end) { \
            if (*a < *b) { if (left) { *into = *a; ++into; } ++a; } \
            else if (*b < *a) { if (right) { *into = *b; ++into; } ++b; } \
            else { if (both) { *into = *a; ++into; } ++a; ++b; } \
        } \
        if (left) into = copy(a, a_end, into); \
        if (right) into = copy(b, b_end, into); \
        return into; \
    }
__TILESCOPE_SETS(set_intersection, false, false, true) __TILESCOPE_SETS(set_union, true, true, true)
__TILESCOPE_SETS(set_difference, true, false, false) __TILESCOPE_SETS(set_symmetric_difference, true, true, false)
#undef __TILESCOPE_SETS
template <class I, class J> __host__ bool includes(I a, I a_end, J b, J b_end) {
    while (a != a_end && b != b_end) {
        if (*b < *a) return false;
        if (!(*a < *b)) ++b;
        ++a;
    }
    return b == b_end;
}
template <class T, class F> __host__ bool next_permutation(T* from, T* to, F before) {
    if (to - from < 2) return false;
    for (T* each = to - 1; each != from; each = each - 1) {
        if (!before(each[-1], *each)) continue;
        T* other = to - 1;
        while (!before(each[-1], *other)) other = other - 1;
        swap(each[-1], *other);
        reverse(each, to);
        return true;
    }
    reverse(from, to);
    return false;
}
template <class T> __host__ bool next_permutation(T* from, T* to) { return next_permutation(from, to, less<>()); }
template <class T> __host__ bool prev_permutation(T* from, T* to) { return next_permutation(from, to, greater<>()); }
// A heap as the GNU library keeps it: equal elements leave it in the same order.
template <class T, class C> __host__ void __raise(T* heap, long hole, long top, const T& value, C before) {
    long parent = (hole - 1) / 2;
    while (hole > top && before(heap[parent], value)) {
        heap[hole] = heap[parent];
        hole = parent;
        parent = (hole - 1) / 2;
    }
    heap[hole] = value;
}
template <class T, class C> __host__ void __adjust(T* heap, long hole, long size, const T& value, C before) {
    long top = hole, child = hole;
    while (child < (size - 1) / 2) {
        child = 2 * (child + 1);
        if (before(heap[child], heap[child - 1])) child = child - 1;
        heap[hole] = heap[child];
        hole = child;
    }
    if (size % 2 == 0 && child == (size - 2) / 2) {
        child = 2 * (child + 1);
        heap[hole] = heap[child - 1];
        hole = child - 1;
    }
    __raise(heap, hole, top, value, before);
}
template <class T, class C> __host__ void push_heap(T* from, T* to, C before) { T kept(to[-1]); __raise(from, to - from - 1, 0, kept, before); }
template <class T, class C> __host__ void pop_heap(T* from, T* to, C before) {
    if (to - from < 2) return;
    T kept(to[-1]);
    to[-1] = from[0];
    __adjust(from, 0, to - from - 1, kept, before);
}
template <class T, class C> __host__ void make_heap(T* from, T* to, C before) {
    for (long each = (to - from - 2) / 2; to - from > 1 && each >= 0; --each) { T kept(from[each]); __adjust(from, each, to - from, kept, before); }
}
template <class T, class C> __host__ void sort_heap(T* from, T* to, C before) { for (; to - from > 1; to = to - 1) pop_heap(from, to, before); }
template <class T> __host__ void push_heap(T* from, T* to) { push_heap(from, to, less<>()); }
template <class T> __host__ void pop_heap(T* from, T* to) { pop_heap(from, to, less<>()); }
template <class T> __host__ void make_heap(T* from, T* to) { make_heap(from, to, less<>()); }
template <class T> __host__ void sort_heap(T* from, T* to) { sort_heap(from, to, less<>()); }
template <class T, class C> __host__ void __heap_select(T* from, T* middle, T* to, C before) {
    make_heap(from, middle, before);
    for (T* each = middle; each < to; each = each + 1) {
        if (!before(*each, *from)) continue;
        T kept(*each);
        *each = *from;
        __adjust(from, 0, middle - from, kept, before);
    }
}
template <class T, class C> __host__ void partial_sort(T* from, T* middle, T* to, C before) {
    __heap_select(from, middle, to, before);
    sort_heap(from, middle, before);
}
template <class T> __host__ void partial_sort(T* from, T* middle, T* to) { partial_sort(from, middle, to, less<>()); }
template <class T, class C> __host__ void nth_element(T* from, T* nth, T* to, C before) {
    if (from == to || nth == to) return;
    int depth = 0;
    for (long size = to - from; size > 1; size /= 2) depth += 2;
    while (to - from > 3) {
        if (depth == 0) {
            __heap_select(from, nth + 1, to, before);
            swap(*from, *nth);
            return;
        }
        depth = depth - 1;
        T* cut = __part(from, to, before);
        if (cut <= nth) from = cut;
        else to = cut;
    }
    __insert_sorted(from, from + 1, to, before);
}
template <class T> __host__ void nth_element(T* from, T* nth, T* to) { nth_element(from, nth, to, less<>()); }

template <class I, class O, class F> __host__ O partial_sum(I from, I to, O into, F join) {
    if (from == to) return into;
    __tilescope_bare<decltype(*from)> sum = *from;
    *into = sum;
    for (++from, ++into; from != to; ++from, ++into) { sum = join(sum, *from); *into = sum; }
    return into;
}
template <class I, class O> __host__ O partial_sum(I from, I to, O into) { return partial_sum(from, to, into, plus<>()); }
template <class I, class O> __host__ O inclusive_scan(I from, I to, O into) { return partial_sum(from, to, into, plus<>()); }
template <class I, class O, class T> __host__ O exclusive_scan(I from, I to, O into, T sum) {
    for (; from != to; ++from, ++into) { T before = sum; sum = sum + *from; *into = before; }
    return into;
}
template <class I, class O> __host__ O adjacent_difference(I from, I to, O into) {
    if (from == to) return into;
    __tilescope_bare<decltype(*from)> last = *from;
    *into = last;
    for (++from, ++into; from != to; ++from, ++into) { __tilescope_bare<decltype(*from)> now = *from; *into = now - last; last = now; }
    return into;
}
template <class I, class J, class T> __host__ T inner_product(I from, I to, J with, T sum) {
    for (; from != to; ++from, ++with) sum = sum + *from * *with;
    return sum;
}
template <class I, class J, class T, class F, class G> __host__ T inner_product(I from, I to, J with, T sum, F join, G make) {
    for (; from != to; ++from, ++with) sum = join(sum, make(*from, *with));
    return sum;
}
// Sums in the order of the GNU library: four elements at a time.
template <class T, class U, class F> __host__ T reduce(U* from, U* to, T sum, F join) {
    for (; to - from >= 4; from = from + 4) sum = join(sum, join(join(from[0], from[1]), join(from[2], from[3])));
    for (; from != to; from = from + 1) sum = join(sum, *from);
    return sum;
}
template <class T, class U> __host__ T reduce(U* from, U* to, T sum) { return reduce(from, to, sum, plus<>()); }
template <class U> __host__ U reduce(U* from, U* to) { return reduce(from, to, U(), plus<>()); }
template <class U> __host__ U reduce(const U* from, const U* to) { return reduce(from, to, U(), plus<>()); }
template <class T, class U, class F, class G> __host__ T transform_reduce(U* from, U* to, T sum, F join, G make) {
    for (; to - from >= 4; from = from + 4) sum = join(sum, join(join(make(from[0]), make(from[1])), join(make(from[2]), make(from[3]))));
    for (; from != to; from = from + 1) sum = join(sum, make(*from));
    return sum;
}
template <class T, class U, class V> __host__ T transform_reduce(U* from, U* to, V* with, T sum) { for (; from != to; ++from, ++with) sum = sum + *from * *with; return sum; }
template <class T> __host__ constexpr T __common_divisor(T a, T b) { while (b) { T rest = a % b; a = b; b = rest; } return a < 0 ? -a : a; }
template <class A, class B> __host__ constexpr auto gcd(A a, B b) { return __common_divisor<decltype(a + b)>(a, b); }
template <class A, class B> __host__ constexpr auto lcm(A a, B b) {
    decltype(a + b) left = a, right = b, found = left && right ? left / __common_divisor<decltype(a + b)>(a, b) * right : 0;
    return found < 0 ? -found : found;
}
template <class T> __host__ const T& clamp(const T& value, const T& low, const T& high) { return value < low ? low : high < value ? high : value; }
template <class T> __host__ T max(initializer_list<T> given) { return *max_element(given.begin(), given.end()); }
template <class T> __host__ T min(initializer_list<T> given) { return *min_element(given.begin(), given.end()); }
template <class T> __host__ const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __host__ const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T, class F> __host__ const T& max(const T& a, const T& b, F before) { return before(a, b) ? b : a; }
template <class T, class F> __host__ const T& min(const T& a, const T& b, F before) { return before(b, a) ? b : a; }
template <class T> __host__ pair<T, T> minmax(const T& a, const T& b) { return b < a ? pair<T, T>(b, a) : pair<T, T>(a, b); }
}
