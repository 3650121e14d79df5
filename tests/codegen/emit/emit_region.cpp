// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/emit_region.hpp>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

using namespace inlay;

namespace {

/// By way of nests, its constants lifted; its last phase drops rectifiers where an option says so.
template <constants_policy Policy>
struct nested : toys::by_nests<nested<Policy>> {
    static constexpr std::string_view kind = "nested";
    static constexpr constants_policy constants = Policy;
    bool rectifies = true;
    using options = option_list<option<"rectifies", &nested::rectifies, "whether it rectifies">>;
    using nest = toys::one_loop;

    static constexpr auto phases() {
        return phase_list(loop_phase<2, "drop">([](const nested& self, nest n) -> outcome<nest> {
            for (auto& s : n.body.steps)
                if (!self.rectifies && s.op == "onnx.Relu") s.op = "onnx.Mul";
            n.done += "drop";
            return n;
        }));
    }
    static constexpr auto strategies() {
        return strategy_table(
            strategy<"onnx.Add", "onnx.Relu">([](const nested&, const region_view& r, value_id at, nest& into) -> outcome<void> {
                if (r.constant_count != 0) return error{"a constant stands in the region"};
                into.body.steps.push_back({std::string(r[at].op), r[at].operands[0], r[at].operands[r[at].operands.size() - 1]});
                return {};
            }));
    }
};
using lifted = nested<constants_policy::lift>;
using embedded = nested<constants_policy::embed>;

/// The same by graph, with a result that is its constant's bytes.
struct viewing : toys::rows {
    static constexpr constants_policy constants = constants_policy::lift;
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        auto made = toys::elementwise_kernel(r);
        if (made) made->view_of = {static_cast<std::int32_t>(r.input_count) - 1};
        if (made) made->note = std::to_string(r.input_formats.size()) + " formats";
        if (made) made->workspace_bytes = 640;
        return made;
    }
};

/// Relu(c + x), a constant read first.
ir_module sum_with_a_constant() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id c = b.constant(tensor::of({1, 3, 2, 2}, toys::twelve(-8, 1)));
        return b.call("onnx.Relu", {b.call("onnx.Add", {c, x}, {}, toys::image())}, {}, toys::image());
    });
}

}  // namespace

TEST_CASE(
    "a back end by way of nests is asked like one without: it lowers, its phases run on the instance, it emits [codegen.emit.one-way]") {
    const toys::sample_region sum(toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Relu", {b.call("onnx.Add", {x, x}, {}, toys::image())}, {}, toys::image());
    }));
    embedded squares;
    squares.rectifies = false;
    const std::vector<float> x = toys::twelve(-3, 0.5f);
    const backend_list<embedded> list, other{squares};
    const auto plain = list.emit(0, sum.view()), squared = other.emit(0, sum.view());
    REQUIRE((plain && squared));
    CHECK(plain->note == "drop");
    const std::vector<float> a = toys::run(*plain, {x}), b = toys::run(*squared, {x});
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(a[i] == std::max(x[i] * 2, 0.0f));
        CHECK(b[i] == x[i] * 2 * x[i] * 2);
    }
}

TEST_CASE(
    "constants are embedded unless the back end says that they are lifted, and then are inputs while code is made "
    "[codegen.constants.lifted]") {
    const toys::sample_region sum(sum_with_a_constant());
    REQUIRE(sum.view().constant_count == 1);
    CHECK(emit_region(embedded(), sum.view()).failure().message ==
          "back end 'nested' could not lower 'onnx.Add': a constant stands in the region");
    const auto made = emit_region(lifted(), sum.view());
    REQUIRE(made.has_value());
    const std::vector<float> x = toys::twelve(3, 0.25f), c = toys::twelve(-8, 1), y = toys::run(*made, {x});
    for (std::size_t i = 0; i < 12; ++i) CHECK(y[i] == std::max(x[i] + c[i], 0.0f));
}

TEST_CASE("a kernel with lifted constants keeps its workspace and note, and no result takes a constant's place") {
    const toys::sample_region sum(sum_with_a_constant());
    const auto made = emit_region(viewing(), sum.view());
    REQUIRE(made.has_value());
    CHECK(made->note == "2 formats");
    CHECK(made->workspace_bytes == 640);
    CHECK(made->view_of == std::vector<std::int32_t>{-1});
    const toys::sample_region none(
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); }));
    const auto plain = emit_region(viewing(), none.view());
    REQUIRE(plain.has_value());
    CHECK(plain->view_of == std::vector<std::int32_t>{0});
}

TEST_CASE("more constants than fit a small array are bound as well") {
    const toys::sample_region many(toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        node_id sum = x;
        for (int i = 0; i < 70; ++i)
            sum =
                b.call("onnx.Add", {sum, b.constant(tensor::of({1, 3, 2, 2}, toys::twelve(static_cast<float>(i), 0)))}, {}, toys::image());
        return sum;
    }));
    const auto made = emit_region(lifted(), many.view());
    REQUIRE(made.has_value());
    CHECK(toys::run(*made, {toys::twelve(1, 0)}) == toys::twelve(1 + 69 * 70 / 2, 0));
}
