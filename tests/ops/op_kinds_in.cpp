// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/op_kinds_in.hpp>

#include <doctest/doctest.h>

#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/op_table.hpp>

using namespace inlay;

namespace {
struct family {
    static constexpr op_definition table[] = {{"toy.Relu", op_kind::elementwise}, {"toy.Conv", op_kind::anchor}};
};
struct ops : op_table<family> {};
static_assert(op_kind_source<op_kinds_in<ops>, ir_module>);
}  // namespace

TEST_CASE("an operator that the set does not know, or whose result's size depends on data, is opaque [candidate.kind.unknown]") {
    ir_builder b;
    b.open_block();
    const node_type known = tensor_type(element_type::float32, {4}), symbolic = tensor_type(element_type::float32, {extent("n")}),
                    unknown = tensor_type(element_type::float32, {extent()});
    const node_id x = b.input("x", known);
    const node_id calls[] = {b.call("toy.Relu", {x}, {}, known),
                             b.call("toy.Conv", {x}, {}, symbolic),
                             b.call("toy.Relu", {x}, {}, unknown),
                             b.call("toy.Else", {x}, {}, known),
                             b.call("toy.Relu", {x}),
                             b.call("toy.Relu", {x}, {}, node_type::tuple({known, unknown})),
                             b.call("toy.Conv", {x}, {}, node_type::tuple({known, symbolic})),
                             b.call("toy.Conv", {x}, {}, tensor_type(element_type::float32))};
    const node_id parameters[] = {x};
    b.declare(b.function(parameters, b.tuple(calls), "main"));
    const ir_module m = b.finish();
    const op_kinds_in<ops> kind;
    CHECK(kind(m, calls[0]) == op_kind::elementwise);
    CHECK(kind(m, calls[1]) == op_kind::anchor);
    CHECK(kind(m, calls[2]) == op_kind::opaque);
    CHECK(kind(m, calls[3]) == op_kind::opaque);
    CHECK(kind(m, calls[4]) == op_kind::opaque);
    CHECK(kind(m, calls[5]) == op_kind::opaque);
    CHECK(kind(m, calls[6]) == op_kind::anchor);
    CHECK(kind(m, calls[7]) == op_kind::opaque);
}
