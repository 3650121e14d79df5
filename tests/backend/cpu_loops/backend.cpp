// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/backend.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "emitted.hpp"

#include <inlay/ir/ir_builder.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/passes/infer_types.hpp>

using namespace inlay;
using namespace cpu_loops_test;
using inlay_test::small_graph;

namespace {

/// A program of calls by chance over float32, int32 and truth values of three axes: element by element, moved, reduced. What no call reads
/// is a result. Floating values grow slowly, so that differences in the last place stay there.
ir_module calls_by_chance(std::uint32_t seed, std::size_t calls) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::int64_t outer = std::vector<std::int64_t>{1, 3, 20}[below(3)], side = std::vector<std::int64_t>{7, 33, 64}[below(3)];
    const shape whole{outer, side, side};
    ir_builder b;
    b.open_block();
    struct value {
        node_id node;
        bool is_whole;  // its axes have these extents, else some of them 1
        bool is_read = false;
    };
    std::vector<value> reals, integers, truths;
    std::vector<node_id> inputs;
    for (const char* const name : {"x", "y"}) {
        inputs.push_back(b.input(name, tensor_type(element_type::float32, whole)));
        reals.push_back({inputs.back(), true});
    }
    for (const char* const name : {"k", "l"}) {
        inputs.push_back(b.input(name, tensor_type(element_type::int32, whole)));
        integers.push_back({inputs.back(), true});
    }
    truths.push_back({b.call("onnx.Less", {integers[0].node, integers[1].node}), true});
    const auto numbers = [&](std::vector<std::int64_t> v) {
        return b.constant(tensor::of<std::int64_t>({static_cast<std::int64_t>(v.size())}, v));
    };
    const auto pick = [&](std::vector<value>& from) -> value {
        value& v = from[from.size() - 1 - below(std::min<std::size_t>(from.size(), 3))];
        v.is_read = true;
        return v;
    };
    for (std::size_t i = 0; i < calls; ++i) {
        const std::size_t which = below(4);
        std::vector<value>& into = which < 2 ? reals : which == 2 ? integers : truths;
        const value p = pick(into), q = pick(into);
        const bool is_whole = p.is_whole || q.is_whole;
        const auto two = [&](const char* op) { return into.push_back({b.call(op, {p.node, q.node}), is_whole}); };
        switch (below(5)) {
            case 0:  // moved
                if (below(2) == 0 || !p.is_whole || !q.is_whole) {
                    into.push_back({b.call("onnx.Transpose", {p.node}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}}), p.is_whole});
                } else {
                    const std::int64_t cut = 1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(side) - 1));
                    const node_id first = b.call("onnx.Slice", {p.node, numbers({0}), numbers({cut}), numbers({1})}),
                                  second = b.call("onnx.Slice", {q.node, numbers({cut}), numbers({side}), numbers({1})});
                    into.push_back({b.call("onnx.Concat", {second, first}, {{"axis", std::int64_t{1}}}), true});
                }
                break;
            case 1:  // reduced, or chosen
                if (which == 3)
                    reals.push_back({b.call("onnx.Where", {p.node, pick(reals).node, reals[0].node}), true});
                else if (which == 1)
                    into.push_back({b.call("onnx.Softmax", {p.node}, {{"axis", static_cast<std::int64_t>(below(3))}}), p.is_whole});
                else
                    into.push_back({b.call(which == 2      ? "onnx.ReduceSum"
                                           : below(2) == 0 ? "onnx.ReduceMean"
                                                           : "onnx.ReduceMax",
                                           {p.node, numbers({static_cast<std::int64_t>(below(3))})}),
                                    false});
                break;
            case 2:  // of one
                if (which < 2)
                    into.push_back({b.call(below(2) == 0 ? "onnx.Tanh" : "onnx.Sigmoid", {p.node}), p.is_whole});
                else if (which == 2)
                    reals.push_back({b.call("onnx.Tanh", {b.call("onnx.Cast", {p.node}, {{"to", std::int64_t{1}}})}), p.is_whole});
                else
                    into.push_back({b.call("onnx.Not", {p.node}), p.is_whole});
                break;
            case 3:
                two(which < 2 ? "onnx.Add" : which == 2 ? "onnx.Sub" : "onnx.And");
                break;
            default:
                two(which < 2 ? "onnx.Max" : which == 2 ? "onnx.Mul" : "onnx.Or");
        }
    }
    std::vector<node_id> results;
    for (const std::vector<value>* all : {&reals, &integers, &truths})
        for (std::size_t i = all == &truths ? 0 : 2; i < all->size(); ++i)
            if (!(*all)[i].is_read) results.push_back((*all)[i].node);
    b.declare(b.function(inputs, b.tuple(results), "main"));
    auto typed = infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    return *std::move(typed);
}

}  // namespace

