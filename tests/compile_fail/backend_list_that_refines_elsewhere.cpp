// expect-error: inlay: a back end refines a plain target of another device type; let `refines` name one of its own `device`
#include "a_backend.hpp"

struct another : a_backend {
    static constexpr std::string_view kind = "another";
    static constexpr inlay::device_type device = inlay::device_type::cuda;
#ifdef INLAY_COMPILES
    static constexpr std::string_view refines = "cuda";
#endif
};

static_assert(inlay::backend_list<a_backend, another>::size == 2);
