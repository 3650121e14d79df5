// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/device_kernel.hpp>

#include <cstddef>
#include <utility>

#include <doctest/doctest.h>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/graph/users.hpp>

#include "../codegen/device_toys.hpp"

using namespace inlay;

namespace {

/// Says what it was given.
struct looking_kernel {
    std::size_t elements;
    bool* has_values;
    bool* has_room;

    bool run(const run_arguments& a) const {
        const auto* const x = static_cast<const float*>(a.inputs[0]);
        for (std::size_t i = 0; i < elements; ++i) *has_values = *has_values || x[i] != 0;
        *has_room = a.results[0] != nullptr && a.results[0] != a.inputs[0] && a.workspace != nullptr;
        return true;
    }
};

}  // namespace

TEST_CASE("a kernel of a device gets tensors in its memory, with numbers in them, and a workspace there") {
    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const node_id calls[] = {results[0]};
    const region body(m, users, results, calls);
    const device_toys::apart device;
    const border_formats there = device.formats(body.view())[0];
    bool has_values = false, has_room = false;
    const std::size_t elements = *element_count(static_shape(body.view().type(0)));
    const auto made = detail::device_kernel::make(device, body.view(there.inputs, there.results),
                                                  kernel(looking_kernel{elements, &has_values, &has_room}, 128));
    if (!made) FAIL(made.failure().message);
    CHECK((*made)({}));
    CHECK(has_values);
    CHECK(has_room);
}
