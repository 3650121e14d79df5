// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_DEVICE_PLAN_HPP
#define INLAY_PLACEMENT_DEVICE_PLAN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/placement/annotated_program.hpp>
#include <inlay/placement/explain_clash.hpp>
#include <inlay/placement/place_constraints.hpp>
#include <inlay/placement/place_question.hpp>
#include <inlay/placement/reader_copies.hpp>
#include <inlay/placement/unifier.hpp>

namespace inlay {

/// Where every value of a program is: what planning decides. `place(v)` numbers the different places; equal numbers, equal places.
template <placed_graph G, lattice L>
class device_plan {
public:
    using program = annotated_program<G, L>;
    using element = typename L::element;

    /// Nothing more is known of which targets support a node.
    struct no_support {};
    /// What is left open goes where the lattice says.
    struct no_choice {};

    /// Plans by unification: what annotations and the program's structure say first, then that values which may be copied are not where
    /// that can be, then that what is left open goes where its function's result goes, or where the lattice says otherwise. `supported(n)`:
    /// the element of the targets that can run operator call n. `choose(question)`, where given, decides before the last two: it gets a
    /// `place_question` over elements and gives an optional list with the number of a place for each class. The error has the two
    /// annotations that contradict each other and the chain between them. Nearly linear in nodes and sizes of function types.
    template <class Supported = no_support, class Choose = no_choice>
    [[nodiscard]] static outcome<device_plan> of(const G& g, L& l, Supported supported = {}, Choose choose = {}) {
        auto p = program::of(g, l);
        if (!p) return p.failure();
        device_plan plan(std::move(*p));
        plan.copies_ = detail::conflict_finder<G, L>(plan.program_).find();
        unifier<L> u(l, plan.variables());
        solver s{u, {}};
        place_constraints<G, L, solver> constraints(plan.program_, plan.copies_, plan.host_, s);
        bool met = u.bind(plan.host_.begin, l.host()) && constraints.tell();
        if constexpr (!std::is_same_v<Supported, no_support>) met = met && constraints.tell_supported(supported);
        if (!met) return plan.clash(supported);
        if constexpr (!std::is_same_v<Choose, no_choice>) plan.choose(u, s.perhaps, choose);
        if (in_force<"placement.default.free">())
            for (const auto& [a, b] : s.perhaps) plan.join(u, a, b);
        plan.join_free(u);
        if (in_force<"placement.default.scopes">()) plan.join_lowered(u);
        plan.fill(u);
        plan.number(u);
        return plan;
    }

    [[nodiscard]] const program& annotated() const { return program_; }
    [[nodiscard]] const reader_copies<L>& copies() const { return copies_; }
    /// The number of the place of a variable.
    [[nodiscard]] std::uint32_t place(std::uint32_t variable) const { return place_[variable]; }
    [[nodiscard]] const element& element_of(std::uint32_t place) const { return elements_[place]; }
    [[nodiscard]] std::size_t places() const { return elements_.size(); }
    /// The number of the place of what node n gives. Precondition: the node is active.
    [[nodiscard]] std::uint32_t place_of(node_id n) const { return place_[program_.domains().of(n).last()]; }

    /// The variable of the place where node n expects its operand i.
    [[nodiscard]] std::uint32_t expected(node_id n, std::size_t i) const {
        const G& g = program_.graph();
        const auto own = [&](node_id m) { return program_.domains().of(m).last(); };
        const auto as_it_is = [&] { return program_.seen(g.operand(n, i)).last(); };
        switch (g.kind(n)) {
            case node_kind::call:
                if (program_.rule(n).what != call_rule::form::op)
                    return program_.rule(n).what == call_rule::form::lowered_call ? as_it_is() : own(n);
                switch (program_.rule(n).of(i)) {
                    case operand_place::with_call:
                        return own(n);
                    case operand_place::on_host:
                        return host_.begin;
                    case operand_place::anywhere:
                        return as_it_is();
                }
                return own(n);
            case node_kind::apply:
                return i == 0 ? as_it_is() : parameter(g.operand(n, 0), i - 1);
            case node_kind::tuple:
                if (const node_id call = program_.arguments_of(n); call != no_node) return parameter(g.operand(call, 0), i);
                return own(n);
            case node_kind::let:
                return i == 0 ? as_it_is() : i == 1 ? own(g.operand(n, 0)) : own(n);
            case node_kind::function:
                return i + 1 < g.arity(n) ? as_it_is() : own(n);
            case node_kind::match:
                return g.kind(g.operand(n, i)) == node_kind::input && program_.border_of(g.operand(n, i)) == program::border::none
                           ? as_it_is()
                           : own(n);
            default:
                return own(n);
        }
    }

private:
    struct solver {
        unifier<L>& u;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> perhaps;

