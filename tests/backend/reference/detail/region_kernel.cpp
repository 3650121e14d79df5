// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/detail/region_kernel.hpp>

#include <cstdint>
#include <vector>

#include "../run_region.hpp"

#include "../../small_graph.hpp"

using namespace reference_test;
using on_eigen::region_step;

namespace {

/// Adds a number to three elements; fails where that makes more than 100.
kernel plus(float number) {
    kernel k = on_eigen::kernel_of(
        [number](const run_arguments& a) {
            for (std::size_t i = 0; i < 3; ++i) on_eigen::result<float>(a)[i] = on_eigen::input<float>(a, 0)[i] + number;
            return on_eigen::result<float>(a)[0] <= 100;
        },
        16);
    k.note = "plus";
    return k;
}

/// y = Neg(Abs(x)), both results.
inlay_test::whole_region two_calls() {
    ir_builder b;
    b.open_block();
    const node_type row = tensor_type(element_type::float32, {3});
    const node_id x = b.input("x", row), first = b.call("onnx.Abs", {x}, {}, row), second = b.call("onnx.Neg", {first}, {}, row);
    const node_id results[] = {second, first, second};
    b.declare(b.function(std::vector<node_id>{x}, b.tuple(results), "main"));
    return inlay_test::whole_region(b.finish());
}

}  // namespace

TEST_CASE("steps run in order, what stays inside lies in the workspace, and a result that stands twice is given twice") {
    const inlay_test::whole_region whole = two_calls();
    const region_view r = whole.view();
    std::vector<region_step> steps;
    steps.push_back({plus(1), {0}, {1}});
    steps.push_back({plus(10), {1}, {2}});
    const kernel k = on_eigen::region_program::make(r, std::move(steps));
    CHECK(k.note == "plus");
    const tensor x = tensor::of<float>({3}, {1, 2, 3});
    std::vector<tensor_type> types;
    for (const value_id v : r.results) types.push_back(r.type(v));
    for (const tensor& t : run(k, {x.data()}, types, 1)) {
        const float first = t.as<float>()[0];
        CHECK((first == 2 || first == 12));
        CHECK(t.as<float>()[2] == first + 2);
    }
}

TEST_CASE("the first step that fails ends the run") {
    const inlay_test::whole_region whole = two_calls();
    const region_view r = whole.view();
    std::vector<region_step> steps;
    steps.push_back({plus(1000), {0}, {1}});
    bool reached = false;
    steps.push_back({on_eigen::kernel_of([&](const run_arguments&) { reached = true; }), {1}, {2}});
    const kernel k = on_eigen::region_program::make(r, std::move(steps));
    const float x[] = {1, 2, 3};
    float y[3][3];
    const void* in[] = {x};
    void* out[] = {y[0], y[1], y[2]};
    buffer workspace(k.workspace_bytes);
    run_arguments a;
    a.inputs = in;
    a.results = out;
    a.workspace = workspace.data();
    CHECK_FALSE(k(a));
    CHECK_FALSE(reached);
}

TEST_CASE("one step that is the whole region is handed on as it is") {
    inlay_test::small_graph s;
    const inlay_test::whole_region whole(s.finish(s.call("onnx.Abs", {s.input({3})})));
    std::vector<region_step> steps;
    steps.push_back({plus(1), {0}, {1}});
    const kernel k = on_eigen::region_program::make(whole.view(), std::move(steps));
    CHECK(k.workspace_bytes == 16);
    CHECK(k.view_of.empty());
}
