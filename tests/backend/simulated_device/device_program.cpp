// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/simulated_device/device_program.hpp>

#include <cstring>

#include <doctest/doctest.h>

#include "two_devices.hpp"

using namespace two_devices;
using inlay::detail::device_program;
using inlay::detail::guarded_memory;

namespace {

/// The candidate of all calls of a program of one input, as one region.
struct one_region {
    ir_module m;
    user_lists users{m};
    std::vector<node_id> results = results_of(m), nodes;
    region all;

    template <class Make>
    explicit one_region(const tensor_type& input, Make&& make)
        : m([&] {
              ir_builder b;
              b.open_block();
              const node_id x[] = {b.input("x", input)};
              b.declare(b.function(x, make(b, x[0]), "main"));
              return b.finish();
          }()),
          nodes([&] {
              std::vector<node_id> calls;
              for (node_id n = 0; n < m.size(); ++n)
                  if (m.kind(n) == node_kind::call) calls.push_back(n);
              return calls;
          }()),
          all(m, users, results, nodes) {}
};

}  // namespace

TEST_CASE("a region runs call after call on tensors in the device's memory, with constants and operands that are left out") {
    const one_region r(row(4), [](ir_builder& b, node_id x) {
        const node_id low = b.constant(tensor::scalar(-1.0f));
        const node_id cut = b.call("onnx.Clip", {x, b.unit(), low}, {}, row(4));
        return b.call("onnx.Add", {cut, x}, {}, row(4));
    });
    const auto code = device_program::make(r.all.view(), onnx_ops::find);
    REQUIRE_MESSAGE(code.has_value(), code.failure().message);
    const auto block = guarded_memory::allocate(256);
    REQUIRE(block.has_value());
    const float x[] = {-2, -1, 0, 3};
    std::memcpy(guarded_memory::at(block->address(), 16), x, 16);
    const void* in[] = {block->address()};
    void* out[] = {block->address() + 64};
    run_arguments a;
    a.inputs = in;
    a.results = out;
    REQUIRE((*code)(a));
    float y[4];
    std::memcpy(y, guarded_memory::at(out[0], 16), 16);
    CHECK(y[0] == -4);
    CHECK(y[1] == -2);
    CHECK(y[2] == -1);
    CHECK(y[3] == 2);

    // Each end has to stand in the device's memory, to its last byte.
    void* beyond[] = {block->address() + block->bytes() - 8};
    a.results = beyond;
    CHECK_FALSE((*code)(a));
    a.results = out;
    const void* on_the_cpu[] = {x};
    a.inputs = on_the_cpu;
    CHECK_FALSE((*code)(a));
}

TEST_CASE("what has no meaning, no extents or more than one tensor is refused with the reason") {
    const one_region unknown(row(4), [](ir_builder& b, node_id x) { return b.call("my.Op", {x}, {}, row(4)); });
    CHECK(device_program::refuse(unknown.all.view(), onnx_ops::find) == "the operator has no meaning that could be run");
    CHECK_FALSE(device_program::make(unknown.all.view(), onnx_ops::find).has_value());

    const tensor_type open(element_type::float32, {extent("n")});
    const one_region symbolic(open, [&](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, open); });
    CHECK(device_program::refuse(symbolic.all.view(), onnx_ops::find) == "its tensors have known extents and elements of fixed size");

    const one_region two(row(4), [](ir_builder& b, node_id x) {
        const node_id both[] = {b.call("onnx.Relu", {x}, {}, row(4)), b.call("onnx.Neg", {x}, {}, row(4))};
        return b.tuple(both);
    });
    CHECK(device_program::refuse(two.all.view(), onnx_ops::find) == "its kernels give one tensor");
}
