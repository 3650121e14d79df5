// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cutlass/cutlass_arguments.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("each parameter of the text has its place in a launch, in one order") {
    detail::cutlass_arguments a;
    const auto places = a.places();
    const std::string text = detail::cutlass_arguments::parameters();
    CHECK(text.find("const float* a, const float* b, const float* c, float* d, int rows, int columns, int inner, int batches, ") == 0);
    std::size_t commas = 0;
    for (const char c : text) commas += c == ',' ? 1 : 0;
    CHECK(commas + 1 == places.size());
    for (void* const place : places) CHECK(place != nullptr);
    CHECK(places.front() == &a.a);
    CHECK(places[4] == &a.rows);
    CHECK(text.ends_with("float alpha, float beta"));
    CHECK(places.back() == &a.beta);
}
