// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_PATTERN_VALUE_HPP
#define INLAY_PATTERN_TERM_PATTERN_VALUE_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>
#include <inlay/pattern/term/check_pattern.hpp>
#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

class pattern_builder;

/// A pattern made at run time, with all that its terms refer to. Copies share it; it never changes.
class pattern_value {
public:
    [[nodiscard]] pattern_view view() const {
        return {{held_->terms.data(), held_->terms.size()},
                {held_->links.data(), held_->links.size()},
                {held_->slots.data(), held_->slots.size()},
                held_->root};
    }

private:
    friend class pattern_builder;

    // Deques: what stands in them stays where it is while they grow.
    struct held : owner_count {
        std::vector<pattern_term> terms;
        std::vector<term_id> links;
        std::vector<std::string_view> slots;
        term_id root = 0;
        std::deque<std::string> texts;
        std::deque<std::vector<std::string_view>> text_lists;
        std::deque<std::vector<std::int64_t>> integer_lists;
        std::deque<std::vector<double>> number_lists;
        std::deque<std::vector<attribute_guard>> guard_lists;
        std::deque<std::vector<extent_guard>> extent_lists;
        std::deque<std::vector<type_guard>> type_lists;

        static void release(held* h) { delete h; }
    };
    explicit pattern_value(shared_handle<held> h) : held_(std::move(h)) {}

    shared_handle<held> held_;
};

/// Makes a pattern at run time, term after term. What a term refers to is copied.
class pattern_builder {
public:
    /// A term over children that are there. A capture is given the slot of its name.
    term_id add(const pattern_term& like, std::initializer_list<term_id> children = {}) {
        return add(like, std::span<const term_id>(children.begin(), children.size()));
    }
    term_id add(const pattern_term& like, std::span<const term_id> children) {
        pattern_term t = like;
        t.first = static_cast<std::uint32_t>(h().links.size());
        t.count = static_cast<std::uint32_t>(children.size());
        h().links.insert(h().links.end(), children.begin(), children.end());
        t.name = kept(t.name);
        t.names = kept(t.names);
        if (!t.guards.empty()) {
            std::vector<attribute_guard> guards(t.guards.begin(), t.guards.end());
            for (attribute_guard& g : guards) {
                g.name = kept(g.name);
                g.integers = kept(g.integers, h().integer_lists);
                g.numbers = kept(g.numbers, h().number_lists);
                g.texts = kept(g.texts);
            }
            t.guards = kept(std::span<const attribute_guard>(guards), h().guard_lists);
        }
        if (t.type != nullptr) t.type = kept(std::span<const type_guard>(t.type, 1)).data();
        if (t.kind == term_kind::capture) t.place = slot(t.name);
        h().terms.push_back(t);
        return static_cast<term_id>(h().terms.size() - 1);
    }

    /// The slot of a name, which is given one where it has none: slots are in the order in which names are met.
    std::uint32_t slot(std::string_view name) {
        std::uint32_t i = 0;
        while (i < h().slots.size() && h().slots[i] != name) ++i;
        if (i == h().slots.size()) h().slots.push_back(kept(name));
        return i;
    }

    /// A reference to a pattern that is told later, by `define`, so that it can stand inside it.
    term_id declare(std::string_view name) {
        pattern_term t;
        t.kind = term_kind::reference;
        t.name = name;
        return add(t, {no_term});
    }
    void define(term_id declared, term_id meaning) { h().links[h().terms[declared].first] = meaning; }

    /// All terms of a pattern; its root's number here.
    term_id copy(const pattern_view& p) {
        const auto base = static_cast<term_id>(h().terms.size());
        std::vector<term_id> children;
        for (const pattern_term& t : p.terms) {
            children.clear();
            for (const term_id c : p.children(t)) children.push_back(base + c);
            add(t, children);
        }
        return base + p.root;
    }

    /// How many terms there are so far.
    [[nodiscard]] std::size_t size() const { return held_->terms.size(); }
    [[nodiscard]] const pattern_term& operator[](term_id t) const { return held_->terms[t]; }

    /// The pattern with that root; the error says why its search might never end, or what stands where it means nothing. The builder is
    /// empty then.
    [[nodiscard]] outcome<pattern_value> finish(term_id root) {
        h().root = root;
        pattern_value made(std::exchange(held_, shared_handle<pattern_value::held>(new pattern_value::held)));
        if (auto fine = check_pattern(made.view()); !fine) return fine.failure();
        return made;
    }

private:
    pattern_value::held& h() { return *held_.get(); }

    std::string_view kept(std::string_view text) {
        if (text.empty()) return {};
        return h().texts.emplace_back(text);
    }
    template <class T>
    std::span<const T> kept(std::span<const T> list, std::deque<std::vector<T>>& store) {
        if (list.empty()) return {};
        const std::vector<T>& copy = store.emplace_back(list.begin(), list.end());
        return {copy.data(), copy.size()};
    }
    std::span<const std::string_view> kept(std::span<const std::string_view> list) {
        std::vector<std::string_view> copy;
        for (const std::string_view text : list) copy.push_back(kept(text));
        return kept(std::span<const std::string_view>(copy), h().text_lists);
    }
    std::span<const type_guard> kept(std::span<const type_guard> list) {
        std::vector<type_guard> copy(list.begin(), list.end());
        for (type_guard& t : copy) {
            std::vector<extent_guard> extents(t.extents.begin(), t.extents.end());
            for (extent_guard& e : extents) e.symbol = kept(e.symbol);
            t.extents = kept(std::span<const extent_guard>(extents), h().extent_lists);
            t.fields = kept(t.fields);
        }
        return kept(std::span<const type_guard>(copy), h().type_lists);
    }

    shared_handle<pattern_value::held> held_{new pattern_value::held};
};

/// A pattern of any kind as a run-time value.
[[nodiscard]] inline outcome<pattern_value> value_of(const pattern_view& p) {
    pattern_builder b;
    const term_id root = b.copy(p);
    return b.finish(root);
}

}  // namespace inlay

#endif
