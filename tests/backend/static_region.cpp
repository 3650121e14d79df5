// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/static_region.hpp>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;
using inlay_test::small_graph;
using inlay_test::whole_region;

TEST_CASE("every value of a region has a shape that is known before the run, what is left out aside") {
    small_graph t;
    const node_id x = t.input({2, 3});
    const whole_region known(t.finish(t.call("onnx.Clip", {x, t.absent(), t.scalar(1)})));
    CHECK(detail::check_static_region(known.view()));
    small_graph u;
    const whole_region open(u.finish(u.call("onnx.Relu", {u.input_of(tensor_type(element_type::float32, {extent(), 3}))})));
    CHECK(detail::check_static_region(open.view()).failure().message == "the shape of a value is not known before the run");
}
