// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/passes/books/relay_shape_rules.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include <inlay/ops/loops/stretching.hpp>
#include <inlay/ops/onnx/arg_reduction.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/gathering.hpp>
#include <inlay/ops/onnx/joining.hpp>
#include <inlay/ops/onnx/padding.hpp>
#include <inlay/ops/onnx/reduction.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/onnx/slicing.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/onnx/variadic.hpp>
#include <inlay/ops/op_table.hpp>

#include "ops/relay_program.hpp"

using namespace inlay;
using namespace inlay_test;
using ops_here = op_table<onnx_arg_reductions<>, onnx_arithmetic<>, onnx_casts<>, onnx_gathering<>, onnx_joining<>, onnx_padding<>,
                          onnx_reductions<>, onnx_reshaping<>, onnx_slicing<>, onnx_stretching<>, onnx_transposition<>, onnx_variadics<>>;

namespace {

const tensor x = counting({2, 3, 4});

attribute_map with(std::initializer_list<attribute_map::entry> entries) { return attribute_map(entries); }

}  // namespace

TEST_CASE("reshape, squeeze, expand_dims and broadcast_to keep the elements' order [ops.relay.reshape]") {
    for (const auto& [newshape, extents] :
         {std::pair(ints{6, 4}, ints{6, 4}), std::pair(ints{0, -1}, ints{2, 12}), std::pair(ints{-1}, ints{24})}) {
        const tensor y = of_call<ops_here>("reshape", {x}, with({{"newshape", newshape}}));
        CHECK(y.extents() == extents);
        CHECK(elements_of<float>(y) == elements_of<float>(x));
    }
    CHECK(refusal_of<ops_here>("reshape", {x}, with({{"newshape", ints{-5}}})).find("reshape has a newshape with -5") != std::string::npos);
    for (const auto& [newshape, extents] :
         {std::pair(ints{-3, 0}, ints{6, 4}), std::pair(ints{-2, 1}, ints{2, 3, 4, 1}), std::pair(ints{0, -4, -1, 1, 4}, ints{2, 3, 1, 4})})
        CHECK(of_call<ops_here>("reshape", {x}, with({{"newshape", newshape}})).extents() == extents);
    CHECK(of_call<ops_here>("contrib_reverse_reshape", {x}, with({{"newshape", ints{-1, 0}}})).extents() == ints{6, 4});
    CHECK(of_call<ops_here>("reshape", {counting({0, 3})}, with({{"newshape", ints{3, 0}}, {"allowzero", std::int64_t{1}}})).extents() ==
          ints{3, 0});
    CHECK(of_call<ops_here>("squeeze", {counting({1, 3, 1})}, with({{"axis", ints{}}})).extents() == ints{1, 3, 1});
    CHECK(of_call<ops_here>("squeeze", {counting({1, 3, 1})}).extents() == ints{3});
    CHECK(of_call<ops_here>("squeeze", {counting({1, 3, 1})}, with({{"axis", ints{-1}}})).extents() == ints{1, 3});
    CHECK(of_call<ops_here>("squeeze", {counting({1, 3, 1})}, with({{"axis", std::int64_t{0}}})).extents() == ints{3, 1});
    CHECK(of_call<ops_here>("expand_dims", {x}, with({{"axis", std::int64_t{1}}, {"num_newaxis", std::int64_t{2}}})).extents() ==
          ints{2, 1, 1, 3, 4});
    CHECK(of_call<ops_here>("expand_dims", {x}, with({{"axis", std::int64_t{-1}}})).extents() == ints{2, 3, 4, 1});
    const tensor row = counting({1, 4});
    check_elements(of_call<ops_here>("broadcast_to", {row}, with({{"shape", ints{2, 3, 4}}})), {2, 3, 4}, [&](const ints& i) {
        return at(row, {0, i[2]});
    });
}

TEST_CASE("transpose takes its axes, counted from either end, or turns all round") {
    check_elements(of_call<ops_here>("transpose", {x}, with({{"axes", ints{1, -1, 0}}})), {3, 4, 2}, [](const ints& i) {
        return at(x, {i[2], i[0], i[1]});
    });
    check_elements(of_call<ops_here>("transpose", {x}), {4, 3, 2}, [](const ints& i) { return at(x, {i[2], i[1], i[0]}); });
}