TEST_CASE("chains, moves and reductions of a region are one compiled nest that agrees with the interpreter") {
    {
        small_graph t;
        const node_id x = t.input({2, 3, 40, 50});
        const node_id turned =
            t.call("onnx.Transpose", {t.call("onnx.Mul", {x, t.random({3, 1, 1})})}, {{"perm", std::vector<std::int64_t>{0, 2, 3, 1}}});
        check_emitted(t.finish(t.call("onnx.Tanh", {t.call("onnx.Add", {turned, t.input({40, 50, 3})})})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Softmax", {t.call("onnx.Add", {t.input({2, 40, 33}), t.input({33})})})));
    }
    {
        small_graph t;
        const node_id x = t.input({70, 41});
        check_emitted(t.finish(t.call("onnx.Relu", {t.call("onnx.ReduceMean", {t.call("onnx.Exp", {x}), t.integers({0})})})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Transpose", {t.input({90, 130})}, {{"perm", std::vector<std::int64_t>{1, 0}}})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Abs", {t.input({200000})})));
    }
    {
        small_graph t;
        const node_id x = t.input({4, 32, 6, 6});
        check_emitted(t.finish(t.call("onnx.GroupNormalization", {x, t.random({32}), t.random({32})}, {{"num_groups", std::int64_t{4}}})));
    }
}

TEST_CASE("whatever calls of numbers and truth values are put together, the compiled nest agrees with the interpreter") {
    std::size_t results = 0;
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        const ir_module m = calls_by_chance(seed, 3 + seed % 6);
        results += m.results().size();
        check_emitted(m);
    }
    CHECK(results > 24);  // else few calls were looked at
}

TEST_CASE("loops of half precision compute in float32 and round as the interpreter does") {
    for (const element_type e : {element_type::float16, element_type::bfloat16}) {
        CAPTURE(name_of(e));
        ir_builder b;
        b.open_block();
        const node_id x = b.input("x", tensor_type(e, {6, 70, 33})), y = b.input("y", tensor_type(e, {33, 70}));
        const node_id turned = b.call("onnx.Transpose", {y}, {{"perm", std::vector<std::int64_t>{1, 0}}});
        const node_id all[] = {x, y};
        b.declare(b.function(all, b.call("onnx.Softmax", {b.call("onnx.Mul", {b.call("onnx.Add", {x, turned}), x})}), "main"));
        auto typed = infer_types(b.finish());
        if (!typed) FAIL(typed.failure().message);
        check_emitted(*std::move(typed), e == element_type::float16 ? 0x1p-9 : 0x1p-6);
    }
}

TEST_CASE("every function of one tensor is compiled so that it agrees with the interpreter") {
    for (const char* op :
         {"Abs",   "Neg",    "Exp",       "Log",      "Sqrt",     "Sin",        "Cos",      "Tan",   "Asin",  "Acos",
          "Atan",  "Sinh",   "Cosh",      "Tanh",     "Asinh",    "Acosh",      "Atanh",    "Erf",   "Floor", "Ceil",
          "Round", "Relu",   "LeakyRelu", "Elu",      "Celu",     "Selu",       "Sigmoid",  "Gelu",  "Mish",  "HardSigmoid",
          "Sign",  "Shrink", "HardSwish", "Softplus", "Softsign", "Reciprocal", "Identity", "IsNaN", "IsInf", "ThresholdedRelu"}) {
        CAPTURE(op);
        small_graph t;
        const node_id x = t.call("onnx.Mul", {t.input({3, 37}), t.random({3, 37}, -0.33f, 0.33f)});
        check_emitted(t.finish(t.call("onnx." + std::string(op), {x})));
    }
}

