// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_NESTS_HPP
#define INLAY_TESTS_LOOPS_NESTS_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_builder.hpp>
#include <inlay/loops/nest/parse_nest.hpp>

namespace inlay::nests {

/// A nest that has to be sound.
inline loop_nest parsed(const std::string& text) {
    const auto made = parse_nest(text);
    if (!made) FAIL(made.failure().message);
    return *made;
}

/// A matrix product of ragged extents.
inline const std::string product = R"(
nest product {
    input a: float32[5, 7]
    input b: float32[7, 6]
    output c: float32[5, 6]
    for i < 5 {
        for j < 6 { c[i, j] = 0.0 }
        for m < 6 { for k < 7 { c[i, m] += a[i, k] * b[k, m] } }
    }
}
)";

/// A convolution of one row with what stands beside it, zeros behind its ends.
inline const std::string blur = R"(
nest blur {
    input x: float32[9]
    output y: float32[9]
    for i < 9 {
        stack sum: float32[1] {
            sum[0] = 0.0
            for k < 3 { sum[0] += within(0 <= i + k - 1 < 9, x[i + k - 1], 0.0) }
            y[i] = max(sum[0] / 3.0, 0.0)
        }
    }
}
)";

/// A matrix product in tiles, each a call of what a machine may have an instruction for.
inline const std::string by_tiles = R"(nest by_tiles {
    input a: float32[8, 12]
    input b: float32[12, 8]
    output c: float32[8, 8]
    intrinsic mma {
        input x: float32[4, 3]
        input y: float32[3, 4]
        output z: float32[4, 4]
        for i < 4 {
            for j < 4 {
                for k < 3 {
                    z[i, j] += x[i, k] * y[k, j]
                }
            }
        }
    }
    for m < 2 {
        for n < 2 {
            for p < 4 {
                for q < 4 {
                    c[4*m + p, 4*n + q] = 0.0
                }
            }
            for k < 4 {
                call mma(a[4*m, 3*k], b[3*k, 4*n], c[4*m, 4*n])
            }
        }
    }
}
)";

/// A row is scaled by a function of which nothing is known.
inline const std::string by_library = R"(nest by_library {
    input x: float32[4, 6]
    output y: float32[4, 6]
    external scale_row(count, place) {
        input from: float32[6]
        output to: float32[6]
    }
    for i < 4 {
        call scale_row(x[i, 0], y[i, 0], 6, 2*i - 1)
    }
}
)";

/// Numbers from -1 to 1 that floating types hold exactly, whole ones from -8 to 8 where the element type is whole.
inline tensor random_tensor(element_type e, const std::vector<std::int64_t>& extents) {
    tensor t(e, extents);
    for (std::size_t i = 0; i < t.count(); ++i) {
        const int n = *rc::gen::inRange(-8, 9);
        if (e == element_type::float32) t.as<float>()[i] = static_cast<float>(n) / 8;
        if (e == element_type::int32) t.as<std::int32_t>()[i] = n;
    }
    return t;
}

/// A tensor for each input of a nest.
inline std::vector<tensor> random_inputs(const loop_nest& n) {
    std::vector<tensor> all;
    for (const nest_buffer& b : n.buffers)
        if (b.scope == buffer_scope::input) all.push_back(random_tensor(b.element, b.extents));
    return all;
}

/// The same without chance.
inline std::vector<tensor> some_inputs(const loop_nest& n) {
    std::vector<tensor> all;
    for (const nest_buffer& b : n.buffers) {
        if (b.scope != buffer_scope::input) continue;
        tensor& t = all.emplace_back(b.element, b.extents);
        for (std::size_t i = 0; i < t.count(); ++i) {
            const int v = static_cast<int>((i * 7 + all.size() * 5) % 17) - 8;
            if (b.element == element_type::float32) t.as<float>()[i] = static_cast<float>(v) / 8;
            if (b.element == element_type::int32) t.as<std::int32_t>()[i] = v;
        }
    }
    return all;
}

