// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_scatters.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"

#include <inlay/ops/loops/convert_elements.hpp>

using namespace inlay;
using namespace portable_c_test;

TEST_CASE("elements and rows that indices name are replaced or joined as the interpreter does [portable_c.scatters]") {
    CHECK(holds_in_few([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 5); };
        const std::vector<std::int64_t> x{n(), n()};
        const std::string reduction =
            *rc::gen::element(std::string("none"), std::string("add"), std::string("mul"), std::string("max"), std::string("min"));
        const std::int64_t axis = *rc::gen::inRange<std::int64_t>(-2, 2), size = x[static_cast<std::size_t>(axis + 2) % 2];
        std::vector<std::int64_t> places = x;
        places[static_cast<std::size_t>(axis + 2) % 2] = n();
        const int kind = *rc::gen::inRange(0, 3);
        const auto some = [&](const std::vector<std::int64_t>& e) {
            if (kind == 0) return some_integers<std::int8_t>(e, -128, 128);
            const tensor floats = some_floats(e);
            return kind == 1 ? floats : *convert_elements(floats, element_type::float16);
        };
        check_call("onnx.ScatterElements", {some(x), some_integers(places, -size, size), some(places)},
                   {{"axis", axis}, {"reduction", reduction}});
        const std::int64_t named = n() % 2 + 1, rows = n();
        check_call("onnx.ScatterND",
                   {some(x), some_integers({rows, named}, named == 1 ? -x[0] : 0, named == 1 ? x[0] : std::min(x[0], x[1])),
                    some(named == 1 ? std::vector{rows, x[1]} : std::vector{rows})},
                   {{"reduction", reduction}});
    }));
}
