// expect-error: inlay: a kind is named with letters, digits, '_', '.' and '-', and does not begin with '-'
#ifdef INLAY_COMPILES
#define NAME "a"
#else
#define NAME "a b"
#endif

#include <cstdint>
#include <string_view>

#include <inlay/target/target_schema.hpp>

struct a_target {
    static constexpr std::string_view kind = NAME;
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    int bytes = 0;
    using options = inlay::option_list<inlay::option<"bytes", &a_target::bytes, "of memory">>;
};
const inlay::target_schema schema = inlay::schema_of<a_target>();
