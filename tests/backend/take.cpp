// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include <inlay/core/buffer.hpp>

#include "by_definition.hpp"

namespace inlay_test {

using namespace inlay;

bool taken::has(std::string_view formats) const {
    return std::any_of(ways.begin(), ways.end(), [&](const taken_way& w) { return w.formats == formats; });
}

std::string taken::note(std::string_view formats) const {
    for (const taken_way& w : ways)
        if (w.formats == formats) return w.note;
    return "no such formats";
}

std::size_t taken::count(std::string_view composite_name) const {
    return static_cast<std::size_t>(
        std::count_if(ways.begin(), ways.end(), [&](const taken_way& w) { return w.composite == composite_name; }));
}

std::string text(const border_formats& f) {
    std::string s;
    for (const format& i : f.inputs) s += (s.empty() ? "" : ",") + to_string(i.order);
    return s + "->" + to_string(f.results[0].order);
}

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

void check_taken(const taken& t, std::size_t nodes) {
    CHECK_MESSAGE(t.nodes == nodes, "the largest match is of ", t.nodes, " nodes: ", t.composite);
    CHECK_MESSAGE(t.refusal.empty(), t.refusal);
    CHECK_MESSAGE(!t.ways.empty(), t.composite, ": no format tuple");
}

namespace {

buffer stored(const tensor& t, const layout& l) {
    buffer bytes(stored_elements(t.extents(), l) * sizeof(float));
    auto* to = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 0; i < t.count(); ++i) to[place(t.extents(), l, i)] = t.as<float>()[i];
    return bytes;
}

tensor narrowed(const tensor& wide) {
    tensor narrow(element_type::float32, wide.extents());
    std::transform(wide.as<double>().begin(), wide.as<double>().end(), narrow.as<float>().begin(),
                   [](double x) { return static_cast<float>(x); });
    return narrow;
}

}  // namespace

expectation::expectation(const ir_module& g, float low, float high) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(low, high);
    for (const node_id n : g.inputs()) {
        tensor x(element_type::float32, static_shape(g.type(n).of_tensor));
        for (float& e : x.as<float>()) e = number(random);
        narrow_[n] = x;
    }
    wide_ = meanings(g, narrow_);
}

double expectation::worst_difference(const kernel& k, const region_view& view, const border_formats& f, executor_ref executor) const {
    const double infinite = std::numeric_limits<double>::infinity();
    const tensor& expected = wide_.at(view[view.results[0]].origin);
    const layout& order = f.results[0].order;
    std::vector<std::vector<buffer>> inputs(2);
    std::vector<buffer> results;
    for (auto& set : inputs) {
        for (value_id v = 0; v < view.input_count; ++v) {
            const node_id n = view[v].origin;
            set.push_back(stored(narrow_.count(n) != 0 ? narrow_.at(n) : narrowed(wide_.at(n)), f.inputs[v].order));
        }
        results.emplace_back(stored_elements(expected.extents(), order) * sizeof(float));
    }
    double worst = 0;
    for (const auto& [set, in_place] : {std::pair{0u, false}, {0u, false}, {1u, false}, {0u, true}}) {
        if (in_place && k.part_at.empty()) continue;
        std::vector<const void*> in;
        for (const buffer& b : inputs[set]) in.push_back(b.data());
        const std::size_t count = results[set].size() / sizeof(float);
        auto* out = reinterpret_cast<float*>(results[set].data());
        std::fill(out, out + count, std::numeric_limits<float>::quiet_NaN());
        // Inputs that the kernel says are parts of its result stand there beforehand.
        for (std::size_t i = 0; in_place && i < k.part_at.size(); ++i) {
            if (k.part_at[i] < 0) continue;
            std::byte* at = results[set].data() + k.part_at[i];
            std::memcpy(at, in[i], inputs[set][i].size());
            in[i] = at;
        }
        buffer workspace(k.workspace_bytes);
        std::fill(workspace.data(), workspace.data() + workspace.size(), std::byte{0xFF});
        void* to[] = {out};
        run_arguments a;
        a.inputs = in.data();
        a.results = to;
        a.workspace = workspace.data();
        a.executor = executor;
        if (!k(a)) return infinite;
        double largest = 1e-30, difference = 0;
        for (std::size_t i = 0; i < expected.count(); ++i) {
            float& got = out[place(expected.extents(), order, i)];
            const double wanted = expected.as<double>()[i];
            const bool same = std::isnan(wanted) ? std::isnan(got) : got == wanted;
            // What is no number or infinite is to be just that.
            const double d = same ? 0 : std::isfinite(wanted) ? std::abs(static_cast<double>(got) - wanted) : infinite;
            if (!(d <= difference)) difference = d;
            if (std::isfinite(wanted)) largest = std::max(largest, std::abs(wanted));
            got = 0;
        }
        // What is left is the fill of blocks.
        if (std::isnan(difference) || !std::all_of(out, out + count, [](float x) { return x == 0; })) return infinite;
        worst = std::max(worst, difference / largest);
    }
    return worst;
}

}  // namespace inlay_test