        bool same(std::uint32_t a, std::uint32_t b, const place_reason&) { return u.unite(a, b); }
        bool is(std::uint32_t v, const element& e, const place_reason&) { return u.bind(v, e); }
        void may_be_same(std::uint32_t a, std::uint32_t b) { perhaps.emplace_back(a, b); }
    };

    explicit device_plan(program p) : program_(std::move(p)), host_{program_.domains().variables(), 1} {}

    [[nodiscard]] std::size_t variables() const { return std::size_t{program_.domains().variables()} + 1; }
    [[nodiscard]] std::uint32_t parameter(node_id callee, std::size_t i) const {
        return field_of(program_.seen(callee), program_.graph().type(callee), i).last();
    }

    template <class Supported>
    [[nodiscard]] error clash(Supported& supported) const {
        constraint_log<L> log;
        log.places.push_back({host_.begin, program_.places().host(), {0, 0, place_cause::host_of_result}});
        place_constraints<G, L, constraint_log<L>> constraints(program_, copies_, host_, log);
        constraints.tell();
        if constexpr (!std::is_same_v<Supported, no_support>) constraints.tell_supported(supported);
        return explain_clash(program_.graph(), program_.places(), log, variables());
    }

    /// Asks where classes go of which more than one place is possible.
    template <class Choose>
    void choose(unifier<L>& u, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& perhaps, Choose& choose) const {
        const G& g = program_.graph();
        const L& l = program_.places();
        place_question<element> q;
        std::vector<std::uint32_t> class_of(variables(), not_asked), roots;
        std::vector<node_id> value_of(variables(), no_node);
        const auto choices = l.choices();
        const auto asked = [&](std::uint32_t v) {
            const std::uint32_t root = u.find(v);
            if (class_of[root] != not_asked) return class_of[root];
            class_of[root] = static_cast<std::uint32_t>(roots.size());
            roots.push_back(root);
            auto& made = q.classes.emplace_back();
            const element& known = u.of(root);
            for (const element& c : choices) {
                if (l.is_whole(known) || l.clash(known, c) != 0) continue;
                element both = known;
                l.join(both, c, L::all);
                made.places.push_back(both);
            }
            if (made.places.empty()) {
                made.places.push_back(known);
                l.fill(made.places.back(), l.otherwise());
            }
            return class_of[root];
        };
        for (node_id n = 0; n < g.size(); ++n) {
            if (!program_.active(n)) continue;
            const std::uint32_t own = program_.domains().of(n).last();
            if (value_of[own] == no_node) value_of[own] = n;
            const bool runs = g.kind(n) == node_kind::call && program_.rule(n).what == call_rule::form::op;
            if (runs) q.classes[asked(own)].calls.push_back(n);
        }
        const auto border = [&](std::uint32_t a, std::uint32_t b) {
            const node_id value = value_of[a] != no_node ? value_of[a] : value_of[b];
            if (value != no_node && u.find(a) != u.find(b)) q.borders.push_back({asked(a), asked(b), value});
        };
        for (const auto& [a, b] : perhaps) border(a, b);
        for (node_id n = 0; n < g.size(); ++n)
            if (program_.active(n) && program_.border_of(n) == program::border::free)
                border(program_.seen(n).last(), program_.domains().of(n).last());
        bool is_open = false;
        for (const auto& c : q.classes) is_open = is_open || c.places.size() > 1;
        if (!is_open) return;
        const auto answer = choose(std::as_const(q));
        if (!answer || answer->size() != q.classes.size()) return;
        for (std::size_t c = 0; c < roots.size(); ++c)
            if (q.classes[c].places.size() > 1 && (*answer)[c] < q.classes[c].places.size())
                static_cast<void>(u.bind(roots[c], q.classes[c].places[(*answer)[c]]));
    }