TEST_CASE("every operator of more shape than its elements is compiled so that it agrees with the interpreter") {
    const auto one = [](const char* op, std::vector<std::int64_t> extents, const attribute_map& how) {
        CAPTURE(op);
        small_graph t;
        check_emitted(t.finish(t.call(op, {t.call("onnx.Tanh", {t.input(std::move(extents))})}, how)));
    };
    const std::vector<std::int64_t> square{3, 3};
    one("onnx.LpPool", {2, 3, 9, 9}, {{"kernel_shape", square}, {"p", std::int64_t{3}}});
    one("onnx.MaxPool", {2, 3, 9, 9}, {{"kernel_shape", square}, {"pads", std::vector<std::int64_t>{1, 0, 1, 0}}});
    one("onnx.AveragePool", {2, 3, 9, 9}, {{"kernel_shape", square}, {"auto_pad", "SAME_UPPER"}});
    one("onnx.GlobalLpPool", {2, 3, 9, 9}, {});
    one("onnx.GlobalAveragePool", {2, 3, 9, 9}, {});
    one("onnx.GlobalMaxPool", {2, 3, 9, 9}, {});
    one("onnx.LRN", {2, 6, 5, 5}, {{"size", std::int64_t{3}}});
    one("onnx.LpNormalization", {4, 50}, {});
    one("onnx.LogSoftmax", {4, 50}, {});
    one("onnx.ArgMax", {4, 50}, {});
    one("onnx.DepthToSpace", {1, 8, 3, 3}, {{"blocksize", std::int64_t{2}}});
    small_graph t;
    check_emitted(t.finish(t.call("onnx.RMSNormalization", {t.input({4, 50}), t.random({50})})));
    small_graph mod;
    const node_id x = mod.call("onnx.Cast", {mod.call("onnx.Mul", {mod.input({3, 37}), mod.random({37}, -9, 9)})},
                               {{"to", std::int64_t{6}}}),
                  y = mod.call("onnx.Cast", {mod.input({37})}, {{"to", std::int64_t{6}}});
    check_emitted(mod.finish({mod.call("onnx.Mod", {x, y}), mod.call("onnx.BitwiseXor", {x, y}), mod.call("onnx.BitwiseNot", {x})}));
}

TEST_CASE("numbers too small for a normal exponent are zero or themselves, and zero no longer once a kernel has run") {
    small_graph t;
    const node_id x = t.input({64});
    const inlay_test::whole_region whole(t.finish(t.call("onnx.Mul", {x, t.scalar(0.5f)})));
    const auto made = emit_region(cpu_loops(), whole.view());
    REQUIRE(made);
    volatile float least = std::numeric_limits<float>::min(), half = 0.5f;
    const float too_small = least * half;
    REQUIRE(too_small > 0);
    std::vector<float> in(64, 1), out(64, 9);
    in[3] = least;
    in[40] = too_small;
    const void* const given[] = {in.data()};
    void* const wanted[] = {out.data()};
    std::vector<std::byte> workspace(made->workspace_bytes);
    REQUIRE((*made)({given, wanted, workspace.data(), {}}));
    CHECK(out[0] == 0.5f);
#if defined(__SSE__) || defined(__aarch64__)
    CHECK(out[3] == 0);
    CHECK(out[40] == 0);
#endif
    CHECK((out[40] == 0 || out[40] == too_small * half));
    CHECK(least * half == too_small);
}

TEST_CASE("the compiler is part of the version") {
    const detail::passing_folder folder;
    cpu_loops other;
    other.cc = folder.path() + "/other";
    std::ofstream(other.cc) << "#!/bin/sh\necho other 2.0\necho more of it\n";
    chmod(other.cc.c_str(), 0755);
    CHECK(other.version() == "3 other 2.0");
    cpu_loops none;
    none.cc = "inlay-no-such-compiler";
    CHECK(none.version() == "3 without a compiler");
    CHECK_FALSE(none.usable());
    CHECK(cpu_loops().version() != none.version());
}

TEST_CASE("all stages of a softmax end in one band of parallel loops and inner vector loops") {
    small_graph t;
    const inlay_test::whole_region whole(t.finish(t.call("onnx.Softmax", {t.call("onnx.Add", {t.input({4, 40, 33}), t.random({33})})})));
    const cpu_loops self;
    const auto lowered = loops_of(self, whole.view(), "softmax"), near = loops_of(self, whole.view(), "softmax", 0),
               last = loops_of(self, whole.view(), "softmax", 3);
    REQUIRE(lowered);
    REQUIRE(near);
    REQUIRE(last);
    CHECK(outermost_bands(*lowered).size() > 1);
    CHECK(outermost_bands(*near).size() == 1);
    REQUIRE(outermost_bands(*last).size() == 1);
    CHECK(last->statements[outermost_bands(*last)[0].loops[1]].runs == loop_kind::parallel);
    CHECK(std::any_of(last->statements.begin(), last->statements.end(),
                      [](const nest_statement& s) { return s.kind == nest_statement::form::loop && s.runs == loop_kind::vector; }));
    for (const nest_buffer& b : last->buffers) CHECK(b.scope != buffer_scope::scratch);
}
