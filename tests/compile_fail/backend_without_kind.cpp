// expect-error: inlay: a back end names itself with `static constexpr std::string_view kind`
#ifndef INLAY_COMPILES
#define LACKS_KIND
#endif
#include "a_backend.hpp"

static_assert(inlay::backend_list<a_backend>::size == 1);
