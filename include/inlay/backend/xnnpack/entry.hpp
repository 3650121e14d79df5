// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_ENTRY_HPP
#define INLAY_BACKEND_XNNPACK_ENTRY_HPP

#include <utility>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// The formats that were chosen for a region. Error: the back end is not usable, or they are none of those that a family offers.
template <class Family, class B>
[[nodiscard]] outcome<border_formats> xnnpack_borders(const B& self, const typename Family::plan& p, const region_view& r) {
    auto b = chosen_formats(r, "XNNPACK");
    if (!b) return b;
    if (auto ready = self.usable(); !ready) return ready.failure();
    if (auto fine = check_offered(*b, Family::formats(p, r), "XNNPACK"); !fine) return fine.failure();
    return b;
}

/// A family of operators as the third part of composites. A family has a `plan`, `read(region)`, `formats(plan, region)`, the tuples that
/// the library takes without a conversion of ours, and `build(plan, region, formats, program)`.
template <class Family>
struct xnnpack_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return Family::read(m.region());
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B&, const plan& p, const region_view& r) const {
        return Family::formats(p, r);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto b = xnnpack_borders<Family>(self, p, r);
        if (!b) return b.failure();
        auto program = self.program();
        if (!program) return program.failure();
        if (auto built = Family::build(p, r, *b, *program); !built) return built.failure();
        return xnnpack_program::finish(*std::move(program));
    }
};

}  // namespace inlay::detail

#endif
