// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/xnnpack/entry.hpp>

#include <string>

#include <doctest/doctest.h>

#include "take.hpp"

using namespace inlay;
using namespace xnnpack_test;

TEST_CASE("an entry tells why it does not read a match, and makes code of the plan for the formats that it lists") {
    small_graph s;
    const node_id y = s.call("onnx.Conv", {s.input({1, 16, 8, 8}), s.random({16, 16, 1, 1})});
    const ir_module g = s.finish(y);
    const entries_asked asked = ask_entries(xnnpack(), g, [](const auto&) {});
    CHECK(asked.taken == 3);
    CHECK(asked.refused == backend_vtable_of<xnnpack>().count - 3);
}
