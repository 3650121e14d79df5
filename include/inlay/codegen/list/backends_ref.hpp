// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_BACKENDS_REF_HPP
#define INLAY_CODEGEN_LIST_BACKENDS_REF_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/declare/by_default.hpp>
#include <inlay/codegen/declare/runs_at.hpp>
#include <inlay/codegen/declare/structural.hpp>
#include <inlay/codegen/kernel/conversion_route.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/guarded.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/job_content.hpp>
#include <inlay/cost/meter.hpp>

namespace inlay {

/// A `backend_list` whose type is not known where it is read: what plans with one is compiled once, for all lists. Refers to the list,
/// which must outlive it.
class backends_ref {
public:
    template <class List>
    requires(!std::same_as<List, backends_ref>) backends_ref(const List& list) : list_(&list), ask_(&questions_of<List>) {}

    /// How many back ends the list has, whether they take part or not.
    [[nodiscard]] std::size_t size() const { return ask_->size(list_); }
    /// The numbers of those that take part, most preferred first.
    [[nodiscard]] const std::vector<std::size_t>& chosen() const { return ask_->chosen(list_); }
    [[nodiscard]] std::string_view kind(std::size_t number) const { return ask_->kind(list_, number); }
    /// The number of the back end of that kind; `size()` where there is none.
    [[nodiscard]] std::size_t index_of(std::string_view kind) const { return ask_->index_of(list_, kind); }
    /// The content key of a job, see `job_content`.
    [[nodiscard]] digest content(const pricing_job& job) const { return ask_->content(list_, job); }
    /// The price that the back end of a region's job states; none where it is to be measured. The error says why it has none and never
    /// will.
    [[nodiscard]] outcome<std::optional<double>> price(const pricing_job& job) const { return ask_->price(list_, job); }
    /// Seconds that its price is not below; 0 where the back end knows none.
    [[nodiscard]] double lower_bound(const pricing_job& job) const { return ask_->lower_bound(list_, job); }
    /// The copy between two memories that a back end offers that takes part, see `copy_by`.
    [[nodiscard]] std::optional<memory_copy> copy(memory_scope from, memory_scope to, std::size_t bytes) const {
        return ask_->copy(list_, from, to, bytes);
    }
    /// How a tensor of these extents gets from one format into another; nothing where nobody can.
    [[nodiscard]] std::optional<conversion_route> route(const std::vector<std::int64_t>& extents, const format& from,
                                                        const format& to) const {
        return route_between(extents, from, to, [&](memory_scope a, memory_scope b, std::size_t bytes) { return copy(a, b, bytes); });
    }
    [[nodiscard]] device_type device(std::size_t number) const { return ask_->device(list_, number); }
    /// Whether that back end runs at a place what leaves results in these formats, see `runs_at`.
    [[nodiscard]] bool runs(std::size_t number, const placement& where, std::span<const format> results) const {
        return ask_->runs(list_, number, where, results);
    }
    /// Whether that back end only plays a device, see `is_simulated`.
    [[nodiscard]] bool simulates(std::size_t number) const { return ask_->simulates(list_, number); }
    /// Whether that back end takes part beside whoever decides, see `is_structural`.
    [[nodiscard]] bool is_structural(std::size_t number) const { return ask_->structural(list_, number); }

private:
    struct questions {
        std::size_t (*size)(const void*);
        const std::vector<std::size_t>& (*chosen)(const void*);
        std::string_view (*kind)(const void*, std::size_t);
        std::size_t (*index_of)(const void*, std::string_view);
        digest (*content)(const void*, const pricing_job&);
        outcome<std::optional<double>> (*price)(const void*, const pricing_job&);
        double (*lower_bound)(const void*, const pricing_job&);
        std::optional<memory_copy> (*copy)(const void*, memory_scope, memory_scope, std::size_t);
        bool (*simulates)(const void*, std::size_t);
        bool (*structural)(const void*, std::size_t);
        device_type (*device)(const void*, std::size_t);
        bool (*runs)(const void*, std::size_t, const placement&, std::span<const format>);
    };
    template <class List>
    static const List& as(const void* list) {
        return *static_cast<const List*>(list);
    }
    /// Calls `f(composite, back end)` with what the job's composite can say.
    template <class List, class F>
    static auto ask_composite(const void* list, const pricing_job& job, F f) {
        return as<List>(list).visit(job.backend, [&]<class B>(const B& b) { return f(vtable_of(b)[job.composite], &b); });
    }
    template <class List>
    static constexpr questions questions_of{
        [](const void* list) -> std::size_t { return as<List>(list).count(); },
        [](const void* list) -> const std::vector<std::size_t>& { return as<List>(list).chosen(); },
        [](const void* list, std::size_t number) { return as<List>(list).kind(number); },
        [](const void* list, std::string_view kind) -> std::size_t { return as<List>(list).index_of(kind); },
        [](const void* list, const pricing_job& job) { return job_content(job, as<List>(list)); },
        [](const void* list, const pricing_job& job) {
            return ask_composite<List>(list, job, [&](const composite_vtable& composite, const void* backend) {
                return guarded("it", "priced a region", [&] { return composite.price(backend, job.match->plan, job.region); });
            });
        },
        [](const void* list, const pricing_job& job) {
            return ask_composite<List>(list, job, [&](const composite_vtable& composite, const void* backend) {
                // Who knows no bound has the least one.
                const auto least =
                    guarded("it", "bounded a price", [&] { return composite.lower_bound(backend, job.match->plan, job.region); });
                return least ? *least : 0.0;
            });
        },
        [](const void* list, memory_scope from, memory_scope to, std::size_t bytes) { return copy_by(as<List>(list), from, to, bytes); },
        [](const void* list, std::size_t number) { return as<List>(list).visit(number, [](const auto& b) { return is_simulated(b); }); },
        [](const void* list, std::size_t number) {
            return as<List>(list).visit(number, []<class B>(const B&) { return inlay::is_structural<B>(); });
        },
        [](const void* list, std::size_t number) {
            return as<List>(list).visit(number, [](const auto& b) { return device_type{b.device}; });
        },
        [](const void* list, std::size_t number, const placement& where, std::span<const format> results) {
            return as<List>(list).visit(number, [&](const auto& b) { return runs_at(b, where, results); });
        }};

    const void* list_;
    const questions* ask_;
};

}  // namespace inlay

#endif
