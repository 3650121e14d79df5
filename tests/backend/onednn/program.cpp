// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/onednn/program.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/core/buffer.hpp>

using namespace inlay;
using namespace inlay::detail;

namespace {

/// Doubles a row by way of a tensor of the run, and doubles it again.
kernel doubling_twice(std::int64_t count) {
    const dnnl::memory::desc row = onednn_plain({count});
    onednn_program p(1);
    const dnnl::primitive_desc_base doubling = onednn_primitive_desc<dnnl::eltwise_forward>(
        p.engine(), onednn_attributes(), dnnl::prop_kind::forward_inference, dnnl::algorithm::eltwise_linear, row, row, 2.0f, 0.0f);
    const dnnl::memory x = p.input(0, row), middle = p.temporary(row), y = p.result(0, row);
    p.step(doubling, {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, middle}});
    p.step(doubling, {{DNNL_ARG_SRC, middle}, {DNNL_ARG_DST, y}});
    return onednn_program::finish(std::move(p));
}

}  // namespace

TEST_CASE("steps run in order on inputs, tensors of the run and results, at whatever address") {
    const kernel k = doubling_twice(5);
    CHECK(k.workspace_bytes >= 20);
    CHECK_FALSE(k.note.empty());
    for (int round = 0; round < 3; ++round) {
        buffer in(20), out(20), workspace(k.workspace_bytes);
        for (int i = 0; i < 5; ++i) reinterpret_cast<float*>(in.data())[i] = static_cast<float>(i + round);
        const void* inputs[] = {in.data()};
        void* results[] = {out.data()};
        run_arguments a;
        a.inputs = inputs;
        a.results = results;
        a.workspace = workspace.data();
        REQUIRE(k(a));
        for (int i = 0; i < 5; ++i) CHECK(reinterpret_cast<const float*>(out.data())[i] == static_cast<float>(4 * (i + round)));
    }
}

TEST_CASE("a copy is left out where both sides are one") {
    const dnnl::memory::desc row = onednn_plain({4});
    onednn_program p(1);
    const dnnl::memory x = p.input(0, row), y = p.result(0, row);
    p.copy({{x, y, 0, 0, row.get_size()}});
    const kernel k = onednn_program::finish(std::move(p));
    std::vector<float> in{1, 2, 3, 4}, out(4);
    const void* inputs[] = {in.data()};
    void* results[] = {out.data()};
    run_arguments a;
    a.inputs = inputs;
    a.results = results;
    REQUIRE(k(a));
    CHECK(out == in);
    results[0] = in.data();
    REQUIRE(k(a));
    CHECK(in == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("a large copy is shared out and complete") {
    const dnnl::memory::desc row = onednn_plain({1 << 20});
    onednn_program p(1);
    const dnnl::memory x = p.input(0, row), y = p.result(0, row);
    p.copy({{x, y, 0, 0, row.get_size()}});
    const kernel k = onednn_program::finish(std::move(p));
    std::vector<float> in(1 << 20), out(1 << 20);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    const void* inputs[] = {in.data()};
    void* results[] = {out.data()};
    serial_executor serial;
    run_arguments a;
    a.inputs = inputs;
    a.results = results;
    a.executor = executor_ref(serial);
    REQUIRE(k(a));
    CHECK(out == in);
}

TEST_CASE("constants are brought into another order once") {
    onednn_program p(1);
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    const dnnl::memory turned = p.constant(numbers.data(), onednn_plain({2, 3}),
                                           dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ba));
    const auto* at = static_cast<const float*>(turned.get_data_handle());
    CHECK(std::vector<float>(at, at + 6) == std::vector<float>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("a primitive that the library has runs alone, and one that it has not is an error") {
    const detail::onednn_program any(1);
    const auto order = detail::onednn_plain({8});
    const auto found = detail::onednn_primitive::ask<dnnl::eltwise_forward>(any.engine(), "function", onednn_attributes(),
                                                                            dnnl::prop_kind::forward_inference,
                                                                            dnnl::algorithm::eltwise_relu, order, order, 0.0f, 0.0f);
    REQUIRE(found.has_value());
    CHECK_FALSE(found->is_reference());
    const kernel k = found->alone(detail::onednn_program(1));
    CHECK_FALSE(k.note.empty());
    CHECK_FALSE(static_cast<bool>(detail::onednn_primitive()));
}

TEST_CASE("threads that run one kernel at once take turns, each with memory of its own") {
    const kernel k = doubling_twice(512);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 300; ++round) {
                std::vector<float> in(512, static_cast<float>(t + round)), out(512);
                buffer workspace(k.workspace_bytes);
                const void* inputs[] = {in.data()};
                void* results[] = {out.data()};
                run_arguments a;
                a.inputs = inputs;
                a.results = results;
                a.workspace = workspace.data();
                if (!k(a) || out != std::vector<float>(512, static_cast<float>(4 * (t + round)))) ++wrong;
            }
        });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
}

TEST_CASE(
    "the library computes two functions of one kind behind an operation with the parameters of one of them, so that is not asked for") {
    const auto with = [](std::initializer_list<float> factors) {
        dnnl::post_ops after;
        for (const float f : factors) onednn_append_eltwise(after, dnnl::algorithm::eltwise_linear, f, 0);
        onednn_append_eltwise(after, dnnl::algorithm::eltwise_relu, 0, 0);
        return after;
    };
    CHECK_FALSE(onednn_mixes_up({}));
    CHECK_FALSE(onednn_mixes_up(with({2})));
    CHECK(onednn_mixes_up(with({2, -1})));
    CHECK_FALSE(onednn_mixes_up(with({2, 2})));
}
