// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_CONCEPTS_HPP
#define INLAY_PATTERN_CONCEPTS_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <inlay/graph/users.hpp>
#include <inlay/pattern/capture_names.hpp>

namespace inlay {

struct pattern_tag {};

/// An expression over operators, as an empty type: all there is to know of it is known at compile time. `P::binds` are the names it
/// captures.
///
/// Not checked: matching is deterministic, and a match binds the names of one choice among alternatives, no others.
template <class P>
concept pattern = std::derived_from<P, pattern_tag> && std::is_empty_v<P> && requires { typename P::binds; };

namespace detail {

template <class P>
struct require_pattern {
    static_assert(
        pattern<P>,
        "inlay: what stands here is no pattern; write it in the words of inlay::dsl: `any`, `constant`, `op<\"onnx.Relu\">(any)`");
    static constexpr bool ok = true;
};

/// Stands where something is no pattern, so that the one sentence about it is the only one.
struct stand_in_pattern : pattern_tag {
    using binds = capture_names<>;
    [[nodiscard]] static std::string text() { return {}; }

    template <class C, class S, class Next>
    static bool match(const C&, node_id, S&, Next&&) {
        return false;
    }
};

/// What a word gives of operands of which one is no pattern: a sentence about each that is none.
template <class... Ps>
[[nodiscard]] constexpr auto no_pattern() {
    static_assert((require_pattern<Ps>::ok && ...));
    return stand_in_pattern{};
}

}  // namespace detail

/// What a match in the making knows: the node in each capture's slot, and the nodes that the pattern's operators stand on, in the order in
/// which they were matched. `Names` are those of the whole pattern. Both are stacks: a matcher that fails takes back what it put there.
template <class Names>
struct match_state {
    using names = Names;

    node_id bound[Names::size + 1];
    std::vector<node_id> covered;

    match_state() {
        for (node_id& slot : bound) slot = no_node;
    }

    /// The node that a name is bound to; `no_node` where the match took an alternative without it.
    template <fixed_string Name>
    [[nodiscard]] node_id at() const {
        static_assert(Names::slot(Name.view()) != Names::none, "inlay: this pattern binds no capture of that name");
        return bound[Names::slot(Name.view())];
    }
};

/// What stands after a matcher, to be called as `next()`: looks for matches of the rest of the pattern and says whether they are enough.
/// A reference to a callable that the caller holds. It is one type for all of them, so that a matcher is compiled once, whatever stands
/// after it; the call is made only where a match has come so far.
class match_next {
public:
    match_next(bool (*call)(const void*), const void* self) : call_(call), self_(self) {}
    template <class F>
        requires(!std::same_as<F, match_next>)
    match_next(const F& f) : call_([](const void* self) { return static_cast<bool>((*static_cast<const F*>(self))()); }), self_(&f) {}

    bool operator()() const { return call_(self_); }

private:
    bool (*call_)(const void*);
    const void* self_;
};

/// What matchers read beside the graph.
template <class G>
struct match_context {
    const G& graph;
    const user_lists& users;
};

}  // namespace inlay

#endif
