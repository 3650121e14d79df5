// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/lowering.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>

using namespace inlay;

TEST_CASE("stages write what is computed, and what is in memory is not written again [loops.lower.stages]") {
    lowering made("n");
    const lowered_tensor x = made.input("x", tensor_type(element_type::float32, shape{extent(2)}));
    CHECK_FALSE(x.is_computed());
    const lowered_tensor same = made.stored(x);
    const lowered_tensor twice = made.computed({2}, element_type::float32, 1, [&](const std::vector<affine>& at) {
        return made.build().apply(scalar_function::add, {x.read(at), x.read(at)});
    });
    made.result("y", made.viewed(made.stored(twice), {1, 2}));
    CHECK(to_text(std::move(made).finish()) == R"(nest n {
    input x: float32[2]
    output y: float32[1, 2]
    scratch t: float32[2] {
        scratch t_1: float32[2] {
            for i < 2 {
                stack v: float32[1] {
                    v[0] = x[i] + x[i]
                    t[i] = v[0]
                }
            }
            for i_1 < 2 {
                t_1[i_1] = t[i_1]
            }
            for i_2 < 1 {
                for i_3 < 2 {
                    y[i_2, i_3] = t_1[2*i_2 + i_3]
                }
            }
        }
    }
}
)");
}

TEST_CASE("a call of a function is a stage, on operands in memory, with something to work in [loops.lower.stages]") {
    lowering made("n");
    const lowered_tensor x = made.input("x", tensor_type(element_type::float32, shape{extent(2)}));
    const lowered_tensor twice = made.computed({2}, element_type::float32, 1, [&](const std::vector<affine>& at) {
        return made.build().apply(scalar_function::add, {x.read(at), x.read(at)});
    });
    const lowered_tensor operands[] = {x, twice};
    const std::int64_t numbers[] = {5, 7};
    const lowered_tensor once = made.called("f", operands, {3}, element_type::float32, numbers, 4);
    CHECK_FALSE(once.is_computed());
    const lowered_tensor again[] = {x, x};
    const lowered_tensor other = made.called("f", again, {3}, element_type::float32, numbers, 4);
    made.result("y", once);
    made.result("z", other);
    const loop_nest n = std::move(made).finish();
    const auto sound = check_nest(n);
    CHECK_MESSAGE(sound.has_value(), sound.failure().message);
    CHECK(n.functions.size() == 1);
    const std::string text = to_text(n);
    CHECK_MESSAGE(
        text.find("external f(n, n_1) {\n        input x: float32[2]\n        input x_1: float32[2]\n        output pad: float32[4]\n"
                  "        output y: float32[3]\n") != std::string::npos,
        text);
    CHECK_MESSAGE(text.find("call f(x[0], t[0], pad[0], r[0], 5, 7)\n") != std::string::npos, text);
    CHECK_MESSAGE(text.find("call f(x[0], x[0], pad_1[0], r_1[0], 5, 7)\n") != std::string::npos, text);
}
