# What C compilers offer for one machine instruction each; the kernels have Python twins for when they run uncompiled.
cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(unsigned long long) noexcept nogil
    int leading_zeros "__builtin_clzll"(unsigned long long) noexcept nogil
    int ones "__builtin_popcountll"(unsigned long long) noexcept nogil
