// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_simd/backend.hpp>

#include <atomic>
#include <cstddef>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace cpu_simd_test;

static_assert(backend<cpu_simd>);

namespace {

/// Writes the least normal number times a half, once itself and then in tasks.
struct writing_half_of_least {
    std::vector<float>* seen;

    [[nodiscard]] bool run(const run_arguments& a) const {
        const auto now = [] {
            volatile float least = std::numeric_limits<float>::min(), half = 0.5f;
            return least * half;
        };
        (*seen)[0] = now();
        a.executor.run(seen->size() - 1, [&](std::size_t i) { (*seen)[i + 1] = now(); });
        return true;
    }
};

}  // namespace

TEST_CASE("the widest instruction set is taken unless another one is named") {
    const std::vector<std::string> sets = instruction_sets();
    CHECK(sets.back() == "scalar");
    cpu_simd self;
    CHECK(self.usable());
    CHECK(name_of(self.table()->set) == sets.front());
    for (const std::string& isa : sets) {
        self.isa = isa;
        CHECK(self.usable());
        CHECK(name_of(self.table()->set) == isa);
    }
}

TEST_CASE("an instruction set that there is not is refused with those that there are") {
    cpu_simd self;
    self.threads = 0;
    CHECK(self.usable().failure().message == "target 'cpu_simd' has -threads=0; it takes 1 or more");
    self.threads = 1;
    self.isa = "mmx";
    CHECK(self.usable().failure().message == "target 'cpu_simd' has -isa='mmx'; it takes scalar, sse4, neon, avx2 or avx512");
    CHECK(self.table() == nullptr);
#if defined(__x86_64__)
    self.isa = "neon";
    CHECK(self.usable().failure().message == "target 'cpu_simd' has -isa=neon, which this processor or this build does not have");
#endif
}

TEST_CASE("a region without chosen formats is not emitted") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.Relu", {t.input({4, 4})}));
    const sized_match match = largest_match(cpu_simd(), g);
    const candidate& c = match.ways.front();
    region_view view = c.view();
    view.input_formats = {};
    const auto made = emit_composite(cpu_simd(), {c.composite, &c.match->plan, view});
    CHECK(made.failure().message.find("border formats are chosen") != std::string::npos);
}

TEST_CASE("several threads run one kernel at once, each with a workspace of its own") {
    small_graph t;
    const node_id x = t.input({1, 32, 30, 30});
    const ir_module g = t.finish(t.call("onnx.Conv", {x, t.random({32, 32, 3, 3})}, {{"pads", extents{1, 1, 1, 1}}}));
    const sized_match match = largest_match(cpu_simd(), g);
    const expectation expected(g, -2, 2);
    for (const candidate& c : match.ways) {
        const auto made = emit_composite(cpu_simd(), {c.composite, &c.match->plan, c.view()});
        REQUIRE(made.has_value());
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int n = 0; n < 4; ++n)
            threads.emplace_back([&] {
                for (int i = 0; i < 3; ++i)
                    if (!(expected.worst_difference(*made, c.view(), c.formats) < 1e-4)) ++wrong;
            });
        for (std::thread& one : threads) one.join();
        CHECK(wrong == 0);
    }
}

TEST_CASE("kernels of the same weights share them packed, however many programs they are in") {
    weight_store store;
    cpu_simd self;
    self.weights = &store;
    small_graph t;
    const node_id x = t.input({1, 32, 9, 9});
    const node_id y = t.call("onnx.Conv", {x, t.random({64, 32, 3, 3}), t.random({64})}, {{"pads", extents{1, 1, 1, 1}}});
    const ir_module m = t.finish(y);
    const taken first = take_by(self, m, 2e-5, -2, 2);
    const std::size_t count = store.count(), bytes = store.bytes();
    CHECK(first.ways.size() == 6);
    // Of the direct form and of both of Winograd's, which need only one for two layouts.
    CHECK(count >= 3);
    CHECK(count <= 4);
    const taken second = take_by(self, m, 2e-5, -2, 2);
    CHECK(second.ways.size() == first.ways.size());
    CHECK(store.count() == count);
    CHECK(store.bytes() == bytes);

    small_graph u(2);
    const node_id other =
        u.call("onnx.Conv", {u.input({1, 32, 9, 9}), u.random({64, 32, 3, 3}), u.random({64})}, {{"pads", extents{1, 1, 1, 1}}});
    (void)take_by(self, u.finish(other), 2e-5, -2, 2);
    CHECK(store.count() == 2 * count);

    small_graph v;
    const ir_module product = v.finish(v.call("onnx.MatMul", {v.input({7, 40}), v.random({40, 50})}));
    (void)take_by(self, product, 2e-5, -2, 2);
    (void)take_by(self, product, 2e-5, -2, 2);
    CHECK(store.count() == 2 * count + 1);
}

TEST_CASE("every kernel of the back end flushes denormals, and numbers beside denormals are as defined") {
    std::vector<float> seen(5, 1);
    run_arguments a;
    CHECK(cpu_simd().finish(writing_half_of_least{&seen}, "counting")(a));
    for (const float each : seen) CHECK(each == 0);
    small_graph t;
    const node_id x = t.input({1, 16, 6, 6});
    const node_id y = t.call("onnx.Conv", {x, t.random({16, 16, 3, 3})}, {{"pads", extents{1, 1, 1, 1}}});
    expect_taken(t.finish(t.call("onnx.Add", {y, t.random({1, 16, 6, 6}, -1e-39f, 1e-39f)})), 2);
}
