// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/float_constant.hpp>

#include <doctest/doctest.h>

#include "small_graph.hpp"

using namespace inlay;

TEST_CASE("only a constant of float32 elements has a value in float32") {
    inlay_test::small_graph s;
    const node_id x = s.input({2}), w = s.constant(tensor::of<float>({2}, {1, 2})), indices = s.integers({0, 1});
    const inlay_test::whole_region whole(s.finish(s.call("onnx.Gather", {s.call("onnx.Add", {x, w}), indices})));
    const region_view r = whole.view();
    std::size_t found = 0;
    for (value_id v = 0; v < r.values.size(); ++v) {
        const tensor* t = detail::float_constant(r, v);
        CHECK((t != nullptr) == (r[v].origin == w));
        if (t != nullptr) CHECK(t->as<float>()[1] == 2);
        found += t != nullptr ? 1 : 0;
    }
    CHECK(found == 1);
}
