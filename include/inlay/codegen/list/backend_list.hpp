// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_BACKEND_LIST_HPP
#define INLAY_CODEGEN_LIST_BACKEND_LIST_HPP

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/candidate/constants_policy.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/declare/phase_list.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/list/list_answers.hpp>
#include <inlay/codegen/list/list_lint.hpp>
#include <inlay/target/option.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/target_record.hpp>

namespace inlay {

namespace detail {

template <class B>
[[nodiscard]] consteval bool asks_composites() {
    if constexpr (has_patterns<B>)
        return entries<B>::all_can_be_asked;
    else
        return true;
}
template <class B>
[[nodiscard]] consteval bool plans_fit_phases() {
    if constexpr (has_patterns<B>)
        return !entries<B>::some_have_code ||
               (constants_policy_of<B>() == constants_policy::embed && !has_phase_at<B>(phase_place::after_partitioning));
    else
        return true;
}

/// One sentence per requirement: compilers say nothing of use when a fold over a pack is false, so each element is asked alone.
template <class B>
struct require_backend {
    static_assert(has_kind<B>, "inlay: a back end names itself with `static constexpr std::string_view kind`");
    static_assert(has_device<B>,
                  "inlay: a back end says for which device type it generates code with `static constexpr device_type device`");
    static_assert(has_options<B>, "inlay: a back end declares its options with `using options = option_list<...>`, which may be empty");
    static_assert(std::copyable<B> && std::default_initializable<B>,
                  "inlay: a configured back end is a value: default constructible (a bare kind) and copyable");
    static_assert(has_refinement<B>,
                  "inlay: a back end names the plain target it refines with `static constexpr std::string_view refines`");
    static_assert(has_version<B>,
                  "inlay: a back end gives the version of what it calls with `std::string version() const`, or a static one");
    static_assert(has_usability<B>, "inlay: a back end says whether it can run here with `outcome<void> usable() const`");
    static_assert(has_patterns<B>, "inlay: a back end says what it can do with `static constexpr auto patterns()`, a `pattern_table`");
    static_assert(
        lists_all_formats<B>,
        "inlay: a back end lists the border formats it takes with `std::vector<border_formats> formats(const region_view&) const`, or each "
        "composite with `formats(back end, plan, region)`");
    static_assert(
        prices_regions_or_not<B>,
        "inlay: a back end prices a region with `std::optional<double> price(const region_view&) const`; nothing means: measure it");
    static_assert(
        emits_all<B>,
        "inlay: a back end makes code with `outcome<kernel> emit(const region_view&) const`, or by way of loop nests with `using nest`, "
        "`outcome<nest> lower(const region_view&) const` and `outcome<kernel> emit(const nest&) const`, or each composite with "
        "`emit(back end, plan, region)`");
    static_assert(asks_composites<B>(),
                  "inlay: the third part of a composite is a predicate, called with the back end and a match to give a `verdict`, or has "
                  "`read(back end, match)` that gives an `outcome` of the composite's plan");
    static_assert(
        owns_memory_or_none<B>,
        "inlay: a back end whose device has memory of its own lists it with `std::vector<owned_memory> memories() const`, allocates "
        "there with `outcome<device_block> allocate(memory_scope, std::size_t) const`, copies with `std::optional<double> "
        "copy_seconds(memory_scope, memory_scope, std::size_t) const` and `outcome<kernel> emit_copy(memory_scope, memory_scope, "
        "std::size_t) const`, and does not leave constants outside of its code");
    static_assert(plans_fit_phases<B>(),
                  "inlay: a composite makes code of the plan that it read, but phases after partitioning or the constants policy of its "
                  "back end change the region behind that plan; leave out the composite's `emit`, or the phases and the policy");
    static_assert(require_phases<B>::ok);
    static constexpr bool ok = true;
};

/// The rules of lists (`target_record.hpp`), asked of the back end at one place.
template <class B, std::size_t At, class... All>
struct require_place {
    static constexpr std::array<target_record, sizeof...(All)> records{record_of<All>()...};
    static constexpr list_fault fault = fault_at(records, At, plain_records).what;
    static_assert(fault != list_fault::kind_twice, "inlay: two back ends of one list have the same kind; give each a `kind` of its own");
    static_assert(fault != list_fault::two_plain,
                  "inlay: two plain targets of one list have the same device type, which has one; let the other name it with `refines`, or "
                  "leave it out");
    static_assert(fault != list_fault::refines_refining,
                  "inlay: a back end refines another back end; let `refines` name the plain target that both stand on");
    static_assert(fault != list_fault::refines_elsewhere,
                  "inlay: a back end refines a plain target of another device type; let `refines` name one of its own `device`");
    static_assert(
        fault != list_fault::refines_unknown,
        "inlay: a back end refines a target that there is not; let `refines` name llvm, c, cuda, ext_dev or a plain target of the list");
    static constexpr bool ok = true;
};

template <bool Readable, class Places, class... All>
struct require_places {
    static constexpr bool ok = true;
};
/// Asked only where each back end names itself and its device type; where one does not, that is told already.
template <std::size_t... At, class... All>
struct require_places<true, std::index_sequence<At...>, All...> {
    static_assert((require_place<All, At, All...>::ok && ...));
    static constexpr bool ok = true;
};

template <class B>
[[nodiscard]] constexpr bool composite_names_are_unique() {
    std::string_view names[B::patterns().size + 1];
    bool unique = true;
    B::patterns().for_each([&](auto c, std::size_t i) {
        for (std::size_t j = 0; j < i; ++j) unique = unique && names[j] != c.name;
        names[i] = c.name;
    });
    return unique;
}

template <class B>
struct require_composites {
    static_assert(B::patterns().size != 0,
                  "inlay: a back end without a pattern can take nothing; give `patterns()` at least one composite");
    static_assert(composite_names_are_unique<B>(), "inlay: two composites of one back end have the same name; give each a name of its own");
    static constexpr bool ok = true;
};

}  // namespace detail

/// The back ends of a build as a type, and their configured instances as its value. What can be wrong with a back end or with the list is
/// told at compile time, in one sentence per failure. A number names a back end: its place in the list.
///
/// Which of them take part, and in what order of preference, is `chosen()`: all of them in list order unless `choose` says otherwise.
template <class... Bs>
class backend_list : public list_answers<backend_list<Bs...>> {
    static_assert((detail::require_backend<Bs>::ok && ...));
    static_assert(detail::require_places<((has_kind<Bs> && has_device<Bs>)&&...), std::index_sequence_for<Bs...>, Bs...>::ok);
    static_assert((detail::require_composites<Bs>::ok && ...));
    static_assert((detail::require_layouts<Bs>::ok && ...));

public:
    static constexpr std::size_t size = sizeof...(Bs);
    /// The same, as every list has it.
    [[nodiscard]] static constexpr std::size_t count() { return size; }