TEST_CASE("concatenate joins the fields of a tuple, stack along a new axis") {
    const tensor y = counting({2, 1, 4}, 100);
    relay_program p, q;
    check_elements(p.run<ops_here>(p.call("concatenate", {p.tuple({p.input(x), p.input(y)})}, with({{"axis", std::int64_t{1}}}))),
                   {2, 4, 4}, [&](const ints& i) {
                       return i[1] < 3 ? at(x, i) : at(y, {i[0], 0, i[2]});
                   });
    const node_id a = q.input(x), b = q.input(x);
    check_elements(q.run<ops_here>(q.call("stack", {q.tuple({a, q.call("add", {a, b})})}, with({{"axis", std::int64_t{-1}}}))),
                   {2, 3, 4, 2}, [&](const ints& i) {
                       return at(x, {i[0], i[1], i[2]}) * static_cast<double>(1 + i[3]);
                   });
}

TEST_CASE("split gives sections of one size, or what lies between indices") {
    relay_program p, q, r, s;
    const node_id halves = p.call("split", {p.input(x)}, with({{"indices_or_sections", std::int64_t{2}}, {"axis", std::int64_t{-1}}}));
    check_elements(p.run<ops_here>(p.call("subtract", {p.field(halves, 1), p.field(halves, 0)})), {2, 3, 2},
                   [](const ints&) { return 2.0; });
    const node_id pieces = q.call("split", {q.input(x)}, with({{"indices_or_sections", ints{1, 3}}, {"axis", std::int64_t{2}}}));
    check_elements(q.run<ops_here>(q.field(pieces, 1)), {2, 3, 2}, [](const ints& i) { return at(x, {i[0], i[1], i[2] + 1}); });
    CHECK(r.refused<ops_here>(
               r.field(r.call("split", {r.input(x)}, with({{"indices_or_sections", std::int64_t{3}}, {"axis", std::int64_t{2}}})), 0))
              .find("3 sections") != std::string::npos);
    CHECK(s.refused<ops_here>(
               s.field(s.call("split", {s.input(x)}, with({{"indices_or_sections", ints{3, 1}}, {"axis", std::int64_t{2}}})), 0))
              .find("do not ascend") != std::string::npos);
}

TEST_CASE("strided_slice goes from begin to end, or takes sizes") {
    check_elements(of_call<ops_here>("strided_slice", {x}, with({{"begin", ints{0, 2}}, {"end", ints{1, -4}}, {"strides", ints{1, -1}}})),
                   {1, 3, 4}, [](const ints& i) {
                       return at(x, {i[0], 2 - i[1], i[2]});
                   });
    check_elements(
        of_call<ops_here>("strided_slice", {x}, with({{"begin", ints{1}}, {"end", ints{100}}, {"strides", ints{2}}, {"axes", ints{2}}})),
        {2, 3, 2}, [](const ints& i) {
            return at(x, {i[0], i[1], 1 + 2 * i[2]});
        });
    check_elements(of_call<ops_here>("strided_slice", {x},
                                     with({{"begin", ints{1, 0, 1}}, {"end", ints{-1, 2, 2}}, {"slice_mode", std::string("size")}})),
                   {1, 2, 2}, [](const ints& i) {
                       return at(x, {1 + i[0], i[1], 1 + i[2]});
                   });
    // Backwards from before an axis there is no element, unlike in ONNX.
    check_elements(of_call<ops_here>("strided_slice", {x}, with({{"begin", ints{0, -9}}, {"end", ints{2, -20}}, {"strides", ints{1, -1}}})),
                   {2, 0, 4}, [](const ints& i) { return at(x, i); });
    CHECK(refusal_of<ops_here>("strided_slice", {x}, with({{"begin", ints{0}}, {"end", ints{1, 2}}})).find("of one length") !=
          std::string::npos);
}

