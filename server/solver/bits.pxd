# What C compilers and Linux offer beyond the language; the kernels do without when they run uncompiled.
cdef extern from *:
    """
    #if defined(__linux__)
    #include <stdint.h>
    #include <sys/mman.h>
    #endif
    /* Asks for pages of 2 MB: a table that is probed at random spends half its time on page walks otherwise. */
    static void wide_pages(void *start, unsigned long long size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        uintptr_t first = ((uintptr_t)start + 4095) & ~(uintptr_t)4095;
        uintptr_t last = ((uintptr_t)start + size) & ~(uintptr_t)4095;
        if (last > first) (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
    #else
        (void)start; (void)size;
    #endif
    }
    """
    int trailing_zeros "__builtin_ctzll"(unsigned long long) noexcept nogil
    int leading_zeros "__builtin_clzll"(unsigned long long) noexcept nogil
    int ones "__builtin_popcountll"(unsigned long long) noexcept nogil
    void prefetch "__builtin_prefetch"(const void *) noexcept nogil
    void wide_pages(void *, unsigned long long) noexcept nogil
