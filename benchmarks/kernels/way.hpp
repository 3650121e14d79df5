// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_KERNELS_WAY_HPP
#define INLAY_BENCHMARKS_KERNELS_WAY_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/target/format.hpp>

namespace kernels {

using namespace inlay;

/// One way to run a question: kernels, each of which reads and writes tensors by their numbers.
struct way {
    struct step {
        kernel code;
        std::vector<node_id> inputs;
        node_id result;
    };
    std::string name;
    std::string ours;  // the composite, where it is a single kernel of this tree
    std::vector<step> steps;
    std::map<node_id, buffer> tensors;
    buffer workspace;
    double least = 1e30, least_alone = 1e30;  // seconds: on all threads, and on one

    /// Adds a candidate's kernel and its tensors, those that are new full of numbers.
    template <class List>
    [[nodiscard]] bool add(const List& list, const candidate& c) {
        auto code = list.emit(c.backend, composite_job{c.composite, &c.match->plan, c.view()});
        if (!code) return false;
        const region_view view = c.view();
        const auto add_value = [&](node_id n, value_id v, const format& f) { add_tensor(n, stored_bytes(static_shape(view.type(v)), f)); };
        for (std::size_t i = 0; i < c.inputs.size(); ++i) add_value(c.inputs[i], static_cast<value_id>(i), c.formats.inputs[i]);
        add_value(c.results[0], view.results[0], c.formats.results[0]);
        if (workspace.size() < code->workspace_bytes + 64) workspace = buffer(code->workspace_bytes + 64);
        steps.push_back({*std::move(code), c.inputs, c.results[0]});
        return true;
    }
    /// A kernel of one input and one result.
    way(std::string called, kernel code, std::size_t bytes_read, std::size_t bytes_written) : name(std::move(called)) {
        add_tensor(0, bytes_read);
        add_tensor(1, bytes_written);
        steps.push_back({std::move(code), {0}, 1});
    }
    way() = default;

    void run(executor_ref executor) {
        for (const step& s : steps) {
            std::vector<const void*> in;
            for (const node_id n : s.inputs) in.push_back(tensors[n].data());
            void* out[] = {tensors[s.result].data()};
            run_arguments a;
            a.inputs = in.data();
            a.results = out;
            a.workspace = workspace.data();
            a.executor = executor;
            (void)s.code(a);
        }
    }

private:
    void add_tensor(node_id n, std::size_t bytes) {
        if (tensors.count(n) != 0) return;
        buffer made(bytes);
        auto* x = reinterpret_cast<float*>(made.data());
        for (std::size_t e = 0; e < made.size() / sizeof(float); ++e) x[e] = static_cast<float>(e % 17) / 17 - 0.5f;
        tensors[n] = std::move(made);
    }
};

inline std::string formats_of(const candidate& c) {
    const std::string in = to_string(c.formats.inputs[0].order), out = to_string(c.formats.results[0].order);
    return in == out ? out : in + "->" + out;
}

/// The same back end's kernels of single operators and what follows them one after the other, in the formats of a candidate that covers
/// them all; without steps where they do not cover it.
template <class List>
way in_pieces(const List& list, const candidate_set& set, const candidate& whole) {
    way w;
    const auto is_single = [](std::string_view name) { return name == "convolution" || name == "matrix_product" || name == "layer_norm"; };
    std::vector<const candidate*> parts;
    for (const candidate& c : set.candidates)
        if (c.backend == whole.backend && is_single(c.name) && formats_of(c) == formats_of(whole)) parts.push_back(&c);
    std::sort(parts.begin(), parts.end(), [](const candidate* l, const candidate* r) { return l->nodes.size() > r->nodes.size(); });
    std::vector<const candidate*> chosen;
    std::vector<node_id> covered;
    for (const candidate* c : parts) {
        const auto is_covered = [&](node_id n) { return std::find(covered.begin(), covered.end(), n) != covered.end(); };
        if (std::any_of(c->nodes.begin(), c->nodes.end(), is_covered)) continue;
        covered.insert(covered.end(), c->nodes.begin(), c->nodes.end());
        chosen.push_back(c);
    }
    if (covered.size() != whole.nodes.size()) return w;
    std::sort(chosen.begin(), chosen.end(), [](const candidate* l, const candidate* r) { return l->root < r->root; });
    for (const candidate* c : chosen)
        if (!w.add(list, *c)) return {};
    w.name = std::string(list.kind(whole.backend)) + " " + std::to_string(chosen.size()) + " kernels " + formats_of(whole);
    return w;
}

}  // namespace kernels

#endif
