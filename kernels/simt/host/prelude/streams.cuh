
// Streams that are read, and those of strings. A stream is a number: 0 standard input, from 16 on those of strings.

__host__ int __tilescope_open(const char*, size_t);
__host__ void __tilescope_close(int);
__host__ bool __tilescope_read_integer(int, long long*, int, bool);
__host__ bool __tilescope_read_double(int, double*);
__host__ int __tilescope_read_char(int, int);
__host__ long __tilescope_read_text(int, int);
__host__ void __tilescope_taken(char*);
__host__ bool __tilescope_at_end(int);
__host__ long __tilescope_all(int);

__host__ long __tilescope_read_bytes(int, char*, long);

namespace std {
struct streambuf { int source; };
struct istream {
    int source, state;
    __host__ streambuf* rdbuf() { return reinterpret_cast<streambuf*>(this); }
    __host__ istream(int number = 0) : source(number), state(0) {}
    __host__ explicit operator bool() const { return (state & 2) == 0; }
    __host__ bool operator!() const { return (state & 2) != 0; }
    __host__ bool good() const { return state == 0; }
    __host__ bool fail() const { return (state & 2) != 0; }
    __host__ bool bad() const { return false; }
    __host__ bool eof() const { return (state & 1) != 0; }
    __host__ void clear() { state = 0; }
    __host__ istream& after(bool found) {
        state |= (__tilescope_at_end(source) ? 1 : 0) | (found ? 0 : 2);
        return *this;
    }
    __host__ istream& operator>>(double& v) { return after(state == 0 && __tilescope_read_double(source, &v)); }
    __host__ istream& operator>>(float& v) {
        double read = 0;
        bool found = state == 0 && __tilescope_read_double(source, &read);
        if (found) v = static_cast<float>(read);
        return after(found);
    }
#define __TILESCOPE_READ(type) \
    __host__ istream& operator>>(type& v) { \
        long long read = 0; \
        bool found = state == 0 && __tilescope_read_integer(source, &read, sizeof(type), static_cast<type>(-1) < static_cast<type>(0)); \
        if (state == 0) v = static_cast<type>(read); \
        return after(found); \
    }
    __TILESCOPE_READ(short) __TILESCOPE_READ(unsigned short) __TILESCOPE_READ(int) __TILESCOPE_READ(unsigned) __TILESCOPE_READ(long)
    __TILESCOPE_READ(unsigned long) __TILESCOPE_READ(long long) __TILESCOPE_READ(unsigned long long)
#undef __TILESCOPE_READ
    __host__ istream& operator>>(char& v) {
        int read = state == 0 ? __tilescope_read_char(source, 1) : -1;
        if (read >= 0) { v = static_cast<char>(read); return *this; }
        state |= 3;
        return *this;
    }
    __host__ istream& operator>>(string& v) {
        long size = state == 0 ? __tilescope_read_text(source, -1) : -1;
        if (size >= 0) { v.resize(size); __tilescope_taken(v.data()); }
        return after(size >= 0);
    }
    __host__ int get() {
        int read = state == 0 ? __tilescope_read_char(source, 0) : -1;
        if (read < 0) state |= 3;
        return read;
    }
    __host__ istream& getline(char* text, long room, char end = 10) {
        long n = 0;
        for (int read = 0; n + 1 < room && (read = get()) >= 0 && read != static_cast<unsigned char>(end);) text[n++] = static_cast<char>(read);
        if (n + 1 == room && peek() == static_cast<unsigned char>(end)) get();
        else if (n + 1 == room && !eof()) state |= 2;
        if (n > 0 && eof()) state = 1;
        text[n] = 0;
        return *this;
    }
    __host__ istream& get(char& v) { int read = get(); if (read >= 0) v = static_cast<char>(read); return *this; }
    __host__ int peek() { return state == 0 ? __tilescope_read_char(source, 2) : -1; }
    __host__ istream& ignore(long n = 1, int end = -1) {
        for (long i = 0; i < n; ++i) {
            int read = __tilescope_read_char(source, 0);
            if (read < 0) { state |= 1; break; }
            if (read == end) break;
        }
        return *this;
    }
};
inline __host__ istream& getline(istream& in, string& line, char end = 10) {
    long size = in.state == 0 ? __tilescope_read_text(in.source, static_cast<unsigned char>(end)) : -1;
    if (size < 0) { in.state |= 3; line.clear(); return in; }
    if (size & 1) in.state |= 1;
    line.resize(size / 2);
    __tilescope_taken(line.data());
    return in;
}
inline istream cin{0};
// All that is left of a stream that is read.
inline __host__ ostream& operator<<(ostream& out, streambuf* from) {
    char part[1024];
    for (long n; (n = __tilescope_read_bytes(from->source, part, 1024)) > 0;) __tilescope_write_text(out.number, part, n);
    return out;
}
template <class C> struct istreambuf_iterator {
    int source;
    typedef C value_type;
    __host__ istreambuf_iterator() : source(-1) {}
    __host__ istreambuf_iterator(istream& in) : source(in.source) {}
    __host__ istreambuf_iterator(streambuf* from) : source(from->source) {}
    __host__ bool ended() const { return source < 0 || __tilescope_read_char(source, 2) < 0; }
    __host__ C operator*() const { return static_cast<C>(__tilescope_read_char(source, 2)); }
    __host__ istreambuf_iterator& operator++() { __tilescope_read_char(source, 0); return *this; }
    struct __taken { C held; __host__ C operator*() const { return held; } };
    __host__ __taken operator++(int) { return __taken{static_cast<C>(__tilescope_read_char(source, 0))}; }
    __host__ bool operator!=(const istreambuf_iterator& other) const { return ended() != other.ended(); }
    __host__ bool operator==(const istreambuf_iterator& other) const { return ended() == other.ended(); }
};
template <class T> struct istream_iterator {
    istream* in;
    T value;
    typedef T value_type;
    __host__ istream_iterator() : in(0), value() {}
    __host__ istream_iterator(istream& from) : in(&from), value() { ++*this; }
    __host__ const T& operator*() const { return value; }
    __host__ const T* operator->() const { return &value; }
    __host__ istream_iterator& operator++() { if (!(*in >> value)) in = 0; return *this; }
    __host__ istream_iterator operator++(int) { istream_iterator old = *this; ++*this; return old; }
    __host__ bool operator!=(const istream_iterator& other) const { return in != other.in; }
    __host__ bool operator==(const istream_iterator& other) const { return in == other.in; }
};
#define __TILESCOPE_HELD(number) \
    __host__ string str() const { \
        long size = __tilescope_all(number); \
        string text; \
        text.resize(size); \
        __tilescope_taken(text.data()); \
        return text; \
    }
struct ostringstream : ostream {
    __host__ ostringstream() { number = __tilescope_open("", 0); }
    ostringstream(const ostringstream&) = delete;
    __host__ ~ostringstream() { __tilescope_close(number); }
    __host__ void str(const string& text) { int old = number; number = __tilescope_open(text.c_str(), text.size()); __tilescope_close(old); }
    __host__ void clear() {}
    __TILESCOPE_HELD(number)
};
struct istringstream : istream {
    __host__ istringstream() { source = __tilescope_open("", 0); }
    __host__ explicit istringstream(const string& text) { source = __tilescope_open(text.c_str(), text.size()); }
    istringstream(const istringstream&) = delete;
    __host__ ~istringstream() { __tilescope_close(source); }
    __host__ void str(const string& text) { __tilescope_close(source); source = __tilescope_open(text.c_str(), text.size()); }
    __TILESCOPE_HELD(source)
};
struct stringstream : istream, ostream {
    __host__ stringstream() { use(__tilescope_open("", 0)); }
    __host__ explicit stringstream(const string& text) { use(__tilescope_open(text.c_str(), text.size())); }
    stringstream(const stringstream&) = delete;
    __host__ ~stringstream() { __tilescope_close(source); }
    __host__ void str(const string& text) { __tilescope_close(source); use(__tilescope_open(text.c_str(), text.size())); }
    __TILESCOPE_HELD(source)
private:
    __host__ void use(int made) { source = made; number = made; }
};
#undef __TILESCOPE_HELD
}
