// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0

// Times our kernels beside the libraries' on single operators, all of them in turns, against what the processor's registers and memory
// allow:
//
//   kernels [--threads N] [--rounds N] [--only TEXT] [--isa NAME] [--bf16]
//
// A row: the operator, and for each way to run it the least time of all rounds, its rate and its share of the peak, which is the most that
// fused multiply-adds in registers alone reached in the same rounds. A block of several operators is also run as one kernel after the
// other. With --isa, oneDNN is told the same by ONEDNN_MAX_CPU_ISA. With --bf16, kernels that
// round to bf16 stand beside the others.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/cpu_simd/backend.hpp>
#include <inlay/backend/onednn/backend.hpp>
#include <inlay/backend/openblas/backend.hpp>
#include <inlay/backend/xnnpack/backend.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/backend_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/runtime/tbb.hpp>
#include <inlay/target/format.hpp>

namespace {

using namespace inlay;
using extents = std::vector<std::int64_t>;

/// One program of a few operators, and how many floating operations or bytes it is about.
struct question {
    std::string name;
    ir_module program;
    double operations = 0;
    double bytes = 0;  // where not 0, the rate is in bytes
    bool is_block = false;
};

/// Makes programs of random numbers.
class maker {
public:
    maker() { b_.open_block(); }
    node_id input(const extents& e) {
        inputs_.push_back(b_.input("x" + std::to_string(inputs_.size()), tensor_type(element_type::float32, shape(e.begin(), e.end()))));
        return inputs_.back();
    }
    node_id weights(const extents& e) {
        tensor t(element_type::float32, e);
        for (float& x : t.as<float>()) x = std::uniform_real_distribution<float>(-0.1f, 0.1f)(random_);
        return b_.constant(t);
    }
    node_id call(std::string_view op, const std::vector<node_id>& operands, const attribute_map& a, const extents& result) {
        return b_.call(op, operands, a, tensor_type(element_type::float32, shape(result.begin(), result.end())));
    }
    ir_module finish(node_id result) {
        b_.declare(b_.function(inputs_, result, "main"));
        return b_.finish();
    }

private:
    ir_builder b_;
    std::vector<node_id> inputs_;
    std::mt19937 random_{1};
};

question convolution(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t window, std::int64_t stride,
                     std::int64_t groups = 1) {
    maker m;
    const std::int64_t pad = window / 2, to = (size + 2 * pad - window) / stride + 1;
    const node_id x = m.input({1, in, size, size});
    const node_id y =
        m.call("onnx.Conv", {x, m.weights({out, in / groups, window, window}), m.weights({out})},
               {{"pads", extents{pad, pad, pad, pad}}, {"strides", extents{stride, stride}}, {"group", groups}}, {1, out, to, to});
    const node_id z = m.call("onnx.Relu", {y}, {}, {1, out, to, to});
    std::string name = (groups > 1 ? "depthwise " : "conv ") + std::to_string(window) + "x" + std::to_string(window) + " " +
                       std::to_string(in) + "->" + std::to_string(out) + " at " + std::to_string(size) +
                       (stride > 1 ? " stride " + std::to_string(stride) : "");
    return {name, m.finish(z), 2.0 * static_cast<double>(in / groups * out * window * window * to * to)};
}

/// An inverted residual as MobileNetV2 has them, without the first convolution where `wide` is `in`; the input is added where it fits.
question bottleneck(std::int64_t in, std::int64_t wide, std::int64_t out, std::int64_t size, std::int64_t window, std::int64_t stride) {
    maker m;
    const std::int64_t pad = window / 2, to = (size + 2 * pad - window) / stride + 1;
    const auto clipped = [&](node_id x, const extents& e) { return m.call("onnx.Relu", {x}, {}, e); };
    const node_id x = m.input({1, in, size, size});
    node_id y = x;
    double operations = 2.0 * static_cast<double>(wide * to * to * (window * window + out));
    if (wide != in) {
        const extents e{1, wide, size, size};
        y = clipped(m.call("onnx.Conv", {x, m.weights({wide, in, 1, 1}), m.weights({wide})}, {}, e), e);
        operations += 2.0 * static_cast<double>(in * wide * size * size);
    }
    const extents narrow{1, wide, to, to}, result{1, out, to, to};
    y = clipped(m.call("onnx.Conv", {y, m.weights({wide, 1, window, window}), m.weights({wide})},
                       {{"pads", extents{pad, pad, pad, pad}}, {"strides", extents{stride, stride}}, {"group", wide}}, narrow),
                narrow);
    y = m.call("onnx.Conv", {y, m.weights({out, wide, 1, 1}), m.weights({out})}, {}, result);
    if (in == out && stride == 1) y = m.call("onnx.Add", {y, x}, {}, result);
    const std::string name = "block " + std::to_string(in) + "->" + std::to_string(wide) + "->" + std::to_string(out) + " at " +
                             std::to_string(size) + ", " + std::to_string(window) + "x" + std::to_string(window) +
                             (stride > 1 ? " stride " + std::to_string(stride) : "");
    return {name, m.finish(y), operations, 0, true};
}

/// The first half of a block of EfficientNet, up to its gate: a convolution that expands and a depthwise one, each with SiLU.
question expanded(std::int64_t in, std::int64_t wide, std::int64_t size, std::int64_t window, std::int64_t stride) {
    maker m;
    const std::int64_t pad = window / 2, to = (size + 2 * pad - window) / stride + 1;
    const auto silu = [&](node_id x, const extents& e) { return m.call("onnx.Mul", {x, m.call("onnx.Sigmoid", {x}, {}, e)}, {}, e); };
    const extents between{1, wide, size, size}, result{1, wide, to, to};
    node_id y = m.call("onnx.Conv", {m.input({1, in, size, size}), m.weights({wide, in, 1, 1}), m.weights({wide})}, {}, between);
    y = m.call("onnx.Conv", {silu(y, between), m.weights({wide, 1, window, window}), m.weights({wide})},
               {{"pads", extents{pad, pad, pad, pad}}, {"strides", extents{stride, stride}}, {"group", wide}}, result);
    const std::string name = "expanded " + std::to_string(in) + "->" + std::to_string(wide) + " at " + std::to_string(size) + ", " +
                             std::to_string(window) + "x" + std::to_string(window) +
                             (stride > 1 ? " stride " + std::to_string(stride) : "");
    return {name, m.finish(silu(y, result)), 2.0 * static_cast<double>(wide * (in * size * size + window * window * to * to)), 0, true};
}

question transposed(std::int64_t in, std::int64_t out, std::int64_t size) {
    maker m;
    const node_id x = m.input({1, in, size, size});
    const node_id y = m.call("onnx.ConvTranspose", {x, m.weights({in, out, 4, 4}), m.weights({out})},
                             {{"pads", extents{1, 1, 1, 1}}, {"strides", extents{2, 2}}}, {1, out, 2 * size, 2 * size});
    return {"transposed 4x4/2 " + std::to_string(in) + "->" + std::to_string(out) + " at " + std::to_string(size), m.finish(y),
            2.0 * static_cast<double>(in * out * 16 * size * size)};
}

question product(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    maker m;
    const node_id x = m.input({rows, depth});
    const node_id y = m.call("onnx.MatMul", {x, m.weights({depth, columns})}, {}, {rows, columns});
    return {"product " + std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth), m.finish(y),
            2.0 * static_cast<double>(rows * columns * depth)};
}

