// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_TERM_TERM_WRITER_HPP
#define INLAY_PATTERN_TERM_TERM_WRITER_HPP

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

#include <inlay/pattern/term/pattern_term.hpp>

namespace inlay {

/// How many terms and links a pattern is written with.
struct term_counts {
    std::size_t terms = 0;
    std::size_t links = 0;

    friend constexpr term_counts operator+(term_counts a, term_counts b) { return {a.terms + b.terms, a.links + b.links}; }
};

/// Writes a compile-time pattern as terms into room that was counted beforehand.
class term_writer {
public:
    constexpr term_writer(pattern_term* terms, term_id* links, std::span<const std::string_view> slots)
        : terms_(terms), links_(links), slots_(slots) {}

    /// A term over children that are written.
    constexpr term_id add(pattern_term t, std::initializer_list<term_id> children = {}) {
        return add(t, children.begin(), children.size());
    }
    constexpr term_id add(pattern_term t, const term_id* children, std::size_t count) {
        t.first = static_cast<std::uint32_t>(link_count_);
        t.count = static_cast<std::uint32_t>(count);
        for (std::size_t i = 0; i < count; ++i) links_[link_count_++] = children[i];
        terms_[term_count_] = t;
        return static_cast<term_id>(term_count_++);
    }

    /// The first slot of a name.
    [[nodiscard]] constexpr std::uint32_t slot(std::string_view name) const {
        std::uint32_t i = 0;
        while (i < slots_.size() && slots_[i] != name) ++i;
        return i;
    }

    /// Writes what `body(writer)` writes under a name, which terms inside it may refer to.
    template <class Body>
    constexpr term_id define(std::string_view name, Body&& body) {
        pattern_term t;
        t.kind = term_kind::reference;
        t.name = name;
        const term_id self = add(t, {no_term});
        const definition mine{name, self, open_};
        open_ = &mine;
        const term_id written = body(*this);
        open_ = mine.around;
        links_[terms_[self].first] = written;
        return self;
    }
    /// The term of the innermost open definition of that name; `no_term` where there is none.
    [[nodiscard]] constexpr term_id defined(std::string_view name) const {
        for (const definition* d = open_; d != nullptr; d = d->around)
            if (d->name == name) return d->term;
        return no_term;
    }

    [[nodiscard]] constexpr std::size_t terms() const { return term_count_; }
    [[nodiscard]] constexpr std::size_t links() const { return link_count_; }

private:
    struct definition {
        std::string_view name;
        term_id term;
        const definition* around;
    };

    pattern_term* terms_;
    term_id* links_;
    std::span<const std::string_view> slots_;
    std::size_t term_count_ = 0;
    std::size_t link_count_ = 0;
    const definition* open_ = nullptr;
};

}  // namespace inlay

#endif
