// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/pattern/term/check_pattern.hpp>

#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using inlay::fault_of;
using inlay::pattern_fault;
using inlay::pattern_term;
using inlay::term_id;
using inlay::term_kind;

namespace {

/// A pattern whose root is the term that is written last.
struct written {
    std::vector<pattern_term> terms;
    std::vector<term_id> links;

    term_id add(term_kind k, std::initializer_list<term_id> children = {}, std::string_view name = {}) {
        pattern_term t;
        t.kind = k;
        t.name = name;
        t.first = static_cast<std::uint32_t>(links.size());
        t.count = static_cast<std::uint32_t>(children.size());
        links.insert(links.end(), children);
        terms.push_back(t);
        return static_cast<term_id>(terms.size() - 1);
    }
    /// A reference, over what is written when it is there.
    term_id declare(std::string_view name) { return add(term_kind::reference, {inlay::no_term}, name); }
    void define(term_id declared, term_id meaning) { links[terms[declared].first] = meaning; }

    [[nodiscard]] inlay::pattern_view view(term_id root) const { return {terms, links, {}, root}; }
    [[nodiscard]] pattern_fault fault(term_id root) const { return fault_of(view(root)); }
};

}  // namespace

TEST_CASE("a reference refers to something") {
    written w;
    const term_id r = w.declare("p");
    CHECK(w.fault(r) == pattern_fault::undefined_name);
    w.define(r, w.add(term_kind::any));
    CHECK(w.fault(r) == pattern_fault::none);
}

TEST_CASE("a hole stands in a step, and not behind a reference there") {
    written w;
    const term_id hole = w.add(term_kind::hole), any = w.add(term_kind::any);
    CHECK(w.fault(hole) == pattern_fault::free_hole);
    CHECK(w.fault(w.add(term_kind::repeat, {any, hole})) == pattern_fault::free_hole);
    const term_id node = w.add(term_kind::node, {hole});
    CHECK(w.fault(w.add(term_kind::repeat, {node, any})) == pattern_fault::none);
    const term_id name = w.declare("p");
    w.define(name, node);
    CHECK(w.fault(w.add(term_kind::repeat, {name, any})) == pattern_fault::free_hole);
}

TEST_CASE("a hole of the base is that of the repetition around it") {
    written w;
    const term_id hole = w.add(term_kind::hole), any = w.add(term_kind::any), node = w.add(term_kind::node, {hole});
    const term_id inner = w.add(term_kind::repeat, {node, hole}), step = w.add(term_kind::node, {inner});
    CHECK(w.fault(w.add(term_kind::repeat, {step, any})) == pattern_fault::none);
}

TEST_CASE("a step goes to another node before its hole") {
    written w;
    const term_id hole = w.add(term_kind::hole), any = w.add(term_kind::any), node = w.add(term_kind::node, {hole});
    const term_id either = w.add(term_kind::either, {node, hole});
    CHECK(w.fault(w.add(term_kind::repeat, {either, any})) == pattern_fault::endless_step);
    written d;
    const term_id h = d.add(term_kind::hole), a = d.add(term_kind::any), n = d.add(term_kind::node, {h});
    CHECK(d.fault(d.add(term_kind::repeat, {d.add(term_kind::dominates, {h, a, n}), a})) == pattern_fault::none);
    CHECK(d.fault(d.add(term_kind::repeat, {d.add(term_kind::dominates, {n, a, h}), a})) == pattern_fault::endless_step);
}

TEST_CASE("a named pattern goes to another node before it stands again") {
    written w;
    const term_id name = w.declare("p"), any = w.add(term_kind::any);
    w.define(name, w.add(term_kind::both, {any, name}));
    CHECK(w.fault(name) == pattern_fault::endless_reference);
    written fine;
    const term_id again = fine.declare("p");
    fine.define(again, fine.add(term_kind::either, {fine.add(term_kind::node, {again}), fine.add(term_kind::any)}));
    CHECK(fine.fault(again) == pattern_fault::none);
}

TEST_CASE("neither a name nor a hole stands again under a negation or on a path") {
    for (const bool negation : {true, false}) {
        const auto asked = [&](written& w, term_id what) {
            return negation ? w.add(term_kind::no, {what})
                            : w.add(term_kind::dominates, {w.add(term_kind::any), what, w.add(term_kind::any)});
        };
        written named;
        const term_id name = named.declare("p");
        named.define(name, named.add(term_kind::node, {asked(named, name)}));
        CHECK(named.fault(name) == pattern_fault::reference_under_no);
        written step;
        const term_id under = asked(step, step.add(term_kind::node, {step.add(term_kind::hole)}));
        CHECK(step.fault(step.add(term_kind::repeat, {under, step.add(term_kind::any)})) == pattern_fault::hole_under_no);
        written inside;
        const term_id repeated =
            inside.add(term_kind::repeat, {inside.add(term_kind::node, {inside.add(term_kind::hole)}), inside.add(term_kind::any)});
        CHECK(inside.fault(asked(inside, repeated)) == pattern_fault::none);
    }
}

TEST_CASE("inside a named pattern no other one has its name") {
    written w;
    const term_id outer = w.declare("p"), inner = w.declare("p");
    w.define(inner, w.add(term_kind::any));
    w.define(outer, w.add(term_kind::node, {inner}));
    CHECK(w.fault(outer) == pattern_fault::hidden_name);
    w.terms[inner].name = "q";
    CHECK(w.fault(outer) == pattern_fault::none);
}

TEST_CASE("each fault has a sentence of its own, and what is right has none") {
    written w;
    const term_id any = w.add(term_kind::any), hole = w.add(term_kind::hole);
    CHECK(inlay::check_pattern(w.view(any)).has_value());
    const auto said = inlay::check_pattern(w.view(hole));
    REQUIRE_FALSE(said.has_value());
    CHECK(said.failure().message.find("hole '_' stands in no step") != std::string::npos);
}
