// expect-error: inlay: an option is a bool, an integer, a double, a std::string, or a std::vector of integers or of std::string
#ifdef INLAY_COMPILES
#define NUMBER double
#else
#define NUMBER float
#endif

#include <cstdint>
#include <string_view>

#include <inlay/target/option.hpp>

struct a_target {
    static constexpr std::string_view kind = "a";
    NUMBER heat = 0;
    using options = inlay::option_list<inlay::option<"heat", &a_target::heat, "in degrees">>;
};
static_assert(a_target::options::size == 1);
