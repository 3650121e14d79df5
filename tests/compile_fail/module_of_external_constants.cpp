// expect-error: inlay: a back end that emits together binds its constants to its kernels; say constants_policy::lift or embed, or leave
// out `emit_together`
#define LACKS_EMIT
#include "a_backend.hpp"

#include <inlay/codegen/emit/emit_together.hpp>

struct in_modules : a_backend {
#ifndef INLAY_COMPILES
    static constexpr inlay::constants_policy constants = inlay::constants_policy::external;
#endif
    using nest = int;
    [[nodiscard]] inlay::outcome<nest> lower(const inlay::region_view&) const { return 1; }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const nest&) const { return inlay::error{"it emits nothing"}; }
    [[nodiscard]] inlay::outcome<std::vector<inlay::kernel>> emit_together(std::span<const nest>) const {
        return inlay::error{"it emits nothing"};
    }
};

inline auto code_of(const in_modules& self, std::span<const inlay::region_view> regions) { return inlay::emit_regions(self, regions); }