TEST_CASE("nn.pad takes pairs for each axis, and the number as an operand or an attribute") {
    const ints width{0, 0, 1, 0, 0, 2};
    const auto padded = [](double number) {
        return [number](const ints& i) { return i[1] == 0 || i[2] >= 4 ? number : at(x, {i[0], i[1] - 1, i[2]}); };
    };
    check_elements(of_call<ops_here>("nn.pad", {x}, with({{"pad_width", width}, {"pad_value", 7.0}})), {2, 4, 6}, padded(7));
    check_elements(of_call<ops_here>("nn.pad", {x, tensor::scalar(-1.5f)}, with({{"pad_width", width}})), {2, 4, 6}, padded(-1.5));
    check_elements(of_call<ops_here>("nn.pad", {x}, with({{"pad_width", width}, {"pad_mode", std::string("edge")}})), {2, 4, 6},
                   [](const ints& i) {
                       return at(x, {i[0], std::max<std::int64_t>(i[1] - 1, 0), std::min<std::int64_t>(i[2], 3)});
                   });
    CHECK(refusal_of<ops_here>("nn.pad", {x}, with({{"pad_width", ints{1, 1}}})).find("pair for each of its 3 axes") != std::string::npos);
}

TEST_CASE("reductions go over named axes, all others, or all") {
    struct reduction {
        const char* op;
        double begin;
        double (*step)(double, double);
    };
    const tensor small = noise({2, 3, 4}, 9);
    for (const reduction& r :
         {reduction{"sum", 0, [](double a, double b) { return a + b; }}, reduction{"mean", 0, [](double a, double b) { return a + b / 3; }},
          reduction{"max", -9, [](double a, double b) { return std::max(a, b); }},
          reduction{"min", 9, [](double a, double b) { return std::min(a, b); }},
          reduction{"prod", 1, [](double a, double b) { return a * b; }}}) {
        CAPTURE(std::string(r.op));
        const auto expected = [&](std::int64_t i, std::int64_t k) {
            double all = r.begin;
            for (std::int64_t j = 0; j < 3; ++j) all = r.step(all, at(small, {i, j, k}));
            return all;
        };
        check_elements(of_call<ops_here>(r.op, {small}, with({{"axis", ints{-2}}})), {2, 4},
                       [&](const ints& i) { return expected(i[0], i[1]); });
        check_elements(
            of_call<ops_here>(r.op, {small}, with({{"axis", ints{0, 2}}, {"exclude", std::int64_t{1}}, {"keepdims", std::int64_t{1}}})),
            {2, 1, 4}, [&](const ints& i) { return expected(i[0], i[2]); });
    }
    check_elements(of_call<ops_here>("sum", {x}), {}, [](const ints&) { return 276.0; });
    CHECK(refusal_of<ops_here>("sum", {x}, with({{"axis", ints{3}}})).find("axis that its operand does not have") != std::string::npos);
}

TEST_CASE("argmax and argmin give 32 bits") {
    const tensor y = tensor::of({2, 3}, floats{1, 5, 5, 0, -2, 3});
    CHECK(elements_of<std::int32_t>(of_call<ops_here>("argmax", {y}, with({{"axis", std::int64_t{1}}}))) ==
          std::vector<std::int32_t>{1, 2});
    CHECK(elements_of<std::int32_t>(of_call<ops_here>("argmax", {y}, with({{"axis", ints{1}}, {"select_last_index", std::int64_t{1}}}))) ==
          std::vector<std::int32_t>{2, 2});
    CHECK(elements_of<std::int64_t>(of_call<ops_here>("argmin", {y}, with({{"axis", std::int64_t{0}}, {"dtype", std::string("int64")}}))) ==
          ints{1, 1, 1});
    CHECK(elements_of<std::int32_t>(of_call<ops_here>("argmin", {y})) == std::vector<std::int32_t>{4});
    CHECK(of_call<ops_here>("argmax", {y}, with({{"keepdims", std::int64_t{1}}})).extents() == ints{1, 1});
    CHECK(refusal_of<ops_here>("argmax", {x}, with({{"axis", ints{0, 1}}})).find("several axes") != std::string::npos);
}

TEST_CASE("take stops at the ends, along an axis or in all elements") {
    const tensor indices = tensor::of({3}, std::vector<std::int32_t>{2, -5, 9});
    check_elements(of_call<ops_here>("take", {x, indices}, with({{"axis", std::int64_t{1}}})), {2, 3, 4}, [](const ints& i) {
        return at(x, {i[0], i[1] == 1 ? 0 : 2, i[2]});
    });
    check_elements(of_call<ops_here>("take", {x, indices}), {3}, [](const ints& i) {
        return std::vector<double>{2, 0, 9}[static_cast<std::size_t>(i[0])];
    });
    CHECK(refusal_of<ops_here>("take", {x, indices}, with({{"mode", std::string("odd")}})).find("mode 'odd'") != std::string::npos);
}
