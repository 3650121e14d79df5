// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_CHOOSE_BACKENDS_HPP
#define INLAY_CODEGEN_LIST_CHOOSE_BACKENDS_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/codegen/declare/by_default.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/configuration.hpp>
#include <inlay/target/plain_target.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// It looks at its target beyond its own options: at its keys, tag and host, and at the plain target that it stands on, by
/// `b.configure(own, plain)`: done, or one sentence on why it cannot be configured so. Both are as the configuration has them. What code or
/// prices depend on, it keeps in an option of its own, so that measurements and plans are told apart by it.
template <class B>
concept sees_targets = requires(B& b, const target_instance& own, const target_instance& plain) {
    { b.configure(own, plain) } -> std::same_as<outcome<void>>;
};

/// The kinds that a list of back ends and the library know; what the list's instances hold is the default of each option.
template <class List>
[[nodiscard]] target_schemas schemas_of(const List& list) {
    target_schemas known;
    const auto add = [&](target_schema s) {
        if (known.find(s.kind) == nullptr) (void)known.add(std::move(s)).has_value();
    };
    list.for_each([&](const auto& b, std::size_t) { add(schema_of(b)); });
    for (target_schema& s : plain_schemas()) add(std::move(s));
    return known;
}

/// The bare targets of all back ends of a list that can run here and take part by default. `known` is what `schemas_of` gives.
template <class List>
[[nodiscard]] std::vector<target_instance> usable_targets(const List& list, const target_schemas& known) {
    std::vector<target_instance> all;
    list.for_each([&](const auto& b, std::size_t) {
        if (takes_part_by_default(b) && b.usable()) all.push_back(known.find(b.kind)->bare());
    });
    return all;
}

namespace detail {

/// Whether each plain target that is named has a back end of the list on it, and one that sees its options where it has any.
template <class List>
[[nodiscard]] outcome<void> plain_targets_are_used(const List& list, const configuration& made) {
    for (const target_instance& t : made.targets()) {
        if (!t.is_plain() || t.origin == target_origin::supplied) continue;
        bool is_refined = false, is_seen = t.options.empty();
        list.for_each([&]<class B>(const B& b, std::size_t) {
            const target_instance* own = made.of_kind(b.kind);
            if (own == nullptr || own->device != t.device) return;
            is_refined = true;
            is_seen = is_seen || sees_targets<B>;
        });
        if (!is_refined) return error{"nothing in this build runs on '" + t.kind + "'; `inlay targets` lists what there is"};
        if (!is_seen)
            return error{"target '" + t.kind +
                         "' takes no options here, since no back end that stands on it looks at them; write the options "
                         "of a back end after its kind"};
    }
    return {};
}

}  // namespace detail

/// Lets the back ends that a list of targets names take part, in its order, configured as it says; the list is left alone where that fails.
/// Without targets, all that can run here and take part by default. The back end `last`, to
/// which nodes go that no other claims, always takes part; empty: none does. What comes back is the configuration: plain targets and the
/// host supplied, keys and tags kept. `known` is what `schemas_of` gives.
///
/// The error says which target no back end of the list is, which cannot run here or be configured so, or whose options nobody sees.
template <class List>
[[nodiscard]] outcome<configuration> choose_backends(List& list, std::vector<target_instance> wanted, const target_schemas& known,
                                                     std::string_view last = "reference") {
    if (wanted.empty()) wanted = usable_targets(list, known);
    std::vector<std::string_view> kinds;
    list.for_each([&](const auto& b, std::size_t) { kinds.push_back(b.kind); });
    for (const target_instance& t : wanted)
        if (!t.is_plain() && list.index_of(t.kind) == list.count())
            return error{"there is no back end " + quoted_text(t.kind) + " in this build" + name_hint(t.kind, kinds)};
    list.for_each([&](const auto& b, std::size_t) {
        const bool is_named = std::any_of(wanted.begin(), wanted.end(), [&](const target_instance& t) { return t.kind == b.kind; });
        if (!is_named && b.kind == last) wanted.push_back(known.find(b.kind)->bare());
    });
    if (wanted.empty()) return error{"no back end of this build can run here; `inlay targets` says why of each"};
    auto made = configuration::make(std::move(wanted), known);
    if (!made) return made.failure();
    if (auto used = detail::plain_targets_are_used(list, *made); !used) return used.failure();
    List configured = list;
    std::vector<std::size_t> order;
    for (const target_instance& t : made->targets())
        if (!t.is_plain()) order.push_back(list.index_of(t.kind));
    outcome<void> usable;
    configured.for_each([&]<class B>(B& b, std::size_t) {
        const target_instance* own = made->of_kind(b.kind);
        if (own == nullptr || !usable) return;
        assign_options(b, *own);
        if constexpr (sees_targets<B>)
            if (const auto seen = b.configure(*own, *made->least_specialised(own->device)); !seen)
                usable = error{"target '" + std::string(b.kind) + "' cannot be configured so: " + seen.failure().message};
        if (!usable) return;
        if (const auto can = b.usable(); !can)
            usable = error{"target '" + std::string(b.kind) + "' cannot run here: " + can.failure().message};
    });
    if (!usable) return usable.failure();
    list = std::move(configured);
    list.choose(std::move(order));
    return made;
}

}  // namespace inlay

#endif
