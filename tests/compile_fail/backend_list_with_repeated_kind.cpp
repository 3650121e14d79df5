// expect-error: inlay: two back ends of one list have the same kind; give each a `kind` of its own
#include "a_backend.hpp"

struct another : a_backend {
#ifdef INLAY_COMPILES
    static constexpr std::string_view kind = "another";
#endif
};

static_assert(inlay::backend_list<a_backend, another>::size == 2);
