// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CANDIDATE_TOY_BACKENDS_HPP
#define INLAY_TESTS_CANDIDATE_TOY_BACKENDS_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace toys {

/// Element-wise calls, element after element: right in every layout, as long as all tensors lie the same.
struct elementwise_code {
    struct step {
        std::string op;
        std::size_t a, b;
    };
    std::size_t count = 0, inputs = 0;
    std::vector<step> steps;
    std::vector<std::size_t> results;

    [[nodiscard]] bool run(const inlay::run_arguments& arguments) const {
        std::vector<float> v(inputs + steps.size());
        for (std::size_t e = 0; e < count; ++e) {
            for (std::size_t i = 0; i < inputs; ++i) v[i] = static_cast<const float*>(arguments.inputs[i])[e];
            for (std::size_t i = 0; i < steps.size(); ++i) {
                const step& s = steps[i];
                v[inputs + i] = s.op == "onnx.Add" ? v[s.a] + v[s.b] : s.op == "onnx.Mul" ? v[s.a] * v[s.b] : std::max(v[s.a], 0.0f);
            }
            for (std::size_t i = 0; i < results.size(); ++i) static_cast<float*>(arguments.results[i])[e] = v[results[i]];
        }
        return true;
    }
};

[[nodiscard]] inline inlay::outcome<inlay::kernel> elementwise_kernel(const inlay::region_view& r) {
    if (r.constant_count != 0) return inlay::error{"it takes no constants"};
    elementwise_code code;
    code.inputs = r.input_count;
    code.count = inlay::stored_elements(inlay::static_shape(r.type(r.results[0])), r.result_formats[0].order);
    for (const inlay::region_value& v : r.calls())
        code.steps.push_back({std::string(v.op), v.operands[0], v.operands[v.operands.size() - 1]});
    code.results.assign(r.results.begin(), r.results.end());
    return inlay::kernel(std::move(code));
}

/// Takes one call at a time, row-major, a second each.
struct rows {
    static constexpr std::string_view kind = "reference", refines = "llvm";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    using options = inlay::option_list<>;

    static std::string version() { return "1"; }
    [[nodiscard]] inlay::outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return inlay::pattern_table(inlay::composite<"add">(op<"onnx.Add">), inlay::composite<"mul">(op<"onnx.Mul">),
                                    inlay::composite<"relu">(op<"onnx.Relu">));
    }
    [[nodiscard]] std::vector<inlay::border_formats> formats(const inlay::region_view& r) const { return {inlay::plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const inlay::region_view&) const { return 1.0; }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const inlay::region_view& r) const { return elementwise_kernel(r); }
};

/// Takes chains as well; fast with the channels last, slower row-major. Knows no lone product.
struct chains {
    static constexpr std::string_view kind = "chains", refines = "llvm";
    static constexpr inlay::device_type device = inlay::device_type::cpu;
    int threads = 1;
    using options = inlay::option_list<inlay::option<"threads", &chains::threads, "how many threads">>;

    static std::string version() { return "2"; }
    [[nodiscard]] inlay::outcome<void> usable() const { return {}; }
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return inlay::pattern_table(inlay::composite<"add_relu">(op<"onnx.Relu">(as<"sum">(op<"onnx.Add">))),
                                    inlay::composite<"mul_add">(commutative<"onnx.Add">(op<"onnx.Mul">, any)),
                                    inlay::composite<"relu">(op<"onnx.Relu">), inlay::composite<"add">(op<"onnx.Add">));
    }
    [[nodiscard]] std::vector<inlay::border_formats> formats(const inlay::region_view& r) const {
        const inlay::border_formats plain = inlay::plain_borders(r);
        inlay::border_formats last = plain;
        for (inlay::format& f : last.inputs) f.order = inlay::layout::channels_last();
        for (inlay::format& f : last.results) f.order = inlay::layout::channels_last();
        return {last, plain};
    }
    [[nodiscard]] std::optional<double> price(const inlay::region_view& r) const {
        const double each = r.result_formats[0].order == inlay::layout::plain() ? 0.9 : 0.25;
        return each + 0.125 * static_cast<double>(r.calls().size());
    }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const inlay::region_view& r) const { return elementwise_kernel(r); }
};

using list = inlay::backend_list<chains, rows>;

[[nodiscard]] inline inlay::tensor_type image() { return {inlay::element_type::float32, {1, 3, 2, 2}}; }

/// A program of that many sums, products and rectifiers over three inputs; what nobody reads leaves it.
[[nodiscard]] inline inlay::ir_module random_program(std::uint32_t seed, std::size_t calls) {
    std::mt19937 random(seed);
    inlay::ir_builder b;
    b.open_block();
    std::vector<inlay::node_id> values{b.input("x", image()), b.input("y", image()), b.input("z", image())};
    const std::vector<inlay::node_id> parameters = values;
    std::vector<bool> read(3 + calls, false);
    const auto pick = [&] {
        // Mostly what was made last, so that chains come about.
        const std::size_t back = std::min<std::size_t>(values.size(), random() % 4 == 0 ? values.size() : 2);
        const std::size_t at = values.size() - 1 - random() % back;
        read[at] = true;
        return values[at];
    };
    for (std::size_t i = 0; i < calls; ++i) {
        const std::uint32_t what = static_cast<std::uint32_t>(random() % 5);
        inlay::node_id made = 0;
        if (what < 2) {
            made = b.call("onnx.Relu", {pick()}, {}, image(), "relu" + std::to_string(i));
        } else {
            const inlay::node_id left = pick(), right = pick();
            made = b.call(what < 4 ? "onnx.Add" : "onnx.Mul", {left, right}, {}, image(), "two" + std::to_string(i));
        }
        values.push_back(made);
    }
    std::vector<inlay::node_id> leaving;
    for (std::size_t i = 3; i < values.size(); ++i)
        if (!read[i]) leaving.push_back(values[i]);
    b.declare(b.function(parameters, b.tuple(leaving), "main"));
    return b.finish();
}

/// A program of one input and one result that `make(builder, input)` gives.
template <class Make>
[[nodiscard]] inlay::ir_module program_of(const inlay::node_type& input, Make&& make) {
    inlay::ir_builder b;
    b.open_block();
    const inlay::node_id x[] = {b.input("x", input)};
    const inlay::node_id result = make(b, x[0]);
    b.declare(b.function(x, result, "main"));
    return b.finish();
}

}  // namespace toys

#endif
