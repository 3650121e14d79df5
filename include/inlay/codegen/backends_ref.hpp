// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_BACKENDS_REF_HPP
#define INLAY_CODEGEN_BACKENDS_REF_HPP

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/core/digest.hpp>
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
    [[nodiscard]] std::size_t size() const { return ask_->size; }
    /// The numbers of those that take part, most preferred first.
    [[nodiscard]] const std::vector<std::size_t>& chosen() const { return ask_->chosen(list_); }
    [[nodiscard]] std::string_view kind(std::size_t number) const { return ask_->kind(list_, number); }
    /// The number of the back end of that kind; `size()` where there is none.
    [[nodiscard]] std::size_t index_of(std::string_view kind) const { return ask_->index_of(kind); }
    /// The content key of a job, see `job_content`.
    [[nodiscard]] digest content(const pricing_job& job) const { return ask_->content(list_, job); }
    /// The price that the back end of a region's job states; none where it is to be measured.
    [[nodiscard]] std::optional<double> price(const pricing_job& job) const { return ask_->price(list_, job); }
    /// Seconds that its price is not below; 0 where the back end knows none.
    [[nodiscard]] double lower_bound(const pricing_job& job) const { return ask_->lower_bound(list_, job); }

private:
    struct questions {
        std::size_t size;
        const std::vector<std::size_t>& (*chosen)(const void*);
        std::string_view (*kind)(const void*, std::size_t);
        std::size_t (*index_of)(std::string_view);
        digest (*content)(const void*, const pricing_job&);
        std::optional<double> (*price)(const void*, const pricing_job&);
        double (*lower_bound)(const void*, const pricing_job&);
    };
    template <class List>
    static const List& as(const void* list) {
        return *static_cast<const List*>(list);
    }
    /// Calls `f(composite, back end)` with what the job's composite can say.
    template <class List, class F>
    static auto ask_composite(const void* list, const pricing_job& job, F f) {
        return as<List>(list).visit(job.backend, [&]<class B>(const B& b) { return f(backend_vtable_of<B>()[job.composite], &b); });
    }
    template <class List>
    static constexpr questions questions_of{
        List::size,
        [](const void* list) -> const std::vector<std::size_t>& { return as<List>(list).chosen(); },
        [](const void* list, std::size_t number) { return as<List>(list).kind(number); },
        [](std::string_view kind) -> std::size_t { return List::index_of(kind); },
        [](const void* list, const pricing_job& job) { return job_content(job, as<List>(list)); },
        [](const void* list, const pricing_job& job) {
            return ask_composite<List>(list, job, [&](const composite_vtable& composite, const void* backend) {
                return composite.price(backend, job.match->plan, job.region);
            });
        },
        [](const void* list, const pricing_job& job) {
            return ask_composite<List>(list, job, [&](const composite_vtable& composite, const void* backend) {
                return composite.lower_bound(backend, job.match->plan, job.region);
            });
        }};

    const void* list_;
    const questions* ask_;
};

}  // namespace inlay

#endif
