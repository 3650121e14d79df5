// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;
using namespace inlay::detail;

namespace {

/// Doubles the rows of a tall matrix, adds a row and a number per batch of rows, and rectifies.
openblas_program tall(std::int64_t batches, std::int64_t rows, std::int64_t columns, int threads) {
    openblas_program p;
    p.threads = threads;
    p.product.rows = static_cast<blasint>(rows);
    p.product.columns = p.product.inner = p.product.step = static_cast<blasint>(columns);
    p.product.a = p.product.b = {false, static_cast<blasint>(columns)};
    p.a = {0, {}, false};
    tensor twice(element_type::float32, {columns, columns});
    for (std::int64_t i = 0; i < columns; ++i) twice.as<float>()[static_cast<std::size_t>(i * columns + i)] = 2;
    p.b = openblas_source::of(twice);
    for (std::int64_t i = 0; i < batches; ++i)
        p.batches.push_back({static_cast<std::size_t>(i * rows * columns), 0, static_cast<std::size_t>(i * rows * columns)});
    p.after = openblas_epilogue({batches, rows, columns});
    CHECK(p.after.empty());
    p.after.combine(chain_step::combination::add, {1, {}, false}, {0, 0, 1});
    p.after.combine(chain_step::combination::add, {2, {}, false}, {1, 0, 0});
    p.after.function({elementwise_function::form::relu});
    CHECK_FALSE(p.after.empty());
    return p;
}

}  // namespace

TEST_CASE("what follows a product is done once to every row, also where the result is larger than a slice") {
    for (const int threads : {1, 2})
        for (const std::int64_t rows : {1, 3, 5000}) {
            constexpr std::int64_t batches = 2, columns = 48;
            const kernel k = openblas_program::finish(tall(batches, rows, columns, threads));
            CHECK(k.note == (rows == 1 ? "sgemv" : "sgemm"));
            std::vector<float> x(static_cast<std::size_t>(batches * rows * columns)), y(x.size(), -1);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) - 8;
            std::vector<float> row(columns), number{3, -4};
            for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i % 5);
            const void* in[] = {x.data(), row.data(), number.data()};
            void* out[] = {y.data()};
            run_arguments a;
            a.inputs = in;
            a.results = out;
            REQUIRE(k(a));
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < y.size(); ++i) {
                const std::size_t batch = i / static_cast<std::size_t>(rows * columns);
                wrong += y[i] != std::max(2 * x[i] + row[i % columns] + number[batch], 0.0f);
            }
            CHECK(wrong == 0);
        }
}
