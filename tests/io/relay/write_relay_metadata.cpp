// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/write_relay_metadata.hpp>

#include <doctest/doctest.h>

#include <inlay/io/relay/read_relay.hpp>
#include <inlay/io/relay/relay_document.hpp>
#include <inlay/ir/ir_builder.hpp>

TEST_CASE("places and tensors that a text refers to come back with it") {
    inlay::ir_builder b;
    const inlay::node_id x = b.input("x", inlay::tensor_type(inlay::element_type::float32, {2}));
    b.set_where(x, inlay::placement::on(inlay::device_type::cuda, 1));
    const inlay::node_id c = b.constant(inlay::tensor::of<float>({2}, std::vector<float>{1, 2}));
    const inlay::node_id parameters[] = {x};
    b.declare(b.function(parameters, b.call("add", {x, c}, {}, b.so_far().type(x)), "main"));
    const auto read = inlay::read_relay(inlay::relay_document(b.finish_in_blocks()));
    REQUIRE(read);
    CHECK(read->where(read->inputs()[0]) == inlay::placement::on(inlay::device_type::cuda, 1));
    CHECK(read->constant(read->operand(read->result(read->main()), 1))->as<float>()[1] == 2);
}
