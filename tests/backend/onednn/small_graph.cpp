// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "small_graph.hpp"

#include "by_definition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <doctest/doctest.h>

#include <inlay/candidate/region.hpp>
#include <inlay/ops/op_definition.hpp>

namespace inlay_test {

using namespace inlay;

node_id small_graph::input(std::vector<std::int64_t> extents) {
    const node_id n = b_.input("x", tensor_type(element_type::float32, shape(extents.begin(), extents.end())));
    inputs_.push_back(n);
    return n;
}

node_id small_graph::integers(std::vector<std::int64_t> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return b_.constant(tensor::of({count}, values));
}

node_id small_graph::random(std::vector<std::int64_t> extents, float low, float high) {
    tensor t(element_type::float32, std::move(extents));
    std::uniform_real_distribution<float> number(low, high);
    for (float& x : t.as<float>()) x = number(random_);
    return b_.constant(t);
}

node_id small_graph::call(std::string_view op, std::initializer_list<node_id> operands, const attribute_map& attributes) {
    const op_definition* d = definition_of(op);
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

node_id small_graph::normalized(node_id x, std::int64_t channels) {
    const node_id scale = random({channels}, 0.5f, 1.5f), shift = random({channels}), mean = random({channels}),
                  variance = random({channels}, 0.5f, 2.0f);
    return call("onnx.BatchNormalization", {x, scale, shift, mean, variance}, {{"epsilon", 1e-3}});
}

ir_module small_graph::finish(node_id result) {
    const node_id f = b_.function(inputs_, result, "main");
    b_.declare(f);
    return b_.finish();
}

namespace {

/// Where element `index` (row-major) of a tensor stands in a layout.
std::size_t place(const std::vector<std::int64_t>& extents, const layout& l, std::size_t index) {
    if (extents.size() < 2 || l.kind == layout::form::plain) return index;
    std::size_t inner = 1;
    for (std::size_t i = 2; i < extents.size(); ++i) inner *= static_cast<std::size_t>(extents[i]);
    const auto channels = static_cast<std::size_t>(extents[1]);
    const std::size_t s = index % inner, c = index / inner % channels, n = index / inner / channels;
    if (l.kind == layout::form::channels_last) return (n * inner + s) * channels + c;
    const std::size_t b = l.block, blocks = (channels + b - 1) / b;
    return ((n * blocks + c / b) * inner + s) * b + c % b;
}

buffer stored(const tensor& t, const layout& l) {
    buffer bytes(stored_elements(t.extents(), l) * sizeof(float));
    auto* to = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 0; i < t.count(); ++i) to[place(t.extents(), l, i)] = t.as<float>()[i];
    return bytes;
}

std::string text(const border_formats& f) {
    std::string s;
    for (const format& i : f.inputs) s += (s.empty() ? "" : ",") + to_string(i.order);
    return s + "->" + to_string(f.results[0].order);
}

/// Runs one kernel twice and gives the largest difference over the largest expected value; infinity where something is not a number or the
/// fill of a block is not zero.
double worst_difference(const kernel& k, const region_view& view, const border_formats& f, const std::map<node_id, tensor>& feeds,
                        const tensor& expected) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    double worst = 0;
    for (int round = 0; round < 2; ++round) {
        std::vector<buffer> bytes;
        std::vector<const void*> inputs;
        for (value_id v = 0; v < view.input_count; ++v) {
            bytes.push_back(stored(feeds.at(view[v].origin), f.inputs[v].order));
            inputs.push_back(bytes.back().data());
        }
        buffer result(stored_elements(expected.extents(), f.results[0].order) * sizeof(float));
        auto* out = reinterpret_cast<float*>(result.data());
        std::fill(out, out + result.size() / sizeof(float), static_cast<float>(nan));
        buffer workspace(k.workspace_bytes);
        std::fill(workspace.data(), workspace.data() + workspace.size(), std::byte{0xFF});
        void* results[] = {result.data()};
        run_arguments a;
        a.inputs = inputs.data();
        a.results = results;
        a.workspace = workspace.data();
        if (!k(a)) return std::numeric_limits<double>::infinity();
        double largest = 1e-30, difference = 0;
        for (std::size_t i = 0; i < expected.count(); ++i) {
            float& got = out[place(expected.extents(), f.results[0].order, i)];
            const double wanted = expected.as<double>()[i], d = std::abs(static_cast<double>(got) - wanted);
            if (!(d <= difference)) difference = d;
            largest = std::max(largest, std::abs(wanted));
            got = 0;
        }
        for (std::size_t i = 0; i < result.size() / sizeof(float); ++i)
            if (!(out[i] == 0)) return std::numeric_limits<double>::infinity();
        if (!(difference / largest <= worst)) worst = difference / largest;
    }
    return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst;
}

/// The largest match at the result, taken ones before others.
struct found_match {
    std::vector<node_id> nodes;
    std::string composite, refusal;
};

found_match largest(const onednn& self, const ir_module& g) {
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    found_match best;
    onednn::patterns().for_each([&](auto c, std::size_t) {
        using pattern_type = typename decltype(c)::pattern_type;
        for_each_match(pattern_type{}, g, users, results[0], [&](auto&& m) {
            const region r(g, users, results, m.nodes);
            const region_view view = r.view();
            const match_view<typename std::remove_cvref_t<decltype(m)>::names> seen(view, m);
            const verdict answer = typename decltype(c)::predicate_type{}(self, seen);
            const bool better =
                m.nodes.size() > best.nodes.size() || (m.nodes.size() == best.nodes.size() && answer.taken && !best.refusal.empty());
            if (better) best = {m.nodes, std::string(c.name), answer.taken ? "" : answer.reason};
            return false;
        });
    });
    return best;
}

}  // namespace

