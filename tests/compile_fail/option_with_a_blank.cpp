// expect-error: inlay: an option's name has letters, digits, '_', '.' and '-', and does not begin with '-'
#ifdef INLAY_COMPILES
#define NAME "bytes"
#else
#define NAME "of bytes"
#endif

#include <cstdint>
#include <string_view>

#include <inlay/target/option.hpp>

struct a_target {
    static constexpr std::string_view kind = "a";
    int bytes = 0;
    using options = inlay::option_list<inlay::option<NAME, &a_target::bytes, "of memory">>;
};
static_assert(a_target::options::size == 1);