    backend_list() { choose_all(); }
    explicit backend_list(Bs... instances) requires(sizeof...(Bs) != 0) : instances_(std::move(instances)...) { choose_all(); }

    /// Calls `f(instance, index)` for every back end of the build, in list order.
    template <class F>
    void for_each(F&& f) const {
        each(f, std::index_sequence_for<Bs...>{});
    }
    template <class F>
    void for_each(F&& f) {
        each(f, std::index_sequence_for<Bs...>{});
    }

    /// Calls `f(instance)` for the back end of that number and gives what it gives. Precondition: `index < size`.
    template <class F>
    decltype(auto) visit(std::size_t index, F&& f) const {
        return at<0>(index, f);
    }

    /// The numbers of the back ends that take part, most preferred first.
    [[nodiscard]] const std::vector<std::size_t>& chosen() const { return chosen_; }
    void choose(std::vector<std::size_t> order) { chosen_ = std::move(order); }
    void choose_all() {
        std::vector<std::size_t> all(size);
        for (std::size_t i = 0; i < size; ++i) all[i] = i;
        chosen_.swap(all);
    }

    /// The number of the back end of that kind; `size` where there is none.
    [[nodiscard]] static constexpr std::size_t index_of([[maybe_unused]] std::string_view kind) {
        std::size_t i = 0, found = size;
        ((std::string_view(Bs::kind) == kind ? void(found = i) : void(), ++i), ...);
        return found;
    }

private:
    template <class F, std::size_t... I>
    void each(F& f, std::index_sequence<I...>) const {
        (f(std::get<I>(instances_), I), ...);
    }
    template <class F, std::size_t... I>
    void each(F& f, std::index_sequence<I...>) {
        (f(std::get<I>(instances_), I), ...);
    }
    template <std::size_t I, class F>
    decltype(auto) at(std::size_t index, F& f) const {
        if constexpr (I + 1 >= size)
            return f(std::get<I>(instances_));
        else
            return index == I ? f(std::get<I>(instances_)) : at<I + 1>(index, f);
    }

    std::tuple<Bs...> instances_;
    std::vector<std::size_t> chosen_;
};

}  // namespace inlay

#endif
