// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_RULE_HPP
#define INLAY_REWRITE_RULE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pattern/dsl/verdict.hpp>
#include <inlay/rewrite/fragment.hpp>
#include <inlay/rewrite/result_term.hpp>

namespace inlay {

/// What a rule does when nodes outside its match read an inner node of the match.
enum class overlap : std::uint8_t {
    forbid,     // the rule is not applied
    duplicate,  // the rule is applied, and the inner node stays for the others: its work is done twice
    extra       // the rule is applied if it names a replacement for the inner node: `fragment::also`
};

/// What a rule does to the results of a program in floating point.
///
/// A rule that states no class is bounded, as a rule of the user's own is unless it says otherwise.
enum class exactness : std::uint8_t {
    exact,      // the same numbers, but for the sign of zeros; `check_rule` allows no difference
    bounded,    // within a few ulp of the intermediate magnitudes, as a batch normalisation folded into weights
    cancelling  // a rounding of the program is lost, as in (x + c) - c; applied only with `rewrite_options::reassociate`
};

[[nodiscard]] constexpr std::string_view to_text(exactness e) {
    constexpr std::string_view words[] = {"exact", "bounded", "cancelling"};
    return words[static_cast<std::size_t>(e)];
}

/// A match as a rule's condition and its building function see it. `Names` are those that the left side binds; asking for another name does
/// not compile.
template <class W, class Names>
class rule_match {
public:
    rule_match(const W& g, node_id root, std::span<const node_id> bound) : g_(g), root_(root), bound_(bound) {}

