// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_SLICES_HPP
#define INLAY_BACKEND_ONEDNN_SLICES_HPP

#include <cstddef>
#include <utility>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/kernel_slices.hpp>
#include <inlay/backend/onednn/entry.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// The third part of a composite whose result is computed in slices. `Family` has what `onednn_entry` asks of one, and
/// `slices(plan, region, formats, threads)`: plans of parts of the result, empty where it cannot be cut; `Family::build` takes those.
template <class Family>
struct onednn_sliced_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        if (self.threads < 2) return error{"one thread has nothing to share out"};
        return onednn_entry<Family>{}.read(self, m);
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        using described = decltype(Family::describe(p, r, std::declval<const dnnl::engine&>(), std::declval<const border_formats&>()));
        return onednn_offered(
            1, [&] { return Family::proposals(p, r); },
            [&](const border_formats& b, const dnnl::engine& engine) -> described {
                const auto parts = Family::slices(p, r, b, self.threads);
                if (parts.size() < 2) return error{"the result is not cut in this layout"};
                return Family::describe(parts[0].view(), r, engine, b);
            });
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto b = chosen_formats(r, "oneDNN");
        if (!b) return b.failure();
        if (auto fine = check_offered(*b, formats(self, p, r), "oneDNN"); !fine) return fine.failure();
        return onednn_guarded("the region", [&]() -> outcome<kernel> {
            const onednn_thread_scope scope(1);
            kernel_slices all;
            for (const auto& slice : Family::slices(p, r, *b, self.threads)) {
                onednn_program program(1);
                const auto made = Family::describe(slice.view(), r, program.engine(), *b);
                if (!made) return made.failure();
                auto part = Family::build(slice.view(), *made, r, *b, std::move(program));
                if (!part) return part.failure();
                all.add(*std::move(part));
            }
            return kernel_slices::finish(std::move(all), static_cast<std::size_t>(self.threads));
        });
    }
};

}  // namespace inlay::detail

#endif
