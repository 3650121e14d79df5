// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/runtime/emitted_kernels.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/testing/compare.hpp>

#include "toy_plan.hpp"

using namespace inlay;

namespace {

struct refusing {
    [[nodiscard]] static bool run(const run_arguments&) { return false; }
};

}  // namespace

TEST_CASE("programs that are linked one after another share kernels, and compute what each computes by itself") {
    std::size_t shared = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 4 + seed % 12);
        const toys::list backends;
        const plan made = toys::planned(m, backends);
        std::vector<std::vector<std::size_t>> covers{made.chosen.chosen};
        for (const contender& c : made.others)
            if (c.seconds) covers.push_back(c.chosen);
        covers.push_back(made.chosen.chosen);
        std::mt19937 random(seed);
        const std::vector<tensor> inputs{toys::random_image(random), toys::random_image(random), toys::random_image(random)};
        const auto expected = interpret(m, inputs);
        REQUIRE_MESSAGE(expected.has_value(), expected.failure().message);
        emitted_kernels known;
        for (const auto& cover : covers) {
            for (const std::size_t number : cover) shared += known.has(made.set.candidates[number]);
            const auto code = link(m, backends, made.set, partition(m, made.set, cover), known);
            REQUIRE_MESSAGE(code.has_value(), code.failure().message);
            CHECK(known.size() == cover.size());
            const auto found = code->run(inputs);
            REQUIRE_MESSAGE(found.has_value(), found.failure().message);
            for (std::size_t i = 0; i < found->size(); ++i) {
                const comparison c = compare((*found)[i], (*expected)[i], 1e-6, 1e-6);
                CHECK_MESSAGE(c.agrees, c.reason);
            }
        }
    }
    CHECK(shared > 0);
}

TEST_CASE("what is known is not emitted again, and is known by its formats too") {
    const ir_module m = toys::random_program(5, 12);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    const std::size_t number = made.chosen.chosen.front();
    emitted_kernels known;
    known.keep(made.set.candidates[number], {kernel(refusing{}), {}});
    std::mt19937 random(1);
    const std::vector<tensor> inputs{toys::random_image(random), toys::random_image(random), toys::random_image(random)};
    const auto code = link(m, backends, made.set, made.cut, known);
    REQUIRE_MESSAGE(code.has_value(), code.failure().message);
    CHECK_FALSE(code->run(inputs).has_value());
    candidate other = made.set.candidates[number];
    CHECK(known.has(other));
    for (format& f : other.formats.results) f.element = element_type::float64;
    CHECK_FALSE(known.has(other));
    CHECK_FALSE(known.find(other).has_value());
}

TEST_CASE("what two programs in a row did not ask for goes") {
    const ir_module m = toys::random_program(5, 12);
    const toys::list backends;
    const plan made = toys::planned(m, backends);
    const candidate& c = made.set.candidates[made.chosen.chosen.front()];
    emitted_kernels known;
    known.keep(c, {kernel(refusing{}), {}});
    known.forget_unused();
    CHECK(known.find(c).has_value());
    known.forget_unused();
    CHECK(known.size() == 1);
    known.forget_unused();
    CHECK(known.size() == 0);
}
