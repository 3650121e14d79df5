// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/kernel/hosted_kernel.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../device_toys.hpp"

using namespace inlay;

namespace {

/// y = x + 1 for three elements, in whatever memory; leaves the last as it was.
struct two_of_three {
    bool run(const run_arguments& a) const {
        const auto* x = static_cast<const float*>(a.inputs[0]);
        auto* y = static_cast<float*>(a.results[0]);
        if (a.workspace == nullptr) return false;
        a.workspace[7] = std::byte{1};
        for (std::size_t i = 0; i < 2; ++i) y[i] = x[i] + 1;
        return true;
    }
};

/// A region of one input and one result of three elements, in the device's memory.
struct device_region {
    node_type type{tensor_type(element_type::float32, {3})};
    attribute_map none;
    value_id operand = 0, result = 1;
    std::vector<region_value> values;
    std::vector<format> formats;

    explicit device_region(memory_scope where) {
        values.resize(2);
        for (region_value& v : values) {
            v.attributes = &none;
            v.type = &type;
        }
        values[0].kind = region_value::role::input;
        values[1].kind = region_value::role::call;
        values[1].op = "onnx.Neg";
        values[1].operands = {&operand, 1};
        formats.push_back(plain_format(element_type::float32));
        formats[0].scope = where;
    }
    [[nodiscard]] region_view view() const { return {values, 1, 0, {&result, 1}, formats, formats}; }
};

}  // namespace

TEST_CASE("a device's kernel reads and writes main memory, and what it leaves as it was comes back") {
    const device_toys::apart device;
    const device_region region(device_toys::device_main);
    const kernel code(two_of_three{}, 8);
    CHECK(hosted_border::is_elsewhere(region.view()));
    const hosted_border border(region.view());
    CHECK_FALSE(hosted_border::is_elsewhere(border.region()));
    const auto hosted = hosted_kernel::make(device, region.view(), code);
    REQUIRE_MESSAGE(hosted.has_value(), hosted.failure().message);
    const std::vector<float> x{1, 2, 3};
    std::vector<float> y{9, 9, 9};
    const void* const reads[] = {x.data()};
    void* const writes[] = {y.data()};
    std::vector<std::byte> workspace(hosted->workspace_bytes);
    CHECK((*hosted)({reads, writes, workspace.data(), {}}));
    CHECK(y == std::vector<float>{2, 3, 9});
}

TEST_CASE("a device without room, or a memory that no copy leads to, has no such kernel") {
    device_toys::apart device;
    const kernel code(two_of_three{}, 8);
    const device_region near(device_toys::device_near);
    const auto apart = hosted_kernel::make(device, near.view(), code);
    REQUIRE_FALSE(apart.has_value());
    CHECK(apart.failure().message == "its tensors are in a memory that no copy from main memory leads to");
    device.size = 8;
    const device_region region(device_toys::device_main);
    const auto full = hosted_kernel::make(device, region.view(), code);
    REQUIRE_FALSE(full.has_value());
    CHECK(full.failure().message == "the toy has 8 bytes");
}
