// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/part_size.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

TEST_CASE("a part's size is its nodes, its constants and border tensors once each, and the most that lives at one time") {
    const tensor_type small(element_type::float32, {10}), large(element_type::float32, {100});
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", small);
    const node_id w = b.constant(tensor(element_type::float32, {25}));
    const node_id grown = b.call("onnx.A", {x, w}, {}, large);
    const node_id shrunk = b.call("onnx.B", {grown, w}, {}, small);
    const node_id last = b.call("onnx.C", {shrunk, x}, {}, small);
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, last, "main"));
    const ir_module m = b.finish();
    part_sizes sizes(m);
    const std::vector<node_id> all{grown, shrunk, last}, head{grown}, tail{shrunk, last};
    // x and the result at the border, w once; while the second node runs, x, the large tensor and the small one live.
    CHECK(sizes(all) == part_size{3, 40 + 40 + 100, 40 + 400 + 40});
    CHECK(sizes(head) == part_size{1, 40 + 100 + 400, 440});
    CHECK(sizes(tail) == part_size{2, 400 + 100 + 40 + 40, 480});
    // Nothing is left over from one call to the next.
    CHECK(sizes(all) == part_size{3, 180, 480});
    CHECK(plain_bytes(node_type::tuple({node_type(small), node_type(large)})) == 440);
    CHECK(plain_bytes(node_type()) == 0);
}
