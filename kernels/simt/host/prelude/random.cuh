
// Generators and distributions with the sequences of the GNU library.

namespace std {
struct mt19937 {
    unsigned words[624];
    unsigned place;
    typedef unsigned long result_type;
    static constexpr unsigned default_seed = 5489u;
    static constexpr __host__ unsigned long min() { return 0; }
    static constexpr __host__ unsigned long max() { return 4294967295ul; }
    __host__ mt19937(unsigned value = 5489u) { seed(value); }
    __host__ void seed(unsigned value = 5489u) {
        words[0] = value;
        for (unsigned i = 1; i < 624; ++i) words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
        place = 624;
    }
    __host__ void discard(unsigned long n) { for (; n > 0; --n) (*this)(); }
    __host__ unsigned long operator()() {
        if (place >= 624) {
            for (int i = 0; i < 624; ++i) {
                unsigned y = (words[i] & 0x80000000u) | (words[(i + 1) % 624] & 0x7fffffffu);
                words[i] = words[(i + 397) % 624] ^ (y >> 1) ^ (y & 1u ? 0x9908b0dfu : 0u);
            }
            place = 0;
        }
        unsigned y = words[place];
        place = place + 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }
};
struct mt19937_64 {
    unsigned long words[312];
    unsigned place;
    typedef unsigned long result_type;
    static constexpr __host__ unsigned long min() { return 0; }
    static constexpr __host__ unsigned long max() { return ~0ul; }
    __host__ mt19937_64(unsigned long value = 5489ul) { seed(value); }
    __host__ void seed(unsigned long value = 5489ul) {
        words[0] = value;
        for (unsigned i = 1; i < 312; ++i) words[i] = 6364136223846793005ul * (words[i - 1] ^ (words[i - 1] >> 62)) + i;
        place = 312;
    }
    __host__ unsigned long operator()() {
        if (place >= 312) {
            for (int i = 0; i < 312; ++i) {
                unsigned long y = (words[i] & 0xffffffff80000000ul) | (words[(i + 1) % 312] & 0x7ffffffful);
                words[i] = words[(i + 156) % 312] ^ (y >> 1) ^ (y & 1ul ? 0xb5026f5aa96619e9ul : 0ul);
            }
            place = 0;
        }
        unsigned long y = words[place];
        place = place + 1;
        y ^= (y >> 29) & 0x5555555555555555ul;
        y ^= (y << 17) & 0x71d67fffeda60000ul;
        y ^= (y << 37) & 0xfff7eee000000000ul;
        return y ^ (y >> 43);
    }
};
template <unsigned long A> struct __minimal_standard {
    unsigned long last;
    typedef unsigned long result_type;
    static constexpr __host__ unsigned long min() { return 1; }
    static constexpr __host__ unsigned long max() { return 2147483646ul; }
    __host__ __minimal_standard(unsigned long value = 1) { seed(value); }
    __host__ void seed(unsigned long value = 1) { last = value % 2147483647ul ? value % 2147483647ul : 1; }
    __host__ unsigned long operator()() { last = last * A % 2147483647ul; return last; }
};
typedef __minimal_standard<48271> minstd_rand;
typedef __minimal_standard<16807> minstd_rand0;
typedef minstd_rand0 default_random_engine;
struct random_device {
    typedef unsigned result_type;
    unsigned place;
    __host__ random_device() : place(0) {}
    static constexpr __host__ unsigned min() { return 0; }
    static constexpr __host__ unsigned max() { return ~0u; }
    __host__ unsigned operator()() { place += 1; return static_cast<unsigned>(__tilescope_nanoseconds()) * 2654435761u + place * 40503u; }
};
template <class T, class G> __host__ T __canonical(G& generator) {
    unsigned long range = G::max() - G::min();
    T sum, size;
    if (range == ~0ul) {
        sum = static_cast<T>(generator());
        size = static_cast<T>(0x1p64);
    } else {
        size = static_cast<T>(static_cast<double>(range) + 1.0);
        sum = static_cast<T>(generator() - G::min());
        if (sizeof(T) == 8) {
            sum += static_cast<T>(generator() - G::min()) * size;
            size = size * size;
        }
    }
    T found = sum / size;
    if (found >= T(1)) found = sizeof(T) == 4 ? T(0x1.fffffep-1f) : T(0x1.fffffffffffffp-1);
    return found;
}
template <class T = double> struct uniform_real_distribution {
    T low, high;
    typedef T result_type;
    __host__ uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
    __host__ T a() const { return low; }
    __host__ T b() const { return high; }
    __host__ void reset() {}
    template <class G> __host__ T operator()(G& generator) { return __canonical<T>(generator) * (high - low) + low; }
};
__host__ inline unsigned long __upper_product(unsigned long a, unsigned long b) {
    unsigned long low = (a & 0xfffffffful) * (b & 0xfffffffful), left = (a >> 32) * (b & 0xfffffffful), right = (a & 0xfffffffful) * (b >> 32);
    unsigned long middle = (low >> 32) + (left & 0xfffffffful) + (right & 0xfffffffful);
    return (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32);
}
template <class G> __host__ unsigned long __below(G& generator, unsigned long range) {
    unsigned long all = G::max() - G::min();
    if (all == 4294967295ul) {
        unsigned long product = generator() * range;
        unsigned rest = static_cast<unsigned>(product);
        if (rest < range) {
            unsigned least = static_cast<unsigned>(-static_cast<unsigned>(range)) % static_cast<unsigned>(range);
            while (rest < least) {
                product = generator() * range;
                rest = static_cast<unsigned>(product);
            }
        }
        return product >> 32;
    }
    if (all == ~0ul) {
        unsigned long drawn = generator(), rest = drawn * range;
        if (rest < range) {
            unsigned long least = -range % range;
            while (rest < least) { drawn = generator(); rest = drawn * range; }
        }
        return __upper_product(drawn, range);
    }
    unsigned long part = all / range, drawn;
    do drawn = generator() - G::min();
    while (drawn >= range * part);
    return drawn / part;
}
template <class T = int> struct uniform_int_distribution {
    T low, high;
    typedef T result_type;
    __host__ uniform_int_distribution(T a = 0, T b = numeric_limits<T>::max()) : low(a), high(b) {}
    __host__ T a() const { return low; }
    __host__ T b() const { return high; }
    __host__ void reset() {}
    template <class G> __host__ T operator()(G& generator) {
        unsigned long range = static_cast<unsigned long>(high) - static_cast<unsigned long>(low), all = G::max() - G::min(), found;
        if (range < all) found = __below(generator, range + 1);
        else if (range == all) found = generator() - G::min();
        else {
            unsigned long above;
            do {
                above = (all + 1) * __below(generator, range / (all + 1) + 1);
                found = above + (generator() - G::min());
            } while (found > range || found < above);
        }
        return static_cast<T>(static_cast<unsigned long>(low) + found);
    }
};
template <class T = double> struct normal_distribution {
    T middle, width, saved;
    bool has;
    typedef T result_type;
    __host__ normal_distribution(T mean = 0, T deviation = 1) : middle(mean), width(deviation), saved(0), has(false) {}
    __host__ T mean() const { return middle; }
    __host__ T stddev() const { return width; }
    __host__ void reset() { has = false; }
    template <class G> __host__ T operator()(G& generator) {
        if (has) {
            has = false;
            return saved * width + middle;
        }
        T x, y, square;
        do {
            x = T(2) * __canonical<T>(generator) - T(1);
            y = T(2) * __canonical<T>(generator) - T(1);
            square = x * x + y * y;
        } while (square > T(1) || square == T(0));
        T factor = std::sqrt(T(-2) * std::log(square) / square);
        saved = x * factor;
        has = true;
        return y * factor * width + middle;
    }
};
struct bernoulli_distribution {
    double chance;
    typedef bool result_type;
    __host__ explicit bernoulli_distribution(double p = 0.5) : chance(p) {}
    template <class G> __host__ bool operator()(G& generator) { return __canonical<double>(generator) < chance; }
};
template <class T = double> struct exponential_distribution {
    T rate;
    typedef T result_type;
    __host__ explicit exponential_distribution(T lambda = 1) : rate(lambda) {}
    template <class G> __host__ T operator()(G& generator) { return -std::log(T(1) - __canonical<T>(generator)) / rate; }
};
template <class T, class G> __host__ void shuffle(T* from, T* to, G&& generator) {
    typedef __tilescope_bare<G> Engine;
    unsigned long size = to - from, all = Engine::max() - Engine::min();
    if (from == to) return;
    T* each = from + 1;
    if (all / size < size) {
        for (; each != to; each = each + 1) {
            uniform_int_distribution<unsigned long> place(0, each - from);
            swap(*each, from[place(generator)]);
        }
        return;
    }
    if (size % 2 == 0) {
        uniform_int_distribution<unsigned long> place(0, 1);
        swap(*each, from[place(generator)]);
        each = each + 1;
    }
    while (each != to) {
        unsigned long range = (each - from) + 1;
        uniform_int_distribution<unsigned long> places(0, range * (range + 1) - 1);
        unsigned long both = places(generator);
        swap(*each, from[both / (range + 1)]);
        each = each + 1;
        swap(*each, from[both % (range + 1)]);
        each = each + 1;
    }
}
}
