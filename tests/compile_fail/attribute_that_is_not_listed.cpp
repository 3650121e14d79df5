// expect-error: inlay: this member stands for no attribute; name it in the struct's `attributes`
#include "a_match.hpp"

struct my_conv {
    static constexpr std::string_view operators[] = {"onnx.Conv"};
    std::int64_t group = 1;
    std::int64_t forgotten = 0;
#ifdef INLAY_COMPILES
    using attributes =
        inlay::attribute_list<inlay::attribute_member<"group", &my_conv::group>, inlay::attribute_member<"forgotten", &my_conv::forgotten>>;
#else
    using attributes = inlay::attribute_list<inlay::attribute_member<"group", &my_conv::group>>;
#endif
};

std::int64_t asked(const a_match& m);
std::int64_t asked(const a_match& m) { return m.attr<"conv", &my_conv::forgotten>(); }