/// A product, its bias, another tensor and the normalisation of that, as a layer of BERT ends.
question normalised(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    maker m;
    const extents e{rows, columns};
    const node_id x = m.input({rows, depth}), before = m.input(e);
    node_id y = m.call("onnx.Add", {m.call("onnx.MatMul", {x, m.weights({depth, columns})}, {}, e), m.weights({columns})}, {}, e);
    y = m.call("onnx.Add", {y, before}, {}, e);
    const node_id z = m.call("onnx.LayerNormalization", {y, m.weights({columns}), m.weights({columns})}, {}, e);
    return {"normalised product " + std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth), m.finish(z),
            2.0 * static_cast<double>(rows * columns * depth), 0, true};
}

question batched(std::int64_t batches, std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    maker m;
    const node_id x = m.input({1, batches, rows, depth}), y = m.input({1, batches, depth, columns});
    const node_id z = m.call("onnx.MatMul", {x, y}, {}, {1, batches, rows, columns});
    return {
        "products " + std::to_string(batches) + " of " + std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth),
        m.finish(z), 2.0 * static_cast<double>(batches * rows * columns * depth)};
}

question function(const char* op, std::int64_t count, const attribute_map& a = {}) {
    maker m;
    const node_id x = m.input({1, count});
    return {std::string(op).substr(5) + " of " + std::to_string(count), m.finish(m.call(op, {x}, a, {1, count})), 0,
            static_cast<double>(count) * 8};
}

