// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/half_functions.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../compiled_nest.hpp"
#include "../nests.hpp"

#include <inlay/graph/tensor.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/loops/run/scalar_value.hpp>

using namespace inlay;

TEST_CASE("half precision is converted in C as by its bits, all of it [loops.half_functions]") {
    for (const element_type half : {element_type::float16, element_type::bfloat16}) {
        CAPTURE(name_of(half));
        const std::string name(name_of(half));
        tensor all(half, {65536});
        for (std::size_t i = 0; i < 65536; ++i) all.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
        const auto compiled = [&](const std::string& from, const std::string& to, const tensor& x) {
            const std::string count = std::to_string(x.count());
            const loop_nest n = nests::parsed("nest n { input x: " + from + "[" + count + "] output y: " + to + "[" + count + "] for i < " +
                                              count + " { y[i] = " + to + "(x[i]) } }");
            const auto made = to_c(n);
            REQUIRE(made);
            const auto got = nests::by_compiler(n, *made, {x}), meant = *run_nest(n, std::vector{x});
            REQUIRE(got.size() == 1);
            std::size_t differ = 0;
            for (std::size_t i = 0; i < x.count(); ++i) {
                const element_type e = got[0].element();
                const std::byte *const a = got[0].data() + i * size_of(e), *const b = meant[0].data() + i * size_of(e);
                // Of what is no number, which of them it is stays the processor's.
                const bool is_none = is_floating(e) && std::isnan(load_scalar(e, a).number) && std::isnan(load_scalar(e, b).number);
                if (!is_none && std::memcmp(a, b, size_of(e)) != 0) ++differ;
            }
            CHECK(differ == 0);
        };
        compiled(name, "float32", all);
        compiled(name, "float64", all);
        compiled(name, "int8", all);
        compiled(name, half == element_type::float16 ? "bfloat16" : "float16", all);
        compiled(name, name, all);
        std::mt19937 chance(7);
        // Any bits; and each half, and the middle between it and the next, with its neighbours.
        tensor single(element_type::float32, {400000}), wide(element_type::float64, {400000});
        for (std::size_t i = 0; i < single.count(); ++i) {
            const std::uint32_t bits = static_cast<std::uint32_t>(chance());
            single.as<float>()[i] = std::bit_cast<float>(bits);
            wide.as<double>()[i] = std::bit_cast<double>(std::uint64_t{bits} << 32 | chance());
        }
        for (std::size_t i = 0; i + 1 < 0x7f80; ++i) {
            const double low = load_scalar(half, all.data() + 2 * i).number, high = load_scalar(half, all.data() + 2 * (i + 1)).number;
            if (!std::isfinite(high)) break;
            const double middle = low + (high - low) / 2, sign = i % 2 == 0 ? 1 : -1;
            const auto nearest = static_cast<float>(middle);
            float* const s = single.as<float>().data() + 4 * i;
            double* const w = wide.as<double>().data() + 4 * i;
            s[0] = static_cast<float>(low * sign);
            s[1] = nearest;
            s[2] = std::nextafter(nearest, 0.0f);
            s[3] = std::nextafter(nearest, 1e38f);
            w[0] = low * sign;
            w[1] = middle;
            w[2] = std::nextafter(middle, 0.0);
            w[3] = std::nextafter(middle, 1e300);
        }
        std::size_t last = single.count();
        for (const float edge : {65504.f, 65519.99f, 65520.f, 65536.f, 3.4e38f}) single.as<float>()[--last] = edge;
        compiled("float32", name, single);
        compiled("float64", name, wide);
        compiled("int32", name, tensor::of<std::int32_t>({6}, {0, -1, 2049, 65519, 65520, INT32_MIN}));
        compiled("bool", name, tensor(element_type::boolean, {2}));
    }
}
