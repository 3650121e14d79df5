// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_SAME_QUESTION_HPP
#define INLAY_PATTERN_AUTOMATON_SAME_QUESTION_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inlay/pattern/automaton/sub_pattern.hpp>

namespace inlay::detail {

[[nodiscard]] constexpr std::uint32_t mixed(std::uint32_t hash, std::uint32_t with) {
    const std::uint64_t product = (std::uint64_t{hash ^ with} + 0x9E37'79B9u) * 0xD6E8'FEB8'6659'FD93u;
    return static_cast<std::uint32_t>(product ^ (product >> 32));
}
/// A few characters of a word, which is enough for the words that stand in patterns.
[[nodiscard]] constexpr std::uint32_t mixed(std::uint32_t hash, std::string_view word) {
    const auto symbol = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(word[i])); };
    if (word.empty()) return mixed(hash, 0u);
    const std::size_t last = word.size() - 1;
    const std::uint32_t some = symbol(last) | symbol(last / 2) << 8 | symbol(last / 4) << 16 | symbol(last - last / 4) << 24;
    return mixed(mixed(hash, some), static_cast<std::uint32_t>(word.size()) | symbol(0) << 16);
}

template <class List>
[[nodiscard]] constexpr bool same_items(const List& a, const List& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}

[[nodiscard]] constexpr bool same_guard(const attribute_guard& a, const attribute_guard& b) {
    return a.kind == b.kind && a.name == b.name && same_items(a.integers, b.integers) && same_items(a.numbers, b.numbers) &&
           same_items(a.texts, b.texts);
}

[[nodiscard]] constexpr bool same_guard(const type_guard& a, const type_guard& b) {
    if (a.kind != b.kind || a.element != b.element || a.shaped != b.shaped || a.open != b.open) return false;
    if (a.extents.size() != b.extents.size() || a.fields.size() != b.fields.size()) return false;
    for (std::size_t i = 0; i < a.extents.size(); ++i)
        if (a.extents[i].size != b.extents[i].size || a.extents[i].symbol != b.extents[i].symbol) return false;
    for (std::size_t i = 0; i < a.fields.size(); ++i)
        if (!same_guard(a.fields[i], b.fields[i])) return false;
    return true;
}

/// Whether two questions have the same answer at every node, as far as their texts and numbers tell.
[[nodiscard]] constexpr bool same_question(const node_question& a, const node_question& b) {
    if (a.is_of_attribute != b.is_of_attribute) return false;
    if (a.is_of_attribute) return same_guard(*a.attribute, *b.attribute);
    if (a.term->kind != b.term->kind) return false;
    switch (a.term->kind) {
        case term_kind::literal:
            return a.term->number == b.term->number;
        case term_kind::value:
            return a.term->content == b.term->content;
        case term_kind::type:
            return same_guard(*a.term->type, *b.term->type);
        default:
            return a.term->place == b.term->place;
    }
}

/// Equal for the same questions.
[[nodiscard]] constexpr std::uint32_t hash_of(const node_question& q) {
    if (q.is_of_attribute) {
        std::uint32_t hash = mixed(static_cast<std::uint32_t>(q.attribute->kind), q.attribute->name);
        for (const std::int64_t v : q.attribute->integers) hash = mixed(hash, static_cast<std::uint32_t>(v));
        for (const std::string_view v : q.attribute->texts) hash = mixed(hash, v);
        return hash;
    }
    const std::uint32_t hash = 100 + static_cast<std::uint32_t>(q.term->kind);
    if (q.term->kind == term_kind::type) {
        const type_guard& t = *q.term->type;
        std::uint32_t made = mixed(hash, static_cast<std::uint32_t>(t.element));
        for (const extent_guard& e : t.extents) made = mixed(made, static_cast<std::uint32_t>(e.size));
        return made;
    }
    if (q.term->kind == term_kind::literal) {
        // Numbers that are equal become equal here too; others may as well.
        const double some = q.term->number;
        return mixed(hash, some > -1e9 && some < 1e9 ? static_cast<std::uint32_t>(static_cast<std::int64_t>(some * 64)) : 0u);
    }
    return q.term->kind == term_kind::node ? mixed(hash, q.term->place) : hash;
}

}  // namespace inlay::detail

#endif
