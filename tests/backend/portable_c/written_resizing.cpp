// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_resizing.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "check_call.hpp"

#include <inlay/ops/loops/convert_elements.hpp>

using namespace inlay;
using namespace portable_c_test;

TEST_CASE("resized tensors are those of the interpreter, whether their places repeat or not [portable_c.resizing]") {
    CHECK(holds_in_few([] {
        const auto n = [] { return *rc::gen::inRange<std::int64_t>(1, 8); };
        const std::vector<std::int64_t> x{1, 2, n(), n()}, y{1, 2, n(), n()};
        const std::string mode = *rc::gen::element<std::string>("nearest", "linear", "cubic");
        const attribute_map how{
            {"mode", mode},
            {"coordinate_transformation_mode",
             *rc::gen::element<std::string>("half_pixel", "half_pixel_symmetric", "asymmetric", "pytorch_half_pixel", "align_corners")},
            {"nearest_mode", *rc::gen::element<std::string>("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")},
            {"exclude_outside", std::int64_t{mode == "cubic" && *rc::gen::arbitrary<bool>()}},
            {"antialias", std::int64_t{*rc::gen::arbitrary<bool>()}}};
        const tensor none(element_type::float32, {0});
        const auto values = some_floats(x);
        const std::vector<tensor> sizes{none, none, tensor::of({4}, y)};
        check_call("onnx.Resize", {values}, how, 1, sizes);
        check_call("onnx.Resize", {*convert_elements(values, element_type::float16)}, how, 1, sizes, 0x1p-9);
        check_call("onnx.Resize", {some_integers<std::int8_t>(x, -100, 100)}, how, 1, sizes, 1);
        // A part that goes beyond the tensor, with another number there.
        attribute_map cropped = how;
        cropped.set("coordinate_transformation_mode", std::string("tf_crop_and_resize"));
        cropped.set("extrapolation_value", 7.5);
        const tensor part = tensor::of<float>({8}, {0, 0, 0.25f, -0.5f, 1, 1, 1.5f, 0.75f});
        check_call("onnx.Resize", {values}, cropped, 1, {part, none, tensor::of({4}, y)});
    }));
}

TEST_CASE("where tables would be too long, places that repeat are loops, and others have no code [portable_c.refused]") {
    const auto refused = [](std::int64_t size, std::int64_t from) {
        ir_builder b;
        b.open_block();
        const node_id x = b.input("x", tensor_type(element_type::float32, {from})), none = b.constant(tensor(element_type::float32, {0}));
        const node_id sizes = b.constant(tensor::of<std::int64_t>({1}, {size}));
        b.declare(b.function({&x, 1}, b.call("onnx.Resize", {x, none, none, sizes}), "main"));
        const auto typed = infer_types(b.finish());
        REQUIRE(typed);
        const inlay_test::whole_region whole(*typed);
        const std::string why = detail::refuse_c(whole.view());
        CHECK(why.empty() == bool(portable_c{}.emit_c(whole.view(), "part")));
        return why;
    };
    CHECK(refused(65536, 1000).empty());
    CHECK(refused(80000, 40000).empty());
    CHECK(refused(80000, 39999) == "onnx.Resize: tables for an axis of 80000 places are too long to be written");
}

TEST_CASE("sizes that are known only at the run have no code [portable_c.refused]") {
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", tensor_type(element_type::float32, {1, 1, 3, 3})),
                  sizes = b.input("s", tensor_type(element_type::int64, {4}));
    const node_id none = b.constant(tensor(element_type::float32, {0}));
    const node_id all[] = {x, sizes};
    b.declare(b.function(all, b.call("onnx.Resize", {x, none, none, sizes}), "main"));
    const auto typed = infer_types(b.finish());
    REQUIRE(typed);
    const inlay_test::whole_region whole(*typed);
    CHECK(detail::refuse_c(whole.view()).find("not known before the run") != std::string::npos);
}
