// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// Compiled alone: in a file that includes this header nobody compiles the kernels.
#include <inlay/backend/reference/kernels_extern.hpp>

#include <doctest/doctest.h>

using namespace inlay;

// The other files of this program compile the kernels.

TEST_CASE("kernels that another file compiles are found and can be made") {
    const detail::on_eigen::operator_entry* relu = detail::on_eigen::own_operator("onnx.Relu");
    REQUIRE(relu != nullptr);
    CHECK(relu->name == "onnx.Relu");
    CHECK((relu->make != nullptr));
    CHECK(detail::on_eigen::own_operator("onnx.NoSuchOperator") == nullptr);
}
