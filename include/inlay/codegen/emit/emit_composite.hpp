// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_EMIT_COMPOSITE_HPP
#define INLAY_CODEGEN_EMIT_EMIT_COMPOSITE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/candidate/composite_entry.hpp>
#include <inlay/codegen/emit/emit_external.hpp>
#include <inlay/codegen/emit/emit_region.hpp>

namespace inlay {

/// What code is made of: a region in chosen formats, the composite that took it (behind the table: what a rule joined), and its plan.
struct composite_job {
    std::uint32_t composite = 0;
    const composite_plan* plan = nullptr;  // null: there is none, and the region alone decides
    region_view region;
};

/// A back end whose composites are known while the program runs: it makes code of a job itself, with `emit(job)`.
template <class B>
concept emits_jobs = requires(const B& b, const composite_job& job) {
    { b.emit(job) } -> std::same_as<outcome<kernel>>;
};

namespace detail {

/// Makes code of a plan by an entry, `Match` being what it reads.
template <class B, class Entry, class Match>
outcome<kernel> emit_of_plan(const B& self, const composite_plan& plan, const region_view& region) {
    return Entry{}.emit(self, *plan.template as<plan_read_by<Entry, B, Match>>(), region);
}

/// By composite of a back end and behind these of what its rule joined: how code is made of a plan; null where the region alone decides.
template <class B, class Table>
struct emitters_of;
template <class B, class... Composites>
struct emitters_of<B, pattern_table<Composites...>> {
    using function = outcome<kernel> (*)(const B&, const composite_plan&, const region_view&);

    template <class Composite>
    [[nodiscard]] static constexpr function of_composite() {
        using entry = typename Composite::predicate_type;
        if constexpr (composite_entry<B, Composite>::has_emit)
            return &emit_of_plan<B, entry, match_of<typename Composite::pattern_type>>;
        else
            return nullptr;
    }
    [[nodiscard]] static constexpr function of_joined() {
        if constexpr (joined_entry<B>::has_emit)
            return &emit_of_plan<B, typename B::joined, joined_view>;
        else
            return nullptr;
    }

    static constexpr function all[] = {of_composite<Composites>()..., of_joined()};
};
template <class B>
using emitters = emitters_of<B, std::remove_cvref_t<decltype(B::patterns())>>;

/// How a composite makes code of a plan; null where it makes it of the region alone.
template <class B>
[[nodiscard]] typename emitters<B>::function emitter_at(std::uint32_t composite) {
    constexpr std::size_t count = B::patterns().size;
    return emitters<B>::all[composite < count ? composite : count];
}
template <class B>
[[nodiscard]] typename emitters<B>::function emitter_of(const composite_job& job) {
    return job.plan == nullptr || !*job.plan ? nullptr : emitter_at<B>(job.composite);
}

}  // namespace detail

/// Code for what a composite of a back end took: by the composite's own `emit` where it has one, else by `emit_region`. The kernel has the
/// region's own inputs and results.
template <class B>
[[nodiscard]] outcome<kernel> emit_composite(const B& self, const composite_job& job) {
    if constexpr (emits_jobs<B>) {
        return self.emit(job);
    } else {
        if (const auto emit = detail::emitter_of<B>(job)) return emit(self, *job.plan, job.region);
        if constexpr (has_emitter<B>)
            return emit_region(self, job.region);
        else
            return error{"the back end makes code of plans alone, and this region has none; enumerate the program again"};
    }
}

/// The same with constants left outside where the back end's policy says so: as `emit_external`.
template <class B>
[[nodiscard]] outcome<external_kernel> emit_composite(const B& self, const composite_job& job, kernel_store& kept) {
    if constexpr (!emits_jobs<B>)
        if (detail::emitter_of<B>(job) == nullptr)
            if constexpr (has_emitter<B>) return emit_external(self, job.region, kept);
    auto made = emit_composite(self, job);
    if (!made) return made.failure();
    return external_kernel{*std::move(made), {}};
}

}  // namespace inlay

#endif
