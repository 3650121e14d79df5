// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>
#include <inlay/ops/op_definition.hpp>

#include "../onednn/by_definition.hpp"

namespace xnnpack_test {

using namespace inlay;

node_id trial::input(extents e) {
    const node_id n = b_.input("x", tensor_type(element_type::float32, shape(e.begin(), e.end())));
    inputs_.push_back(n);
    return n;
}

node_id trial::integers(const extents& values) { return b_.constant(tensor::of({static_cast<std::int64_t>(values.size())}, values)); }

node_id trial::random(extents e, float low, float high) {
    tensor t(element_type::float32, std::move(e));
    std::uniform_real_distribution<float> number(low, high);
    for (float& x : t.as<float>()) x = number(random_);
    return b_.constant(t);
}

node_id trial::call(std::string_view op, std::initializer_list<node_id> operands, const attribute_map& attributes) {
    const op_definition* d = inlay_test::definition_of(op);
    REQUIRE_MESSAGE(d != nullptr, "no definition of ", std::string(op));
    const ir_module& m = b_.so_far();
    std::vector<const node_type*> types;
    std::vector<const tensor*> constants;
    for (const node_id o : operands) {
        types.push_back(&m.type(o));
        constants.push_back(m.constant(o));
    }
    const auto type = d->infer(call_view{op, &attributes, types, constants, 1});
    REQUIRE_MESSAGE(type.has_value(), std::string(op), ": ", type.failure().message);
    return b_.call(op, operands, attributes, *type);
}

node_id trial::normalized(node_id x, std::int64_t channels) {
    const node_id scale = random({channels}, 0.5f, 1.5f), shift = random({channels}), mean = random({channels}),
                  variance = random({channels}, 0.5f, 2.0f);
    return call("onnx.BatchNormalization", {x, scale, shift, mean, variance}, {{"epsilon", 1e-3}});
}

ir_module trial::finish(node_id result) {
    b_.declare(b_.function(inputs_, result, "main"));
    return b_.finish();
}

namespace {

/// Where element `index` (row-major) of a tensor stands in a layout.
std::size_t place(const extents& e, const layout& l, std::size_t index) {
    if (l.kind == layout::form::plain) return index;
    std::size_t inner = 1;
    for (std::size_t i = 2; i < e.size(); ++i) inner *= static_cast<std::size_t>(e[i]);
    const auto channels = static_cast<std::size_t>(e[1]);
    return (index / inner / channels * inner + index % inner) * channels + index / inner % channels;
}

buffer stored(const tensor& t, const layout& l) {
    buffer bytes(t.bytes());
    for (std::size_t i = 0; i < t.count(); ++i) reinterpret_cast<float*>(bytes.data())[place(t.extents(), l, i)] = t.as<float>()[i];
    return bytes;
}

std::string text(const border_formats& f) {
    std::string s;
    for (const format& i : f.inputs) s += (s.empty() ? "" : ",") + to_string(i.order);
    return s + "->" + to_string(f.results[0].order);
}

/// The largest difference over the largest expected value of a few runs, the addresses changed in between; infinity where a run fails.
double worst_difference(const kernel& k, const region_view& view, const border_formats& f, const std::map<node_id, tensor>& feeds,
                        const tensor& expected) {
    double worst = 0;
    std::vector<std::vector<buffer>> inputs(2);
    std::vector<buffer> results{buffer(expected.count() * sizeof(float)), buffer(expected.count() * sizeof(float))};
    for (auto& set : inputs)
        for (value_id v = 0; v < view.input_count; ++v) set.push_back(stored(feeds.at(view[v].origin), f.inputs[v].order));
    for (const std::size_t set : {0u, 0u, 1u, 0u}) {
        std::vector<const void*> in;
        for (const buffer& b : inputs[set]) in.push_back(b.data());
        auto* out = reinterpret_cast<float*>(results[set].data());
        std::fill(out, out + expected.count(), std::numeric_limits<float>::quiet_NaN());
        void* to[] = {out};
        run_arguments a;
        a.inputs = in.data();
        a.results = to;
        if (!k(a)) return std::numeric_limits<double>::infinity();
        double largest = 1e-30, difference = 0;
        for (std::size_t i = 0; i < expected.count(); ++i) {
            const double wanted = expected.as<double>()[i],
                         d = std::abs(static_cast<double>(out[place(expected.extents(), f.results[0].order, i)]) - wanted);
            if (!(d <= difference)) difference = d;
            largest = std::max(largest, std::abs(wanted));
        }
        if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
        worst = std::max(worst, difference / largest);
    }
    return worst;
}

struct found_match {
    std::vector<node_id> nodes;
    std::string composite, refusal;
};

found_match largest(const ir_module& g) {
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const xnnpack self;
    found_match best;
    xnnpack::patterns().for_each([&](auto c, std::size_t) {
        using pattern_type = typename decltype(c)::pattern_type;
        for_each_match(pattern_type{}, g, users, results[0], [&](auto&& m) {
            const region r(g, users, results, m.nodes);
            const region_view view = r.view();
            const match_view<typename std::remove_cvref_t<decltype(m)>::names> seen(view, m);
            const verdict says = typename decltype(c)::predicate_type{}(self, seen);
            const bool better =
                m.nodes.size() > best.nodes.size() || (m.nodes.size() == best.nodes.size() && says.taken && !best.refusal.empty());
            if (better) best = {m.nodes, std::string(c.name), says.taken ? "" : says.reason};
            return false;
        });
    });
    return best;
}

}  // namespace

answer ask(const ir_module& g, double tolerance, float low, float high) {
    const found_match best = largest(g);
    answer a{best.composite, best.nodes.size(), best.refusal, {}};
    if (best.nodes.empty() || !best.refusal.empty()) return a;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(low, high);
    std::map<node_id, tensor> feeds;
    for (const node_id n : g.inputs()) {
        tensor x(element_type::float32, static_shape(g.type(n).of_tensor));
        for (float& e : x.as<float>()) e = number(random);
        feeds[n] = x;
    }
    const tensor expected = inlay_test::meanings(g, feeds).at(g.results()[0]);
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const region r(g, users, results, best.nodes);
    for (const region_value& v : r.view().inputs())
        REQUIRE_MESSAGE(feeds.count(v.origin) != 0, "the match does not reach the program's inputs");
    xnnpack self;
    for (const border_formats& f : self.formats(r.view()))
        for (const int threads : {1, 2}) {
            self.threads = threads;
            const region_view view = r.view(f.inputs, f.results);
            auto k = self.emit(view);
            CHECK_MESSAGE(k.has_value(), text(f), ": ", k ? "" : k.failure().message);
            if (!k) continue;
            const double off = worst_difference(*k, view, f, feeds, expected);
            CHECK_MESSAGE(off <= tolerance, best.composite, " ", text(f), " ", k->note, " with ", threads, " threads: off by ", off);
            if (threads == 1) a.taken.push_back(text(f));
        }
    return a;
}

answer expect_taken(const ir_module& g, std::size_t nodes, double tolerance, float low, float high) {
    answer a = ask(g, tolerance, low, high);
    CHECK_MESSAGE(a.nodes == nodes, "the largest match is of ", a.nodes, " nodes: ", a.composite);
    CHECK_MESSAGE(a.refusal.empty(), a.refusal);
    CHECK_MESSAGE(!a.taken.empty(), a.composite, ": no format tuple");
    return a;
}

std::string why_not(const ir_module& g) { return largest(g).refusal; }

}  // namespace xnnpack_test
