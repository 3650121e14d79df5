// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_SUB_PATTERN_STORE_HPP
#define INLAY_PATTERN_AUTOMATON_SUB_PATTERN_STORE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <inlay/core/number_hash.hpp>
#include <inlay/core/plain_list.hpp>
#include <inlay/pattern/automaton/same_question.hpp>
#include <inlay/pattern/automaton/sub_pattern.hpp>

namespace inlay {

/// Sub-patterns by number, equal ones once, with the names and questions that they ask for. The first two are `always` and `never`.
class sub_pattern_store {
public:
    constexpr sub_pattern_store() {
        sub_pattern some;
        add(some, {}, {});
        some.kind = sub_pattern::form::either;
        add(some, {}, {});
    }

    [[nodiscard]] constexpr std::span<const sub_pattern> forms() const { return forms_.all(); }
    [[nodiscard]] constexpr std::span<const std::uint32_t> links() const { return links_.all(); }
    [[nodiscard]] constexpr std::span<const std::string_view> names() const { return names_.all(); }
    [[nodiscard]] constexpr std::span<const node_question> guards() const { return guards_.all(); }

    /// The sub-pattern of the kind `either` or `both` over those that stand in a list from a place on, which it takes away.
    constexpr sub_pattern_id several(sub_pattern::form kind, plain_list<sub_pattern_id>& pending, std::size_t before) {
        using form = sub_pattern::form;
        const sub_pattern_id neutral = kind == form::both ? sub_pattern_view::always : sub_pattern_view::never;
        const sub_pattern_id decisive = kind == form::both ? sub_pattern_view::never : sub_pattern_view::always;
        sort_from(pending, before);
        std::size_t kept = before;
        bool decided = false;
        for (std::size_t i = before; i < pending.size(); ++i) {
            if (pending[i] == decisive) decided = true;
            if (pending[i] == neutral || (kept != before && pending[kept - 1] == pending[i])) continue;
            pending[kept++] = pending[i];
        }
        sub_pattern_id made = decided ? decisive : kept == before ? neutral : pending[before];
        if (!decided && kept - before > 1) {
            sub_pattern s;
            s.kind = kind;
            made = add(s, std::span<const sub_pattern_id>(pending.data() + before, kept - before), {});
        }
        pending.cut(before);
        return made;
    }
    /// Of what does not hold where another does.
    constexpr sub_pattern_id negated(sub_pattern_id of) {
        if (of <= sub_pattern_view::never) return 1 - of;
        sub_pattern s;
        s.kind = sub_pattern::form::no;
        const std::uint32_t child[] = {of};
        return add(s, child, {});
    }
    /// Of what holds where a question is answered with yes.
    constexpr sub_pattern_id question(const node_question& q) {
        const auto fresh = static_cast<std::uint32_t>(guards_.size());
        const std::uint32_t found =
            guard_hash_.find_or_add(detail::hash_of(q), fresh, [&](std::uint32_t g) { return detail::same_question(guards_[g], q); });
        if (found == none) guards_.push_back(q);
        sub_pattern s;
        s.kind = sub_pattern::form::guard;
        s.guard = found == none ? fresh : found;
        return add(s, {}, {});
    }

    /// The number of a sub-pattern over these children and names, new or not.
    constexpr sub_pattern_id add(sub_pattern s, std::span<const std::uint32_t> children, std::span<const std::string_view> names) {
        const auto links = static_cast<std::uint32_t>(links_.size());
        s.first = links;
        s.count = static_cast<std::uint32_t>(children.size());
        std::uint32_t hash = static_cast<std::uint32_t>(s.kind) | static_cast<std::uint32_t>(s.node) << 8 | std::uint32_t{s.open} << 16 |
                             std::uint32_t{s.unordered} << 17;
        hash = detail::mixed(detail::mixed(hash, s.arity), s.guard);
        for (std::size_t i = 0; i < children.size(); ++i) {
            links_.push_back(children[i]);
            hash = detail::mixed(hash, children[i]);
        }
        s.first_name = static_cast<std::uint32_t>(links_.size());
        s.names = static_cast<std::uint32_t>(names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::uint32_t number = name_number(names[i]);
            links_.push_back(number);
            hash = detail::mixed(hash, number);
        }
        const auto fresh = static_cast<std::uint32_t>(forms_.size());
        const std::uint32_t found = form_hash_.find_or_add(hash, fresh, [&](std::uint32_t f) {
            sub_pattern same = forms_[f];
            if (same.count != s.count || same.names != s.names || same.kind == sub_pattern::form::loop) return false;
            for (std::uint32_t i = 0; i < s.count; ++i)
                if (links_[same.first + i] != links_[s.first + i]) return false;
            for (std::uint32_t i = 0; i < s.names; ++i)
                if (links_[same.first_name + i] != links_[s.first_name + i]) return false;
            same.first = s.first;
            same.first_name = s.first_name;
            return same == s;
        });
        if (found == none)
            forms_.push_back(s);
        else
            links_.cut(links);
        return found == none ? fresh : found;
    }
    /// A loop whose child is told later, by `close`.
    constexpr sub_pattern_id loop() {
        sub_pattern s;
        s.kind = sub_pattern::form::loop;
        s.first = static_cast<std::uint32_t>(links_.size());
        s.count = 1;
        links_.push_back(sub_pattern_view::always);
        forms_.push_back(s);
        return static_cast<sub_pattern_id>(forms_.size() - 1);
    }
    constexpr void close(sub_pattern_id loop, sub_pattern_id child) { links_[forms_[loop].first] = child; }

private:
    static constexpr std::uint32_t none = number_hash::none;

    constexpr std::uint32_t name_number(std::string_view name) {
        const auto fresh = static_cast<std::uint32_t>(names_.size());
        const std::uint32_t found =
            name_hash_.find_or_add(detail::mixed(0, name), fresh, [&](std::uint32_t n) { return names_[n] == name; });
        if (found == none) names_.push_back(name);
        return found == none ? fresh : found;
    }

    plain_list<sub_pattern> forms_;
    plain_list<std::uint32_t> links_;
    plain_list<std::string_view> names_;
    plain_list<node_question> guards_;
    number_hash form_hash_, name_hash_, guard_hash_;
};

}  // namespace inlay

#endif