    [[nodiscard]] const W& graph() const { return g_; }
    [[nodiscard]] node_id root() const { return root_; }
    /// The node bound to a name; `no_node` where the match took an alternative without it.
    template <fixed_string Name>
    [[nodiscard]] node_id at() const {
        static_assert(Names::slot(Name.view()) != Names::none, "inlay: the left side of this rule binds no capture of that name");
        return bound_[Names::slot(Name.view())];
    }
    template <fixed_string Name>
    [[nodiscard]] const attribute_map& attributes() const {
        return g_.attributes(at<Name>());
    }
    template <fixed_string Name>
    [[nodiscard]] const node_type& type() const {
        return g_.type(at<Name>());
    }
    /// The value of a constant; null where the node is none.
    template <fixed_string Name>
    [[nodiscard]] const tensor* constant() const {
        return g_.constant(at<Name>());
    }

private:
    const W& g_;
    node_id root_;
    std::span<const node_id> bound_;
};

/// Replaces a match of `Left` by what `Right` builds, where the condition holds: `when(rule_match)` returns a `verdict`.
template <fixed_string Name, pattern Left, pattern Right, class When, overlap Overlap, exactness Exactness>
struct rewriting_rule {
    static constexpr std::string_view name = Name.view();
    using left_type = Left;
    using right_type = Right;
    using when_type = When;
    static constexpr overlap policy = Overlap;
    static constexpr exactness kind = Exactness;
};

/// Replaces a match of `Left` by what a function builds: `make(rule_match, fragment)` returns the node that replaces the root, or `no_node`
/// where it does not apply.
template <fixed_string Name, pattern Left, class Make, overlap Overlap, exactness Exactness>
struct building_rule {
    static constexpr std::string_view name = Name.view();
    using left_type = Left;
    using make_type = Make;
    static constexpr overlap policy = Overlap;
    static constexpr exactness kind = Exactness;
};

namespace detail {

template <class L, class R>
struct require_sides {
    static constexpr rule_fault fault = fault_of(view_of(L{}), view_of(R{}));
    static_assert(!std::is_same_v<L, R>,
                  "inlay: both sides of a rule are the same, so that it would change nothing; take it out or mend one side");
    static_assert(fault != rule_fault::unbound_capture, "inlay: the right side of a rule uses a capture that its left side does not bind");
    static_assert(fault != rule_fault::maybe_unbound,
                  "inlay: the right side of a rule uses a capture that its left side binds in some of its alternatives only; write a rule "
                  "for each of them");
    static_assert(fault != rule_fault::leaves_a_choice,
                  "inlay: the right side of a rule says how to build nodes: captures, operators on listed operands, numbers, tuples and "
                  "their fields, "
                  "nothing that leaves a choice");
    static constexpr bool ok = true;
};

}  // namespace detail

/// `rule<"relu_twice">(op<"onnx.Relu">(as<"r">(op<"onnx.Relu">)), as<"r">)`, perhaps with a condition behind it; or with a function that
/// builds the right side: `rule<"fold">(left, [](const auto& m, auto& f) -> node_id { ... })`.
///
/// `rule<"relu_twice", exactness::exact>(...)` states the rule's class; `rule<"relu_twice", overlap::duplicate, exactness::exact>(...)`
/// states both.
template <fixed_string Name, overlap Overlap = overlap::forbid, exactness Exactness = exactness::bounded, class L, class R,
          class When = always>
[[nodiscard]] constexpr auto rule(L, R, When = {}) {
    static_assert(detail::require_pattern<L>::ok);
    static_assert(std::is_empty_v<R> && std::is_empty_v<When>, "inlay: the functions of a rule capture nothing; they read the match");
    if constexpr (pattern<R>) {
        static_assert(detail::require_sides<L, R>::ok);
        return rewriting_rule<Name, L, R, When, Overlap, Exactness>{};
    } else {
        static_assert(std::same_as<When, always>,
                      "inlay: a rule whose right side is a function says there where it does not apply, and gives no_node");
        return building_rule<Name, L, R, Overlap, Exactness>{};
    }
}
template <fixed_string Name, exactness Exactness, class L, class R, class When = always>
[[nodiscard]] constexpr auto rule(L left, R right, When when = {}) {
    return rule<Name, overlap::forbid, Exactness>(left, right, when);
}

/// A rule as the rewriter takes it: its left side, and either its right side or a function. Compile-time rules and rules read from text are
/// rows of the same table.
template <class W>
struct rule_row {
    std::string_view name;
    const pattern_view* left = nullptr;
    const pattern_view* right = nullptr;
    overlap policy = overlap::forbid;
    exactness kind = exactness::bounded;
    verdict (*when)(const void* self, const W& g, node_id root, std::span<const node_id> bound) = nullptr;
    node_id (*make)(const void* self, const W& g, node_id root, std::span<const node_id> bound, fragment<W>& f) = nullptr;
    const void* self = nullptr;  // what these two work with
};

namespace detail {

template <class W, class Rule>
struct row_of;
template <class W, fixed_string Name, class L, class R, class When, overlap Overlap, exactness Exactness>
struct row_of<W, rewriting_rule<Name, L, R, When, Overlap, Exactness>> {
    static verdict when(const void*, const W& g, node_id root, std::span<const node_id> bound) {
        return When{}(rule_match<W, typename L::binds>(g, root, bound));
    }
    static constexpr rule_row<W> row{
        Name.view(), &view_of(L{}), &view_of(R{}), Overlap, Exactness, std::same_as<When, always> ? nullptr : &when, nullptr, nullptr};
};
template <class W, fixed_string Name, class L, class Make, overlap Overlap, exactness Exactness>
struct row_of<W, building_rule<Name, L, Make, Overlap, Exactness>> {
    static node_id make(const void*, const W& g, node_id root, std::span<const node_id> bound, fragment<W>& f) {
        return Make{}(rule_match<W, typename L::binds>(g, root, bound), f);
    }
    static constexpr rule_row<W> row{Name.view(), &view_of(L{}), nullptr, Overlap, Exactness, nullptr, &make, nullptr};
};

template <class... Names>
[[nodiscard]] constexpr bool all_different(Names... names) {
    const std::string_view all[] = {names..., std::string_view()};
    for (std::size_t i = 0; i < sizeof...(Names); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (all[i] == all[j]) return false;
    return true;
}

}  // namespace detail

/// Rules in order of priority, as a type.
template <class... Rules>
struct rule_book {
    static_assert(detail::all_different(Rules::name...),
                  "inlay: two rules of one rule_book have the same name; give each a name of its own");
    static constexpr std::size_t size = sizeof...(Rules);

    constexpr rule_book() = default;
    constexpr explicit rule_book(Rules...) requires(sizeof...(Rules) != 0) {}

    /// The rules as rows for one kind of graph; they live for ever.
    template <class W>
    static constexpr rule_row<W> rows[sizeof...(Rules) + 1] = {detail::row_of<W, Rules>::row..., rule_row<W>{}};

    /// The same as one range of `size` rows.
    template <class W>
    [[nodiscard]] static constexpr std::span<const rule_row<W>> all_rows() {
        return {rows<W>, size};
    }
};

/// One book after the other.
template <class... A, class... B>
[[nodiscard]] constexpr rule_book<A..., B...> operator+(rule_book<A...>, rule_book<B...>) {
    return {};
}

}  // namespace inlay

#endif
