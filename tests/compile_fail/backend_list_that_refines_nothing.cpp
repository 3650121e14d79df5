// expect-error: inlay: a back end refines a target that there is not; let `refines` name llvm, c, cuda, ext_dev or a plain target of the
// list
#include "a_backend.hpp"

struct another : a_backend {
    static constexpr std::string_view kind = "another";
#ifndef INLAY_COMPILES
    static constexpr std::string_view refines = "lvm";
#endif
};

static_assert(inlay::backend_list<a_backend, another>::size == 2);