question rows_of(const char* op, std::int64_t rows, std::int64_t columns) {
    maker m;
    const node_id x = m.input({rows, columns});
    std::vector<node_id> operands{x};
    if (std::string_view(op) == "onnx.LayerNormalization") operands.insert(operands.end(), {m.weights({columns}), m.weights({columns})});
    return {std::string(op).substr(5) + " " + std::to_string(rows) + "x" + std::to_string(columns),
            m.finish(m.call(op, operands, {}, {rows, columns})), 0, static_cast<double>(rows * columns) * 8};
}

/// One way to run a question: kernels, each of which reads and writes tensors by their numbers.
struct way {
    struct step {
        kernel code;
        std::vector<node_id> inputs;
        node_id result;
    };
    std::string name;
    std::vector<step> steps;
    std::map<node_id, buffer> tensors;
    buffer workspace;
    double least = 1e30;

    /// Adds a candidate's kernel and its tensors, those that are new full of numbers.
    template <class List>
    [[nodiscard]] bool add(const List& list, const candidate& c) {
        auto code = list.emit(c.backend, composite_job{c.composite, &c.match->plan, c.view()});
        if (!code) return false;
        const region_view view = c.view();
        const auto make = [&](node_id n, value_id v, const format& f) {
            if (tensors.count(n) != 0) return;
            buffer made(stored_bytes(static_shape(view.type(v)), f));
            auto* x = reinterpret_cast<float*>(made.data());
            for (std::size_t e = 0; e < made.size() / sizeof(float); ++e) x[e] = static_cast<float>(e % 17) / 17 - 0.5f;
            tensors[n] = std::move(made);
        };
        for (std::size_t i = 0; i < c.inputs.size(); ++i) make(c.inputs[i], static_cast<value_id>(i), c.formats.inputs[i]);
        make(c.results[0], view.results[0], c.formats.results[0]);
        if (workspace.size() < code->workspace_bytes + 64) workspace = buffer(code->workspace_bytes + 64);
        steps.push_back({*std::move(code), c.inputs, c.results[0]});
        return true;
    }
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
};

std::string formats_of(const candidate& c) {
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

double seconds(const std::chrono::steady_clock::time_point& since) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

}  // namespace