taken take(const onednn& self, const ir_module& g, double tolerance, float low, float high) {
    taken t;
    const found_match best = largest(self, g);
    t.composite = best.composite;
    t.nodes = best.nodes.size();
    t.refusal = best.refusal;
    if (best.nodes.empty() || !best.refusal.empty()) return t;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(low, high);
    std::map<node_id, tensor> feeds;
    for (const node_id n : g.inputs()) {
        tensor x(element_type::float32, static_shape(g.type(n).of_tensor));
        for (float& e : x.as<float>()) e = number(random);
        feeds[n] = x;
    }
    const std::map<node_id, tensor> values = meanings(g, feeds);
    const tensor expected = values.at(g.results()[0]);
    const user_lists users(g);
    const std::vector<node_id> results = g.results();
    const region r(g, users, results, best.nodes);
    for (const region_value& v : r.view().inputs()) {
        if (feeds.count(v.origin) != 0) continue;
        const tensor& wide = values.at(v.origin);
        tensor narrow(element_type::float32, wide.extents());
        std::transform(wide.as<double>().begin(), wide.as<double>().end(), narrow.as<float>().begin(),
                       [](double x) { return static_cast<float>(x); });
        feeds[v.origin] = narrow;
    }
    for (const border_formats& f : self.formats(r.view())) {
        const region_view view = r.view(f.inputs, f.results);
        auto k = self.emit(view);
        CHECK_MESSAGE(k.has_value(), text(f), ": ", k ? "" : k.failure().message);
        if (!k) continue;
        taken_way way{text(f), k->note, worst_difference(*k, view, f, feeds, expected)};
        CHECK_MESSAGE(way.worst <= tolerance, best.composite, " ", way.formats, " ", way.note, ": off by ", way.worst);
        CHECK_MESSAGE(!detail::onednn_is_reference(way.note), way.formats, " runs on the library's plain loops: ", way.note);
        t.ways.push_back(std::move(way));
    }
    return t;
}

taken expect_taken(const ir_module& g, std::size_t nodes, const onednn& self, double tolerance, float low, float high) {
    const found_match best = largest(self, g);
    CHECK_MESSAGE(best.nodes.size() == nodes, "the largest match is of ", best.nodes.size(), " nodes: ", best.composite);
    taken t = take(self, g, tolerance, low, high);
    CHECK_MESSAGE(t.refusal.empty(), t.refusal);
    CHECK_MESSAGE(!t.ways.empty(), t.composite, ": no format tuple");
    return t;
}

std::string why_not(const ir_module& g, const onednn& self) { return largest(self, g).refusal; }

}  // namespace inlay_test
