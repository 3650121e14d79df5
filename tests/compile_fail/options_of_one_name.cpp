// expect-error: inlay: two options of one target have the same name; give each a name of its own
#ifdef INLAY_COMPILES
#define NAME "words"
#else
#define NAME "bytes"
#endif

#include <cstdint>
#include <string_view>

#include <inlay/target/option.hpp>

struct a_target {
    static constexpr std::string_view kind = "a";
    int bytes = 0, words = 0;
    using options =
        inlay::option_list<inlay::option<"bytes", &a_target::bytes, "of memory">, inlay::option<NAME, &a_target::words, "of memory">>;
};
static_assert(a_target::options::size == 2);