int main(int count, char** words) {
    std::size_t threads = 1, rounds = 30;
    std::string only, isa;
    bool bf16 = false;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--bf16") bf16 = true;
        if (word == "--bf16" || i + 1 == count) continue;
        const char* said = words[++i];
        if (word == "--threads") threads = static_cast<std::size_t>(std::max(1, std::atoi(said)));
        if (word == "--rounds") rounds = static_cast<std::size_t>(std::max(1, std::atoi(said)));
        if (word == "--only") only = said;
        if (word == "--isa") isa = said;
    }
    if (isa == "avx2") ::setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
    if (isa == "sse4") ::setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1);
    cpu_simd own;
    own.isa = isa;
    own.bf16 = bf16;
    if (auto fine = own.usable(); !fine) {
        std::fprintf(stderr, "kernels: %s\n", fine.failure().message.c_str());
        return 2;
    }
    onednn first;
    xnnpack second;
    openblas third;
    own.threads = first.threads = second.threads = third.threads = static_cast<int>(threads);
    const backend_list<cpu_simd, onednn, xnnpack, openblas> list(own, first, second, third);
    const simd::kernel_table& table = *own.table();
    tbb_executor pool(threads);

    std::vector<question> questions;
    questions.push_back(product(128, 3072, 768));
    questions.push_back(product(1024, 1024, 1024));
    questions.push_back(product(1, 4096, 1024));
    if (bf16)
        for (const std::int64_t rows : {1, 2, 4, 8, 128}) questions.push_back(product(rows, 768, 3072));
    if (bf16) questions.push_back(product(1, 4096, 4096));
    questions.push_back(normalised(128, 768, 768));
    questions.push_back(normalised(128, 768, 3072));
    questions.push_back(normalised(1, 768, 3072));
    questions.push_back(batched(12, 128, 128, 64));
    questions.push_back(convolution(64, 64, 56, 3, 1));
    questions.push_back(convolution(128, 128, 28, 3, 1));
    questions.push_back(convolution(256, 256, 14, 3, 1));
    questions.push_back(convolution(512, 512, 7, 3, 1));
    questions.push_back(convolution(128, 128, 56, 3, 2));
    questions.push_back(convolution(3, 64, 224, 7, 2));
    questions.push_back(convolution(64, 256, 56, 1, 1));
    questions.push_back(convolution(256, 64, 56, 1, 1));
    questions.push_back(convolution(256, 1024, 14, 1, 1));
    questions.push_back(convolution(512, 2048, 7, 1, 1));
    questions.push_back(convolution(144, 144, 56, 3, 1, 144));
    questions.push_back(convolution(144, 144, 56, 3, 2, 144));
    questions.push_back(convolution(960, 960, 7, 3, 1, 960));
    questions.push_back(bottleneck(24, 144, 24, 56, 3, 1));
    questions.push_back(bottleneck(16, 96, 24, 112, 3, 2));
    questions.push_back(bottleneck(32, 192, 32, 28, 3, 1));
    questions.push_back(bottleneck(96, 576, 96, 14, 3, 1));
    questions.push_back(bottleneck(112, 672, 192, 14, 5, 2));
    questions.push_back(bottleneck(160, 960, 320, 7, 3, 1));
    questions.push_back(bottleneck(64, 64, 128, 112, 3, 1));
    questions.push_back(bottleneck(512, 512, 512, 14, 3, 1));
    questions.push_back(expanded(16, 96, 112, 3, 2));
    questions.push_back(expanded(24, 144, 56, 3, 1));
    questions.push_back(expanded(40, 240, 28, 5, 1));
    questions.push_back(expanded(112, 672, 14, 5, 1));
    questions.push_back(transposed(128, 64, 28));
    questions.push_back(function("onnx.Relu", 1 << 14));
    questions.push_back(function("onnx.Relu", 1 << 23));
    questions.push_back(function("onnx.Gelu", 1 << 16));
    questions.push_back(function("onnx.Sigmoid", 1 << 16));
    questions.push_back(rows_of("onnx.Softmax", 1536, 128));
    questions.push_back(rows_of("onnx.LayerNormalization", 128, 768));

    std::printf("%s, %zu thread(s), least of %zu rounds, in turns\n", std::string(name_of(table.set)).c_str(), threads, rounds);
    for (question& q : questions) {
        if (!only.empty() && q.name.find(only) == std::string::npos) continue;
        const candidate_set set = enumerate(q.program, list);
        std::size_t largest = 0;
        for (const candidate& c : set.candidates) largest = std::max(largest, c.nodes.size());
        std::vector<way> ways;
        for (const candidate& c : set.candidates) {
            if (c.nodes.size() != largest) continue;
            way w;
            if (!w.add(list, c)) continue;
            w.name = std::string(list.kind(c.backend)) + " " + c.name + " " + formats_of(c);
            ways.push_back(std::move(w));
            if (!q.is_block) continue;
            if (way pieces = in_pieces(list, set, c); !pieces.steps.empty()) ways.push_back(std::move(pieces));
        }
        double peak = 0;
        for (std::size_t round = 0; round < rounds; ++round) {
            const std::size_t spins = 200000 / table.lanes;
            const auto since = std::chrono::steady_clock::now();
            std::vector<double> done(threads);
            pool.run(threads, [&](std::size_t t) { done[t] = table.peak(spins); });
            double all = 0;
            for (const double d : done) all += d;
            peak = std::max(peak, all / seconds(since));
            for (way& w : ways) {
                // Short runs several times, the first of them unmeasured.
                w.run(executor_ref(pool));
                for (int again = 0; again < 3; ++again) {
                    const auto begin = std::chrono::steady_clock::now();
                    w.run(executor_ref(pool));
                    w.least = std::min(w.least, seconds(begin));
                }
            }
        }
        std::sort(ways.begin(), ways.end(), [](const way& l, const way& r) { return l.least < r.least; });
        std::printf("%s   (peak %.1f GFLOP/s)\n", q.name.c_str(), peak / 1e9);
        for (const way& w : ways) {
            if (q.bytes != 0)
                std::printf("    %-64s %10.1f us %8.2f GB/s\n", w.name.c_str(), w.least * 1e6, q.bytes / w.least / 1e9);
            else
                std::printf("    %-64s %10.1f us %8.1f GFLOP/s %5.1f %%\n", w.name.c_str(), w.least * 1e6, q.operations / w.least / 1e9,
                            100 * q.operations / w.least / peak);
        }
    }
}
