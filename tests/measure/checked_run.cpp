// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/checked_run.hpp>

#include <random>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/runtime/link.hpp>

#include "runtime/toy_plan.hpp"

using namespace inlay;

namespace {

const op_definition* find_onnx(std::string_view name) { return onnx_ops::find(name); }
/// Where Relu means Neg, every kernel of a Relu is wrong.
const op_definition* find_twisted(std::string_view name) { return onnx_ops::find(name == "onnx.Relu" ? "onnx.Neg" : name); }

}  // namespace

TEST_CASE("the first run of a program finds a step that gives other numbers than its meaning [measure.check.first_run]") {
    std::size_t compared = 0, wrong = 0, relus = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const ir_module m = toys::random_program(seed, 12);
        const toys::list backends;
        const plan made = toys::planned(m, backends);
        const auto code = link(m, backends, made.set, made.cut);
        REQUIRE(code.has_value());
        auto frame = code->make_frame();
        auto results = code->make_results();
        REQUIRE((frame && results));
        std::mt19937 random(seed);
        std::vector<tensor> inputs;
        for (const port& p : code->inputs()) {
            inputs.push_back(toys::random_image(random));
            REQUIRE(inputs.back().extents() == p.extents);
        }
        const auto right = run_checked(m, made.set, made.cut, *code, *frame, inputs, *results, {}, find_onnx);
        REQUIRE(right.has_value());
        CHECK(right->compared == code->steps().size());
        CHECK_MESSAGE(right->wrong.empty(), (right->wrong.empty() ? std::string() : right->wrong[0].reason));
        const auto again = code->run(inputs, {});
        REQUIRE(again.has_value());
        for (std::size_t i = 0; i < results->size(); ++i) CHECK((*results)[i].content() == (*again)[i].content());
        compared += right->compared;

        const auto twisted = run_checked(m, made.set, made.cut, *code, *frame, inputs, *results, {}, find_twisted);
        REQUIRE(twisted.has_value());
        for (const step_facts& f : code->steps()) {
            bool has_relu = false;
            if (!f.is_conversion) {
                const region_view region = made.set.candidates[f.number].view();
                for (const region_value& v : region.calls()) has_relu = has_relu || v.op == "onnx.Relu";
            }
            relus += has_relu;
        }
        wrong += twisted->wrong.size();
        for (const wrong_step& w : twisted->wrong) CHECK(w.reason.find("in the first run of the program") != std::string::npos);
    }
    CHECK(compared > 20);
    CHECK(relus > 0);
    CHECK(wrong == relus);
}
