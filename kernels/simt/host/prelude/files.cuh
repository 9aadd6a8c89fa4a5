
// Files beside the program, which are only read.

__host__ int __tilescope_open_file(const char*, bool);
__host__ long __tilescope_seek(int, long, int);

namespace std {
typedef long streamoff;
typedef long streampos;
struct ifstream : istream {
    __host__ ifstream() : istream(-1), taken(0) {}
    __host__ explicit ifstream(const char* name, int mode = 1) : istream(-1), taken(0) { open(name, mode); }
    __host__ explicit ifstream(const string& name, int mode = 1) : istream(-1), taken(0) { open(name.c_str(), mode); }
    ifstream(const ifstream&) = delete;
    __host__ ~ifstream() { if (source >= 0) __tilescope_close(source); }
    __host__ void open(const char* name, int mode = 1) {
        if (source >= 0) { state |= 2; return; }
        source = __tilescope_open_file(name, (mode & (ios::out | ios::app | ios::trunc)) != 0);
        state = source < 0 ? 2 : 0;
        if (source >= 0 && (mode & ios::ate)) __tilescope_seek(source, 0, ios::end);
    }
    __host__ void open(const string& name, int mode = 1) { open(name.c_str(), mode); }
    __host__ bool is_open() const { return source >= 0; }
    __host__ void close() {
        if (source < 0) { state |= 2; return; }
        __tilescope_close(source);
        source = -1;
    }
    __host__ ifstream& read(char* into, long n) {
        taken = state == 0 ? __tilescope_read_bytes(source, into, n) : 0;
        if (taken < n) state |= state == 0 ? 3 : 2;
        return *this;
    }
    __host__ long gcount() const { return taken; }
    __host__ ifstream& seekg(long to) { return seekg(to, ios::beg); }
    __host__ ifstream& seekg(long by, int whence) {
        state &= ~1;
        if (state == 0 && __tilescope_seek(source, by, whence) < 0) state |= 2;
        return *this;
    }
    __host__ long tellg() const { return state & 2 ? -1 : __tilescope_seek(source, 0, ios::cur); }
private:
    long taken;
};
// Refused in words where they are opened.
struct ofstream : ostream {
    __host__ ofstream() { number = 2; }
    __host__ explicit ofstream(const char* name, int = 2) { open(name); }
    __host__ explicit ofstream(const string& name, int = 2) { open(name); }
    ofstream(const ofstream&) = delete;
    __host__ void open(const char* name, int = 2) { number = 2; __tilescope_open_file(name, true); }
    __host__ void open(const string& name, int = 2) { open(name.c_str()); }
    __host__ bool is_open() const { return false; }
    __host__ bool operator!() const { return true; }
    __host__ void close() {}
};
struct fstream : ofstream {
    __host__ fstream() {}
    __host__ explicit fstream(const char* name, int = 3) { open(name); }
    __host__ explicit fstream(const string& name, int = 3) { open(name); }
};
}