    /// Two values between which a copy may stand are in one place if that can be; else on one device, if only memories differ.
    void join(unifier<L>& u, std::uint32_t a, std::uint32_t b) const {
        if (!u.unite(a, b)) static_cast<void>(u.link(a, b, L::all & ~L::memory));
    }
    /// A lowered function runs on one device, unless its callers say otherwise.
    void join_lowered(unifier<L>& u) const {
        for (const node_id f : program_.graph().functions()) {
            if (program_.role_of(f) != function_role::lowered) continue;
            const place_domain d = program_.domains().of(f);
            for (std::uint32_t v = d.begin; v < d.last(); ++v) static_cast<void>(u.link(v, d.last(), L::all & ~L::memory));
        }
    }
    /// What may be copied, and no more is said of it, is not copied if that can be.
    void join_free(unifier<L>& u) const {
        const G& g = program_.graph();
        for (node_id n = 0; n < g.size(); ++n)
            if (program_.active(n) && program_.border_of(n) == program::border::free)
                join(u, program_.domains().of(n).last(), program_.seen(n).last());
    }

    void fill_all(unifier<L>& u, const place_domain& d, const element& e) {
        for (std::uint32_t v = d.begin; v < d.begin + d.width; ++v) u.fill(v, e);
    }
    /// What a function gives, and then, as that, what it reads.
    void fill_function(unifier<L>& u, const place_domain& f) {
        u.fill(f.last(), program_.places().otherwise());
        const element result = u.of(f.last());
        if (in_force<"placement.default.follow">()) fill_all(u, f, result);
    }

    /// What is left open, from functions to what they are made of, callers before what they read.
    void fill(unifier<L>& u) {
        const G& g = program_.graph();
        std::vector<char> seen(g.size(), 0);
        std::vector<node_id> open;
        for (const node_id start : g.functions()) {
            if (program_.role_of(start) != function_role::planned) continue;
            open.push_back(start);
            while (!open.empty()) {
                const node_id n = open.back();
                open.pop_back();
                if (seen[n] != 0) continue;
                seen[n] = 1;
                if (program_.role_of(n) != function_role::planned) continue;
                fill_at(u, n);
                for (std::size_t i = g.arity(n); i-- > 0;) open.push_back(g.operand(n, i));
            }
        }
        for (std::uint32_t v = 0; v < variables(); ++v) u.fill(v, program_.places().otherwise());
    }
    void fill_at(unifier<L>& u, node_id n) {
        const G& g = program_.graph();
        const place_domain own = program_.domains().of(n);
        switch (g.kind(n)) {
            case node_kind::function:
            case node_kind::construct:
                fill_function(u, own);
                return;
            case node_kind::apply:
                fill_function(u, program_.seen(g.operand(n, 0)));
                return;
            case node_kind::call: {
                if (program_.rule(n).what == call_rule::form::lowered_call) {
                    fill_function(u, program_.seen(g.operand(n, 0)));
                    return;
                }
                const place_domain out = program_.seen(n);
                u.fill(out.last(), program_.places().otherwise());
                const element result = u.of(out.last());
                fill_all(u, own, result);
                for (std::size_t i = 0; i < g.arity(n); ++i)
                    if (program_.rule(n).of(i) == operand_place::anywhere) fill_all(u, program_.seen(g.operand(n, i)), result);
                return;
            }
            case node_kind::let: {
                const element whole = u.of(own.last());
                fill_all(u, program_.domains().of(g.operand(n, 0)), whole);
                return;
            }
            default:
                return;
        }
    }

    void number(unifier<L>& u) {
        place_.resize(variables());
        std::uint32_t last = 0;
        for (std::uint32_t v = 0; v < variables(); ++v) {
            const element& e = u.of(v);
            if (elements_.empty() || !(elements_[last] == e)) {
                last = static_cast<std::uint32_t>(std::find(elements_.begin(), elements_.end(), e) - elements_.begin());
                if (last == elements_.size()) elements_.push_back(e);
            }
            place_[v] = last;
        }
    }

    static constexpr std::uint32_t not_asked = 0xFFFF'FFFFu;

    program program_;
    place_domain host_;
    reader_copies<L> copies_;
    std::vector<std::uint32_t> place_;
    std::vector<element> elements_;
};

}  // namespace inlay

#endif
