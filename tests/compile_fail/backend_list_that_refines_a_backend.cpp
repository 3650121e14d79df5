// expect-error: inlay: a back end refines another back end; let `refines` name the plain target that both stand on
#include "a_backend.hpp"

struct another : a_backend {
    static constexpr std::string_view kind = "another";
#ifndef INLAY_COMPILES
    static constexpr std::string_view refines = "a";
#endif
};

static_assert(inlay::backend_list<another, a_backend>::size == 2);
