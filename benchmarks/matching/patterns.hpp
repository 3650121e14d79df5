// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_MATCHING_PATTERNS_HPP
#define INLAY_BENCHMARKS_MATCHING_PATTERNS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/pattern/term/pattern_value.hpp>

#include "network.hpp"

// The patterns of the measurement, each as a type that both writes itself as terms and looks for itself, the way a program would be written
// by hand for these patterns alone.

namespace bench {

namespace p {

using inlay::node_id;

struct any {
    static bool on(const network&, node_id) { return true; }
    static inlay::term_id write(inlay::pattern_builder& w) { return w.add({}); }
};
struct constant {
    static bool on(const network& g, node_id n) { return g.op_id(n) == weight; }
    static inlay::term_id write(inlay::pattern_builder& w) {
        inlay::pattern_term t;
        t.kind = inlay::term_kind::node;
        t.node = inlay::node_kind::constant;
        return w.add(t);
    }
};
template <op Op, bool Unordered, class... Operands>
inline inlay::term_id write_call(inlay::pattern_builder& w) {
    inlay::pattern_term t;
    t.kind = inlay::term_kind::node;
    t.names = {&op_names[Op], 1};
    t.unordered = Unordered;
    return w.add(t, {Operands::write(w)...});
}
template <op Op, class... Operands>
struct call {
    static bool on(const network& g, node_id n) {
        return g.op_id(n) == Op && g.arity(n) == sizeof...(Operands)&& [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (Operands::on(g, g.operand(n, I)) && ...);
        }
        (std::index_sequence_for<Operands...>());
    }
    static inlay::term_id write(inlay::pattern_builder& w) { return write_call<Op, false, Operands...>(w); }
};
template <op Op, class A, class B>
struct either_way {
    static bool on(const network& g, node_id n) {
        if (g.op_id(n) != Op || g.arity(n) != 2) return false;
        const node_id a = g.operand(n, 0), b = g.operand(n, 1);
        return (A::on(g, a) && B::on(g, b)) || (A::on(g, b) && B::on(g, a));
    }
    static inlay::term_id write(inlay::pattern_builder& w) { return write_call<Op, true, A, B>(w); }
};
template <class... Ps>
struct one_of {
    static bool on(const network& g, node_id n) { return (Ps::on(g, n) || ...); }
    static inlay::term_id write(inlay::pattern_builder& w) { return w.add({inlay::term_kind::either}, {Ps::write(w)...}); }
};
/// Its attribute "group" is 1.
template <class P>
struct ungrouped {
    static bool on(const network& g, node_id n) { return P::on(g, n) && g.attributes(n).integer("group", 0) == 1; }
    static inlay::term_id write(inlay::pattern_builder& w) {
        static constexpr std::int64_t one[] = {1};
        static constexpr inlay::attribute_guard guard[] = {{"group", inlay::attribute_guard::form::integer, one, {}, {}}};
        inlay::pattern_term t;
        t.kind = inlay::term_kind::attributes;
        t.guards = guard;
        return w.add(t, {P::write(w)});
    }
};
template <class P>
struct float32 {
    static bool on(const network& g, node_id n) { return P::on(g, n) && g.type(n).of_tensor.element == inlay::element_type::float32; }
    static inlay::term_id write(inlay::pattern_builder& w) {
        static const inlay::type_guard guard{inlay::type_guard::form::tensor, inlay::element_type::float32};
        inlay::pattern_term t;
        t.kind = inlay::term_kind::type;
        t.type = &guard;
        return w.add(t, {P::write(w)});
    }
};
/// x * sigmoid(x), its operands in either order: the same node twice, which an automaton leaves to the matcher.
struct swish {
    static bool on(const network& g, node_id n) {
        if (g.op_id(n) != mul || g.arity(n) != 2) return false;
        const node_id a = g.operand(n, 0), b = g.operand(n, 1);
        return (g.op_id(b) == sigmoid && g.operand(b, 0) == a) || (g.op_id(a) == sigmoid && g.operand(a, 0) == b);
    }
    static inlay::term_id write(inlay::pattern_builder& w) {
        const auto x = [&] {
            inlay::pattern_term t;
            t.kind = inlay::term_kind::capture;
            t.name = "x";
            return w.add(t, {any::write(w)});
        };
        inlay::pattern_term s, m;
        s.kind = m.kind = inlay::term_kind::node;
        s.names = {&op_names[sigmoid], 1};
        m.names = {&op_names[mul], 1};
        m.unordered = true;
        const inlay::term_id first = x(), gate = w.add(s, {x()});
        return w.add(m, {first, gate});
    }
};
/// One or more of Relu and Add on a convolution.
struct tail {
    static bool on(const network& g, node_id n) {
        for (bool some = false;; some = true) {
            if (g.op_id(n) == conv) return some;
            if (g.op_id(n) != relu && g.op_id(n) != add) return false;
            n = g.operand(n, 0);
        }
    }
    static inlay::term_id write(inlay::pattern_builder& w) {
        inlay::pattern_term r;
        r.kind = inlay::term_kind::repeat;
        r.least = 1;
        const auto hole = [&] { return w.add({inlay::term_kind::hole}); };
        inlay::pattern_term a, b;
        a.kind = b.kind = inlay::term_kind::node;
        a.names = {&op_names[relu], 1};
        b.names = {&op_names[add], 1};
        const inlay::term_id first = w.add(a, {hole()}), second = w.add(b, {hole(), any::write(w)});
        const inlay::term_id step = w.add({inlay::term_kind::either}, {first, second});
        return w.add(r, {step, call<conv, any, any>::write(w)});
    }
};

using convolution = call<conv, any, any>;
using normed = call<norm, convolution, any>;
using linear = either_way<add, call<matmul, any, any>, constant>;
using residual = either_way<add, normed, any>;
template <class P>
using gelu = either_way<mul, either_way<mul, P, either_way<add, call<erf_, call<div_, any, any>>, constant>>, constant>;
using layer_norm = call<div_, call<sub, any, call<mean, any>>, call<root, either_way<add, call<mean, call<power, any, any>>, constant>>>;

using first_20 = std::tuple<convolution, call<relu, convolution>, normed, call<relu, normed>, residual, call<relu, residual>,
                            call<matmul, any, any>, linear, one_of<call<relu, linear>, call<tanh_, linear>>, call<softmax, any>, swish,
                            ungrouped<call<conv, any, constant>>, call<max_pool, any>, gelu<any>, layer_norm, tail, call<concat, any, any>,
                            call<reshape, call<transpose, any>, any>, call<relu, ungrouped<convolution>>, float32<call<add, any, any>>>;

/// What one activation stands on in the larger sets.
template <op A>
using on_everything = std::tuple<
    call<A, residual>, call<A, linear>, either_way<add, call<A, any>, call<conv, any, any>>, either_way<mul, call<A, normed>, any>,
    call<conv, call<A, either_way<add, any, normed>>, constant>, call<matmul, call<A, any>, linear>,
    float32<call<A, either_way<mul, any, constant>>>, one_of<call<A, gelu<any>>, call<A, layer_norm>>,
    call<norm, ungrouped<call<conv, call<A, call<norm, call<conv, any, any>, any>>, any>>, any>, call<A, call<gemm, any, any, any>>>;

template <class... Tuples>
using joined = decltype(std::tuple_cat(std::declval<Tuples>()...));
using first_50 = joined<first_20, on_everything<relu>, on_everything<tanh_>, on_everything<sigmoid>>;
using first_100 = joined<first_50, on_everything<clip>, on_everything<leaky>, on_everything<exp_>, on_everything<neg>, on_everything<root>>;
static_assert(std::tuple_size_v<first_20> == 20 && std::tuple_size_v<first_50> == 50 && std::tuple_size_v<first_100> == 100);

}  // namespace p

/// All patterns of a list, as data.
template <class... Ps>
[[nodiscard]] std::vector<inlay::pattern_value> written(const std::tuple<Ps...>*) {
    std::vector<inlay::pattern_value> made;
    const auto write = [&]<class P>(P) {
        inlay::pattern_builder b;
        const inlay::term_id root = P::write(b);
        made.push_back(*b.finish(root));
    };
    (write(Ps{}), ...);
    return made;
}

/// How many matches there are, looked for by a function for each pattern at every node.
template <class... Ps>
[[nodiscard]] std::size_t matches_by_hand(const network& g, const std::tuple<Ps...>*) {
    std::size_t found = 0;
    for (inlay::node_id n = 0; n < g.size(); ++n) ((found += Ps::on(g, n)), ...);
    return found;
}

}  // namespace bench

#endif
