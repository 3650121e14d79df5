// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_SLICES_HPP
#define INLAY_BACKEND_ONEDNN_SLICES_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/onednn/entry.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// Primitives of one thread each that make up one result, shared out over the executor of the run: unlike the library's own threads they
/// wait for nobody who does not run. The state of a kernel.
class onednn_slices {
public:
    /// Adds a kernel; its workspace stands behind those of the others.
    void add(kernel part) {
        at_.push_back(workspace_);
        workspace_ += (part.workspace_bytes + 63) / 64 * 64;
        if (note_.find(part.note) == std::string::npos) note_ += (note_.empty() ? "" : ", ") + part.note;
        parts_.push_back(std::move(part));
    }
    [[nodiscard]] static kernel finish(onednn_slices slices, std::size_t threads) {
        const std::size_t workspace = slices.workspace_;
        std::string note = std::to_string(slices.parts_.size()) + " slices of " + slices.note_;
        kernel made(std::move(slices), workspace);
        made.note = std::move(note);
        return with_thread_limit(std::move(made), threads);
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        std::atomic<bool> good{true};
        a.executor.run(parts_.size(), [&](std::size_t i) {
            run_arguments own = a;
            own.workspace = a.workspace + at_[i];
            own.executor = {};
            if (!parts_[i](own)) good.store(false, std::memory_order_relaxed);
        });
        return good.load(std::memory_order_relaxed);
    }

private:
    std::vector<kernel> parts_;
    std::vector<std::size_t> at_;
    std::size_t workspace_ = 0;
    std::string note_;
};

/// Into how many slices so many outputs go: up to two for each thread, so that a thread that is held up leaves some to others, none of
/// fewer outputs than `least`, each a multiple of `step` but for the last. Where each begins, and the end.
[[nodiscard]] inline std::vector<std::int64_t> onednn_cuts(std::int64_t outputs, std::int64_t step, std::int64_t least, int threads) {
    const std::int64_t count = std::clamp<std::int64_t>(outputs / least, 1, 2 * std::int64_t{threads});
    const std::int64_t steps = (outputs + step - 1) / step;
    std::vector<std::int64_t> cuts{0};
    for (std::int64_t i = 1; i <= count; ++i) {
        const std::int64_t at = std::min(outputs, steps * i / count * step);
        if (at > cuts.back()) cuts.push_back(at);
    }
    return cuts;
}

/// The third part of a composite whose result is computed in slices. `Family` has what `onednn_entry` asks of one, and
/// `slices(plan, region, formats, threads)`: plans of parts of the result, empty where it cannot be cut; `Family::build` takes those.
template <class Family>
struct onednn_sliced_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        if (self.threads < 2) return error{"one thread has nothing to share out"};
        return Family::read(m.region());
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
            onednn_slices all;
            for (const auto& slice : Family::slices(p, r, *b, self.threads)) {
                onednn_program program(1);
                const auto made = Family::describe(slice.view(), r, program.engine(), *b);
                if (!made) return made.failure();
                auto part = Family::build(slice.view(), *made, r, *b, std::move(program));
                if (!part) return part.failure();
                all.add(*std::move(part));
            }
            return onednn_slices::finish(std::move(all), static_cast<std::size_t>(self.threads));
        });
    }
};

}  // namespace inlay::detail

#endif
