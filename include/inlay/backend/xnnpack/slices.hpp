// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_SLICES_HPP
#define INLAY_BACKEND_XNNPACK_SLICES_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/xnnpack/entry.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// How many multiplications, or elements read, make a slice: below, handing it over takes longer than it saves.
inline constexpr std::int64_t xnnpack_worth_sharing = std::int64_t{1} << 17;

/// Whether so many slices may each pack weights of so many numbers for itself: the library shares none between operators. Larger ones are
/// cut with the outputs, so that each slice packs its own part.
[[nodiscard]] constexpr bool xnnpack_may_copy(std::size_t slices, std::size_t numbers) {
    constexpr std::size_t most_bytes = std::size_t{1} << 20;
    return slices * numbers * sizeof(float) <= most_bytes;
}

/// The third part of a composite whose result is computed in slices, operators without the library's threads that the run's executor
/// shares out. `Family` has what `xnnpack_entry` asks of one, and `slices(plan, threads)`: plans of parts of the result, none where it
/// cannot be cut; `Family::build` takes those.
template <class Family>
struct xnnpack_sliced_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        if (self.threads < 2) return error{"one thread has nothing to share out"};
        auto p = Family::read(m.region());
        if (p && Family::slices(*p, self.threads).size() < 2) return error{"the work is too little to be shared out in slices"};
        return p;
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B&, const plan& p, const region_view& r) const {
        return Family::formats(p, r);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto b = xnnpack_borders<Family>(self, p, r);
        if (!b) return b.failure();
        kernel_slices all;
        for (const plan& part : Family::slices(p, self.threads)) {
            xnnpack_program program(nullptr, false);
            if (auto built = Family::build(part, r, *b, program); !built) return built.failure();
            all.add(xnnpack_program::finish(std::move(program)));
        }
        return kernel_slices::finish(std::move(all), static_cast<std::size_t>(self.threads));
    }
};

}  // namespace inlay::detail

#endif
