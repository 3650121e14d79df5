// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/emit_c_program.hpp>

#include <doctest/doctest.h>

#include "c_programs.hpp"
#include "run_compiled.hpp"

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/testing/compare.hpp>

using namespace c_programs;

namespace {

/// A back end whose code stays.
struct stays {
    static constexpr std::string_view kind = "stays", refines = "c";
    static constexpr device_type device = device_type::cpu;
    using options = option_list<>;
    static std::string version() { return "1"; }
    [[nodiscard]] outcome<void> usable() const { return {}; }
    static constexpr auto patterns() { return pattern_table(composite<"any">(dsl::any_call)); }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 1e-6; }
    [[nodiscard]] outcome<kernel> emit(const region_view&) const { return error{"never"}; }
};

/// One whose code leaves, but for sums.
struct has_no_sums : leaving {
    static constexpr std::string_view kind = "has_no_sums";

    [[nodiscard]] outcome<c_part> emit_c(const region_view& r, std::string_view name) const {
        if (r.calls().front().op == "onnx.Add") return error{"sums are left out"};
        return leaving::emit_c(r, name);
    }
};

}  // namespace

TEST_CASE("a program in C computes what the graph means, weights in it or beside it [c.program]") {
    std::mt19937 random(7);
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
        CAPTURE(seed);
        const ir_module m = random_program(seed, 1 + seed % 12);
        std::vector<tensor> inputs;
        for (int i = 0; i < 2; ++i)
            for (float& v : inputs.emplace_back(element_type::float32, std::vector<std::int64_t>{4, 4}).as<float>())
                v = static_cast<float>(random() % 65) / 32 - 1;
        const auto meant = interpret(m, inputs);
        REQUIRE(meant);
        const list backends;
        const plan made = planned(m, backends);
        c_program_options options;
        options.name = "net";
        options.weights = seed % 2 == 0 ? c_weights::embedded : c_weights::in_file;
        const auto program = emit_c_program(m, backends, made.set, made.cut, options);
        REQUIRE_MESSAGE(program.has_value(), program.failure().message);
        CHECK(program->arena_bytes >= program->arena_bound);
        const auto got = run_compiled(*program, inputs, *meant);
        for (std::size_t i = 0; i < got.size(); ++i) {
            const comparison c = compare(got[i], (*meant)[i], 1e-5, 1e-5);
            CHECK_MESSAGE(c.agrees, c.reason);
        }
    }
}

TEST_CASE("equal functions stand once, and what is a view has none [c.program]") {
    ir_builder b;
    b.open_block();
    const tensor_type square(element_type::float32, {4, 4});
    const node_id x[] = {b.input("x", square)};
    const node_id shape = b.constant(tensor::of<std::int64_t>({2}, {2, 8}));
    const node_id one = b.call("onnx.Transpose", {b.call("onnx.Transpose", {x[0]})});
    b.declare(b.function(x, b.call("onnx.Relu", {b.call("onnx.Reshape", {one, shape})}), "main"));
    const auto m = infer_types(b.finish());
    REQUIRE(m);
    const list backends;
    const plan made = planned(*m, backends);
    const auto program = emit_c_program(*m, backends, made.set, made.cut, {.name = "int"});
    REQUIRE(program);
    CHECK(program->name == "int_");
    CHECK(program->function_count == 2);
    CHECK(program->calls.size() == 3);
    CHECK(program->arena_bytes == 128);
    CHECK(program->calls[0] == "int__transpose(inputs->x, (void*)(arena + 0)); /* on leaving */");
}

TEST_CASE("code that does not leave is refused by the back end's name [c.program.refused]") {
    const ir_module m = random_program(3, 4);
    const backend_list<stays> backends;
    const plan made = planned(m, backends);
    const auto program = emit_c_program(m, backends, made.set, made.cut);
    REQUIRE_FALSE(program);
    CHECK(program.failure().message.find("back end 'stays' has no C for composite 'any' at node") == 0);
    CHECK(program.failure().message.find("its code does not leave as C") != std::string::npos);
}

TEST_CASE("all candidates without C are told at once, and none of a back end whose code stays [c.program.refused]") {
    ir_builder b;
    b.open_block();
    const tensor_type square(element_type::float32, {4, 4});
    const node_id x[] = {b.input("x", square)};
    const node_id one = b.call("onnx.Add", {x[0], x[0]}), two = b.call("onnx.Add", {b.call("onnx.Relu", {one}), one});
    b.declare(b.function(x, two, "main"));
    const auto m = infer_types(b.finish());
    REQUIRE(m);
    const backend_list<has_no_sums> partly;
    const plan made = planned(*m, partly);
    std::vector<emit_failure> failures;
    const auto program = emit_c_program(*m, partly, made.set, made.cut, {}, &failures);
    REQUIRE_FALSE(program);
    CHECK(program.failure().message.ends_with(": sums are left out"));
    REQUIRE(failures.size() == 2);
    for (const emit_failure& f : failures) {
        CHECK(m->op(made.set.candidates[f.candidate].root) == "onnx.Add");
        CHECK(f.reason == "sums are left out");
    }
    failures.clear();
    const backend_list<stays> none;
    const plan stayed = planned(*m, none);
    REQUIRE_FALSE(emit_c_program(*m, none, stayed.set, stayed.cut, {}, &failures));
    CHECK(failures.empty());
}
