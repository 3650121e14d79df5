// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/backend.hpp>

#include "region_of.hpp"

using namespace reference_test;

static_assert(backend<reference>);

namespace {

/// Knows Relu of float64 and nothing else.
struct relu_alone {
    static outcome<node_type> infer(const call_view& call) { return node_type(call.type(0)); }
    static outcome<std::vector<tensor>> evaluate(const call_view&, std::span<const tensor> operands) {
        tensor y(element_type::float64, operands[0].extents());
        for (std::size_t i = 0; i < y.count(); ++i) y.as<double>()[i] = std::max(0.0, operands[0].as<double>()[i]);
        return std::vector<tensor>{y};
    }
    static constexpr op_definition definition{"onnx.Relu", op_kind::elementwise, infer, evaluate, nullptr};
    static const op_definition* find(std::string_view name) { return name == definition.name ? &definition : nullptr; }
};
using small_reference = reference_on<relu_alone>;
static_assert(backend<small_reference>);

std::vector<tensor> run_whole(const whole_region& w, const std::vector<tensor>& inputs, int threads = 1) {
    small_reference r;
    r.threads = threads;
    const auto k = r.emit(w.view());
    INFO((k ? std::string() : k.failure().message));
    REQUIRE(k.has_value());
    std::vector<const void*> places;
    for (const tensor& t : inputs) places.push_back(t.data());
    return run(*k, places, result_types(w.view()), 4);
}

}  // namespace

TEST_CASE("a region of several calls runs them in order, views inside it costing nothing") {
    seeded random(1);
    const tensor x = random.floats({2, 3, 4}), c = random.floats({4});
    small_program p;
    const node_id in = p.input(x.type()), constant = p.build.constant(c);
    const node_id sum = p.call("onnx.Add", {in, constant}, x.type());
    const node_id flat = p.call("onnx.Reshape", {sum, p.build.constant(list(shape64{6, 4}))}, float_type({6, 4}));
    const node_id turned = p.call("onnx.Transpose", {flat}, float_type({4, 6}));
    const whole_region w(p.finish({turned}));
    check_floats(run_whole(w, {x})[0], [&](std::size_t i) {
        const std::size_t row = i / 6, column = i % 6;
        return static_cast<double>(x.as<float>()[column * 4 + row]) + static_cast<double>(c.as<float>()[row]);
    });
}

TEST_CASE("a call of several outputs gives those that are read, each where it is wanted") {
    const tensor x = seeded(2).floats({2, 6});
    small_program p;
    const node_id in = p.input(x.type());
    const node_id parts = p.build.call("onnx.Split", {in}, {{"axis", std::int64_t{1}}},
                                       node_type::tuple({float_type({2, 1}), float_type({2, 2}), float_type({2, 3})}));
    const node_id last = p.build.projection(parts, 2), first = p.build.projection(parts, 0);
    const node_id negative = p.call("onnx.Neg", {first}, float_type({2, 1}));
    const whole_region w(p.finish({last, first, negative}));
    const auto got = run_whole(w, {x});
    REQUIRE(got.size() == 3);
    CHECK(got[0].as<float>()[3] == x.as<float>()[9]);
    CHECK(got[1].as<float>()[1] == x.as<float>()[6]);
    CHECK(got[2].as<float>()[1] == -x.as<float>()[6]);
}

TEST_CASE("a reshape alone is a view of the region's input, and of no constant") {
    const tensor x = seeded(3).floats({2, 6});
    small_program p;
    const node_id in = p.input(x.type());
    const node_id flat = p.call("onnx.Reshape", {in, p.build.constant(list(shape64{12}))}, float_type({12}));
    const whole_region w(p.finish({flat}));
    const auto k = small_reference().emit(w.view());
    REQUIRE(k.has_value());
    CHECK(k->view_of == std::vector<std::int32_t>{0});
    CHECK(std::equal(x.data(), x.data() + x.bytes(), run_whole(w, {x})[0].data()));

    small_program q;
    const node_id constant = q.build.constant(x);
    const whole_region v(q.finish({q.call("onnx.Flatten", {constant}, x.type())}));
    const auto copied = small_reference().emit(v.view());
    REQUIRE(copied.has_value());
    CHECK(copied->view_of.empty());
    CHECK(std::equal(x.data(), x.data() + x.bytes(), run_whole(v, {})[0].data()));
}

TEST_CASE("an operator without a kernel of its own runs by its meaning, and says so") {
    small_program p;
    const tensor x = tensor::of({3}, std::vector<double>{-1, 0, 2});
    const node_id in = p.input(x.type());
    const whole_region w(p.finish({p.call("onnx.Relu", {in}, x.type())}));
    const auto k = small_reference().emit(w.view());
    REQUIRE(k.has_value());
    CHECK(k->note == "interpreted");
    const auto got = run_whole(w, {x});
    CHECK(got[0].as<double>()[0] == 0);
    CHECK(got[0].as<double>()[2] == 2);
}

TEST_CASE("what nobody knows is refused in one sentence") {
    small_program p;
    const node_id in = p.input(float_type({1}));
    const whole_region w(p.finish({p.call("mine.Unheard", {in}, float_type({1}))}));
    const auto k = small_reference().emit(w.view());
    REQUIRE(!k.has_value());
    CHECK(k.failure().message ==
          "back end 'reference' cannot run a call of mine.Unheard: the operator set has no meaning of mine.Unheard; give the call to "
          "another back end");
    small_program q;
    const node_id open = q.input(tensor_type(element_type::float32, {extent("n")}));
    const whole_region v(q.finish({q.call("onnx.Relu", {open}, tensor_type(element_type::float32, {extent("n")}))}));
    CHECK(!small_reference().emit(v.view()).has_value());
}
