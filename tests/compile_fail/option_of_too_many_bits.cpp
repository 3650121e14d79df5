// expect-error: inlay: an option's integers fit into 64 bits with a sign; take std::int64_t for std::uint64_t
#ifdef INLAY_COMPILES
#define NUMBER std::uint32_t
#else
#define NUMBER std::uint64_t
#endif

#include <cstdint>
#include <string_view>

#include <inlay/target/option.hpp>

struct a_target {
    static constexpr std::string_view kind = "a";
    NUMBER bytes = 0;
    using options = inlay::option_list<inlay::option<"bytes", &a_target::bytes, "of memory">>;
};
static_assert(a_target::options::size == 1);
