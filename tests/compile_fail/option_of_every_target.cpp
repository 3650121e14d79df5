// expect-error: inlay: 'keys', 'tag', 'host', 'compiler' and 'kind' mean the same for every target; give the option another name
#ifdef INLAY_COMPILES
#define NAME "bytes"
#else
#define NAME "tag"
#endif

#include <cstdint>
#include <string_view>

#include <inlay/target/target_schema.hpp>

struct a_target {
    static constexpr std::string_view kind = "a";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    int bytes = 0;
    using options = inlay::option_list<inlay::option<NAME, &a_target::bytes, "of memory">>;
};
const inlay::target_schema schema = inlay::schema_of<a_target>();
