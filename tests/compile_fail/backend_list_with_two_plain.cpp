// expect-error: inlay: two plain targets of one list have the same device type, which has one; let the other name it with `refines`, or
// leave it out
#include "a_backend.hpp"

struct plain : a_backend {
    static constexpr std::string_view kind = "plain", refines = "";
};
struct another : a_backend {
    static constexpr std::string_view kind = "another";
#ifndef INLAY_COMPILES
    static constexpr std::string_view refines = "";
#endif
};

static_assert(inlay::backend_list<plain, another>::size == 2);
