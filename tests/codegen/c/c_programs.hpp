// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CODEGEN_C_C_PROGRAMS_HPP
#define INLAY_TESTS_CODEGEN_C_C_PROGRAMS_HPP

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/candidate/composite_entry.hpp>
#include <inlay/codegen/c/emit_c_program.hpp>
#include <inlay/codegen/c/part_of_nest.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/emit/region_nest.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pipeline.hpp>

namespace c_programs {

using namespace inlay;

/// A back end whose code leaves: loops as they are lowered, reshapes as views.
struct leaving {
    static constexpr std::string_view kind = "leaving", refines = "c";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;

    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return pattern_table(composite<"any">(dsl::any_call)); }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 1e-6; }
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        auto nest = lower_to_loops(*this, r, "region");
        if (!nest) return nest.failure();
        return nest_kernel(*nest);
    }
    [[nodiscard]] outcome<c_part> emit_c(const region_view& r, std::string_view name) const {
        if (r.calls().front().op == "onnx.Reshape" && r.calls().front().operands.front() < r.input_count) {
            c_part view;
            view.name = std::string(name);
            view.constants = {*r.constants().front().value};
            view.views = {{0, 64}};
            return view;
        }
        auto nest = lower_to_loops(*this, r, std::string(name));
        if (!nest) return nest.failure();
        return part_of_nest(*std::move(nest));
    }
};

using list = backend_list<leaving>;

/// What prices are asked for that nobody states: none.
struct no_meter {
    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) const {
        const double sample[] = {1e-6};
        return std::vector<measurement>(jobs.size(), measurement::of(sample));
    }
};
struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

template <class List>
[[nodiscard]] plan planned(const ir_module& m, const List& backends) {
    no_meter meter;
    plan_options options;
    options.fallback = backends.kind(0);
    auto made = make_plan(m, backends, meter, no_bound(), options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    return *std::move(made);
}

/// A program of squares of 16 elements, as 4 x 4 or as 2 x 8: sums, products, turned and reshaped ones. Its results may be views, inputs,
/// constants and each other.
[[nodiscard]] inline ir_module random_program(std::uint32_t seed, std::size_t calls) {
    std::mt19937 random(seed);
    ir_builder b;
    b.open_block();
    const tensor_type square(element_type::float32, {4, 4});
    const std::vector<node_id> parameters{b.input("x", square), b.input("y", square)};
    std::vector<node_id> values = parameters;
    std::vector<float> halves;
    for (int i = 0; i < 16; ++i) halves.push_back(static_cast<float>(i) / 16 - 0.5f);
    values.push_back(b.constant(tensor::of<float>({4, 4}, halves)));
    const node_id flat = b.constant(tensor::of<std::int64_t>({2}, {2, 8})), whole = b.constant(tensor::of<std::int64_t>({2}, {4, 4}));
    const auto pick = [&] { return values[random() % 2 == 0 ? values.size() - 1 : random() % values.size()]; };
    for (std::size_t i = 0; i < calls; ++i) {
        const node_id a = pick(), c = pick();
        switch (random() % 5) {
            case 0:
                values.push_back(b.call("onnx.Add", {a, c}));
                break;
            case 1:
                values.push_back(b.call("onnx.Tanh", {b.call("onnx.MatMul", {a, c})}));
                break;
            case 2:
                values.push_back(b.call("onnx.Transpose", {a}));
                break;
            case 3:
                values.push_back(b.call("onnx.Reshape", {b.call("onnx.Relu", {b.call("onnx.Reshape", {a, flat})}), whole}));
                break;
            default:
                values.push_back(b.call("onnx.Reshape", {a, whole}));
        }
    }
    const node_id results[] = {values.back(), pick(), pick()};
    b.declare(b.function(parameters, b.tuple(results), "main"));
    auto typed = infer_types(b.finish());
    if (!typed) FAIL(typed.failure().message);
    return *std::move(typed);
}

}  // namespace c_programs

#endif
