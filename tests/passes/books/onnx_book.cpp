// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/onnx_book.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/passes/books/algebra_rules.hpp>
#include <inlay/passes/books/attention_rules.hpp>
#include <inlay/passes/books/fold_batch_norm.hpp>
#include <inlay/passes/books/fused_operator_rules.hpp>
#include <inlay/passes/books/normal_rules.hpp>
#include <inlay/passes/books/quantization_rules.hpp>
#include <inlay/passes/books/reassociation_rules.hpp>
#include <inlay/passes/books/transpose_rules.hpp>

using namespace inlay;

namespace {

/// The rules of a book that is chosen while the program runs are those of the type, in its order.
template <class... Rules>
void check_same(onnx_book chosen, rule_book<Rules...>) {
    const auto rows = rows_of(chosen);
    REQUIRE(rows.size() == sizeof...(Rules));
    std::size_t i = 0;
    const auto check = [&](std::string_view name) { CHECK(rows[i++].name == name); };
    (check(Rules::name), ...);
    i = 0;
    const auto check_class = [&](exactness kind) { CHECK(rows[i++].kind == kind); };
    (check_class(Rules::kind), ...);
    for (const auto& row : rows) {
        CAPTURE(std::string(row.name));
        CHECK(row.left != nullptr);
        CHECK((row.right != nullptr) != (row.make != nullptr));
    }
}

}  // namespace

TEST_CASE("a book that is chosen by a value has the rules of its type") {
    check_same(onnx_book::algebra, algebra_rules());
    check_same(onnx_book::batch_norm, batch_norm_rules());
    check_same(onnx_book::forms, fused_operator_rules() + attention_rules());
    check_same(onnx_book::normal, normal_rules());
    check_same(onnx_book::quantization, quantization_rules());
    check_same(onnx_book::reassociation, reassociation_rules());
    check_same(onnx_book::transposes, transpose_rules());
}
