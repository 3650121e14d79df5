// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/op_definition.hpp>

#include <doctest/doctest.h>

using namespace inlay;

struct no_ops {
    static const op_definition* find(std::string_view) { return nullptr; }
};
struct wrong_ops {
    static op_definition find(std::string_view) { return {}; }
};
static_assert(op_set<no_ops> && !op_set<wrong_ops> && !op_set<int>);

TEST_CASE("A definition says nothing by itself") {
    const op_definition d{"mine.Op"};
    CHECK(d.kind == op_kind::opaque);
    CHECK((d.infer == nullptr && d.evaluate == nullptr && d.work == nullptr));
}
