// expect-error: inlay: a back end whose device has memory of its own lists it with `std::vector<owned_memory> memories() const`
#include "a_backend.hpp"

struct apart : a_backend {
    std::vector<inlay::owned_memory> memories() const { return {}; }
    inlay::outcome<inlay::device_block> allocate(inlay::memory_scope, std::size_t) const { return inlay::error{"it has none"}; }
    std::optional<double> copy_seconds(inlay::memory_scope, inlay::memory_scope, std::size_t) const { return std::nullopt; }
#ifdef INLAY_COMPILES
    inlay::outcome<inlay::kernel> emit_copy(inlay::memory_scope, inlay::memory_scope, std::size_t) const {
        return inlay::error{"it has none"};
    }
#endif
};

static_assert(inlay::backend_list<apart>::size == 1);
