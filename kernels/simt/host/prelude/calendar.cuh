
// The calendar of C: a time as date and hour, as text, and back.

struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
inline tm __tilescope_tm{};
inline char __tilescope_date[64] = {};
__host__ void __tilescope_calendar(time_t, tm*, bool);
__host__ size_t strftime(char*, size_t, const char*, const tm*);
__host__ time_t mktime(tm*);
__host__ time_t timegm(tm*);
inline __host__ tm* gmtime_r(const time_t* t, tm* into) { __tilescope_calendar(*t, into, false); return into; }
inline __host__ tm* localtime_r(const time_t* t, tm* into) { __tilescope_calendar(*t, into, true); return into; }
inline __host__ tm* gmtime(const time_t* t) { return gmtime_r(t, &__tilescope_tm); }
inline __host__ tm* localtime(const time_t* t) { return localtime_r(t, &__tilescope_tm); }
inline __host__ char* asctime_r(const tm* t, char* text) { strftime(text, 64, "%a %b %e %H:%M:%S %Y\n", t); return text; }
inline __host__ char* asctime(const tm* t) { return asctime_r(t, __tilescope_date); }
inline __host__ char* ctime(const time_t* t) { return asctime(localtime(t)); }
inline __host__ char* ctime_r(const time_t* t, char* text) { tm kept; return asctime_r(localtime_r(t, &kept), text); }
inline __host__ double difftime(time_t a, time_t b) { return static_cast<double>(a - b); }

namespace std {
using ::tm; using ::strftime; using ::mktime; using ::gmtime; using ::localtime; using ::asctime; using ::ctime; using ::difftime;
struct __date { const tm* time; const char* format; };
inline __host__ __date put_time(const tm* t, const char* format) { return __date{t, format}; }
inline __host__ ostream& operator<<(ostream& out, __date d) {
    char text[256];
    strftime(text, 256, d.format, d.time);
    return out << text;
}
}