/// An expression of numbers over the loops and inputs that a builder has, each input read at the loops themselves.
inline expression_id random_expression(nest_builder& b, const std::vector<buffer_id>& inputs, const std::vector<affine>& at, int depth) {
    const element_type e = b.so_far().buffers[inputs.front()].element;
    const bool is_real = is_floating(e);
    const auto part = [&] { return random_expression(b, inputs, at, depth - 1); };
    switch (depth == 0 ? *rc::gen::inRange(0, 3) : *rc::gen::inRange(0, 9)) {
        case 0:
            return is_real ? b.number(*rc::gen::inRange(-8, 9) / 8.0, e) : b.integer(*rc::gen::inRange(-8, 9), e);
        case 1:
            return b.cast(b.index(at[*rc::gen::inRange<std::size_t>(0, at.size())]), e);
        case 2:
            return b.load(*rc::gen::elementOf(inputs), at);
        case 3:
            return b.apply(scalar_function::add, {part(), part()});
        case 4:
            return b.apply(scalar_function::subtract, {part(), part()});
        case 5:
            return b.apply(scalar_function::multiply, {part(), part()});
        case 6:
            return b.apply(*rc::gen::element(scalar_function::maximum, scalar_function::minimum), {part(), part()});
        case 7: {
            const expression_id left = part(), right = part(), condition = b.apply(scalar_function::less, {left, right});
            return b.choose(condition, part(), part());
        }
        default: {
            const expression_id then = part();
            return b.within({{*rc::gen::inRange<std::int64_t>(-2, 3), at[0] + affine(*rc::gen::inRange<std::int64_t>(-2, 3)), 4}}, then,
                            part());
        }
    }
}

/// A sound nest of two loops that computes a random expression of each element, of float32 or int32.
inline loop_nest random_nest() {
    nest_builder b("by_chance");
    const element_type e = *rc::gen::element(element_type::float32, element_type::int32);
    const std::vector<std::int64_t> extents{*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9)};
    std::vector<buffer_id> inputs;
    const int count = *rc::gen::inRange(1, 4);
    for (int i = 0; i < count; ++i) inputs.push_back(b.buffer(buffer_scope::input, "x", e, extents));
    const buffer_id y = b.buffer(buffer_scope::output, "y", e, extents,
                                 *rc::gen::arbitrary<bool>() ? std::vector<std::int64_t>{1, 10} : std::vector<std::int64_t>{});
    const variable_id i = b.variable("i"), j = b.variable("j");
    const std::vector<affine> at{affine::of(i), affine::of(j)};
    const expression_id value = random_expression(b, inputs, at, *rc::gen::inRange(0, 5));
    const statement_id inner = b.loop(j, extents[1], b.store(y, at, value));
    const statement_id outer = b.loop(i, extents[0], inner, *rc::gen::element(loop_kind::serial, loop_kind::parallel));
    return std::move(b).finish(outer);
}

/// Two stages over memory of their own, then one that gives the result: each reads the stage before it, one element or three beside each
/// other, and all read an input.
inline loop_nest random_stages() {
    nest_builder b("stages");
    const std::int64_t rows = *rc::gen::inRange<std::int64_t>(1, 7), columns = *rc::gen::inRange<std::int64_t>(1, 7);
    const std::vector<std::int64_t> extents{rows, columns};
    const buffer_id x = b.buffer(buffer_scope::input, "x", element_type::float32, extents);
    const buffer_id y = b.buffer(buffer_scope::output, "y", element_type::float32, extents);
    const buffer_id s = b.buffer(buffer_scope::scratch, "s", element_type::float32, extents);
    const buffer_id t = b.buffer(buffer_scope::scratch, "t", element_type::float32, extents);
    std::vector<statement_id> stages;
    buffer_id from = x;
    for (const buffer_id to : {s, t, y}) {
        const variable_id i = b.variable("i"), j = b.variable("j");
        const std::vector<affine> at{affine::of(i), affine::of(j)};
        statement_id body = 0;
        if (*rc::gen::arbitrary<bool>()) {
            body = b.store(to, at, b.apply(scalar_function::add, {b.load(from, at), random_expression(b, {x}, at, 1)}));
        } else {
            // Along either axis.
            const std::size_t axis = *rc::gen::inRange<std::size_t>(0, 2);
            const variable_id k = b.variable("k");
            std::vector<affine> beside = at;
            beside[axis] += affine::of(k) - affine(1);
            const expression_id near = b.within({{0, beside[axis], extents[axis]}}, b.load(from, beside), b.number(0.5));
            const statement_id begin = b.store(to, at, b.load(x, at));
            body = b.block({begin, b.loop(k, 3, b.update(to, at, scalar_function::add, near))});
        }
        stages.push_back(b.loop(i, rows, b.loop(j, columns, body)));
        from = to;
    }
    const statement_id all = b.block(std::move(stages));
    return std::move(b).finish(b.allocate(s, b.allocate(t, all)));
}

}  // namespace inlay::nests

#endif
