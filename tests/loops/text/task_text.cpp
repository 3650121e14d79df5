// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/text/task_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/testing/compare.hpp>

#include "../nests.hpp"

using namespace inlay;

namespace {

using entry = void(const void* const*, void* const*, std::byte*, std::int32_t, std::int64_t, std::int64_t);

/// Nests compiled as one text, warnings being errors.
struct compiled_text {
    std::vector<loop_nest> nests;
    task_text made;
    shared_library code;

    /// What a nest gives where the rounds of each stage are run in pieces of at most so many, the last piece first; results and workspace
    /// are full of garbage beforehand.
    [[nodiscard]] std::vector<tensor> in_pieces(std::size_t which, const std::vector<tensor>& inputs, std::int64_t piece) const {
        auto* const call = code.function<entry>("entry_" + std::to_string(which));
        REQUIRE((call != nullptr));
        const task_function& f = made.functions[which];
        std::vector<tensor> results;
        std::vector<const void*> from;
        std::vector<void*> to;
        for (const tensor& t : inputs) from.push_back(t.data());
        for (const nest_buffer& b : nests[which].buffers)
            if (b.scope == buffer_scope::output) results.emplace_back(b.element, b.extents);
        for (tensor& t : results) {
            std::fill_n(static_cast<std::byte*>(t.data()), t.count() * size_of(t.element()), std::byte{0xa5});
            to.push_back(t.data());
        }
        buffer workspace(f.printed.workspace_bytes);
        std::fill_n(workspace.data(), workspace.size(), std::byte{0xa5});
        for (std::size_t s = 0; s < f.stages.size(); ++s)
            for (std::int64_t last = f.stages[s].rounds; last > 0; last -= piece)
                call(from.data(), to.data(), workspace.data(), static_cast<std::int32_t>(s), std::max(last - piece, std::int64_t{0}), last);
        return results;
    }
    void check(std::size_t which, std::int64_t piece) const {
        CAPTURE(nests[which].name);
        const std::vector<tensor> inputs = nests::some_inputs(nests[which]);
        const auto meant = run_nest(nests[which], inputs);
        REQUIRE(meant);
        const std::vector<tensor> got = in_pieces(which, inputs, piece);
        REQUIRE(got.size() == meant->size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            const comparison seen = compare(got[i], (*meant)[i], 1e-6, 1e-6);
            CHECK_MESSAGE(seen.agrees, seen.reason);
        }
    }
};

compiled_text compiled(std::vector<loop_nest> nests,
                       std::vector<std::string> flags = {"-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"}) {
    auto made = to_tasks(nests);
    if (!made) FAIL(made.failure().message);
    compiler_request how = nest_compiler(std::move(flags));
    how.source = made->text;
    for (std::size_t i = 0; i < nests.size(); ++i)
        how.source += inlay::detail::entry_text(nests[i], made->functions[i].printed.workspace_bytes, "entry_" + std::to_string(i),
                                                "int32_t inlay_stage, int64_t inlay_first, int64_t inlay_last",
                                                "inlay_stage, inlay_first, inlay_last");
    auto code = compile(how);
    if (!code) FAIL(code.failure().message << "\n" << how.source);
    return {std::move(nests), *std::move(made), *std::move(code)};
}
compiled_text compiled(const std::string& text) { return compiled(std::vector{nests::parsed(text)}); }

/// The rounds of each stage.
std::vector<std::int64_t> rounds(const task_function& f) {
    std::vector<std::int64_t> all;
    for (const task_stage& s : f.stages) all.push_back(s.rounds);
    return all;
}

}  // namespace

TEST_CASE("nests in one text share the functions that they need, and compile without a warning") {
    const auto one = [](const std::string& name, const std::string& value) {
        return nests::parsed("nest " + name +
                             " { input x: float32[3, 5] output y: float32[3, 5] for i < 3 parallel { for j < 5 { y[i, j] = " + value +
                             " } } }");
    };
    const compiled_text c =
        compiled({one("first", "max(tanh(x[i, j]), 0.0)"), one("two", "exp(max(x[i, j], 1.0))"), one("three", "tanh(exp(x[i, j]))")});
    for (std::size_t i = 0; i < c.nests.size(); ++i) c.check(i, 2);
    for (const char* const shared : {"float inlay_vector_exp(", "float inlay_vector_tanh(", "float inlay_max_float32("}) {
        const std::size_t at = c.made.text.find(shared);
        REQUIRE_MESSAGE(at != std::string::npos, shared);
        CHECK_MESSAGE(c.made.text.find(shared, at + 1) == std::string::npos, shared);
    }
    CHECK(to_tasks({})->text.empty());
}

TEST_CASE("rounds that load under bounds load the same at the compiler's highest level [loops.c.masked-loads]") {
    const auto padded = [](const std::string& element, std::int64_t rows, std::int64_t columns) {
        const std::string r = std::to_string(rows), c = std::to_string(columns);
        return nests::parsed("nest pad_" + element + r + "_" + c + " { input x: " + element + "[" + r + ", " + c +
                             "] output y: " + element + "[" + std::to_string(rows + 3) + ", " + c + "] for i < " +
                             std::to_string(rows + 3) + " parallel { for j < " + c + " vector { y[i, j] = within(0 <= i - 1 < " + r +
                             ", x[i - 1, j], " + element + "(1)) } } }");
    };
    std::vector<loop_nest> nests;
    for (const char* element : {"float32", "float64", "int16", "int64", "uint8"})
        for (const std::int64_t rows : {8, 20, 34})
            for (const std::int64_t columns : {1, 2, 4, 9}) nests.push_back(padded(element, rows, columns));
    const compiled_text c = compiled(std::move(nests), {"-O3", "-march=native", "-ffp-contract=off", "-fopenmp-simd"});
    for (std::size_t i = 0; i < c.nests.size(); ++i) c.check(i, 64);
}

TEST_CASE("parallel loops directly in each other are one range of rounds, in pieces and in any order") {
    const compiled_text c = compiled(R"(
nest deep {
    input x: float32[3, 4, 5, 6]
    output y: float32[3, 4, 5, 6]
    for i < 3 parallel { for j < 4 parallel { for k < 5 parallel { for l < 6 vector { y[i, j, k, l] = x[i, j, k, l] * 2.0 + float32(index(100*i + 10*j + k)) } } } }
}
)");
    REQUIRE(rounds(c.made.functions[0]) == std::vector<std::int64_t>{60});
    CHECK(c.made.functions[0].stages[0].work == 6 * 6);
    for (const std::int64_t piece : {1, 7, 60}) c.check(0, piece);
}

TEST_CASE("what stands between parallel loops is a stage of one round, and scratch holds from stage to stage") {
    const compiled_text c = compiled(R"(
nest stages {
    input x: float32[6, 5]
    output y: float32[6, 5]
    scratch s: float32[6] {
        scratch all: float32[1] {
            for a < 6 parallel {
                s[a] = 0.0
                for b < 5 { s[a] += x[a, b] }
            }
            all[0] = 0.0
            for c < 6 { all[0] += s[c] }
            for once < 1 {
                for d < 6 parallel { for e < 5 { y[d + once, e] = x[d, e] * s[d] + all[0] } }
            }
            stack t: float32[1] {
                t[0] = y[0, 0]
                y[0, 0] = t[0] + 1.0
            }
        }
    }
}
)");
    CHECK(rounds(c.made.functions[0]) == std::vector<std::int64_t>{6, 1, 1, 6, 1});
    for (const std::int64_t piece : {1, 4, 6}) c.check(0, piece);
}

TEST_CASE("loops of no rounds make a stage of none") {
    const compiled_text c = compiled(R"(
nest nothing {
    output y: float32[2, 3]
    for i < 2 parallel { for j < 0 parallel { y[i, j] = 1.0 } }
    for k < 0 parallel { for l < 2 parallel { y[l, k] = 1.0 } }
    for m < 2 parallel { for n < 3 { y[m, n] = 7.0 } }
}
)");
    CHECK(rounds(c.made.functions[0]) == std::vector<std::int64_t>{0, 0, 2});
    c.check(0, 1);
}

TEST_CASE("what C does not have, and a scratch buffer inside of a parallel loop, is refused by the name of the nest") {
    const loop_nest inside = nests::parsed(R"(
nest inside {
    output y: float32[4]
    for i < 4 parallel { scratch s: float32[1] { s[0] = 2.0 y[i] = s[0] } }
}
)");
    const auto refused = to_tasks(std::vector{inside});
    REQUIRE_FALSE(refused);
    CHECK(
        refused.failure().message ==
        "the loop nest 'inside' is not printed: the scratch buffer 's' is allocated in a loop whose rounds run at the same time; allocate "
        "it outside, with a place for each round, or on the stack");
    const auto half = to_tasks(
        std::vector{nests::parsed(nests::blur), nests::parsed("nest half { output y: float16[1] y[0] = 1.0:float16 + 1.0:float16 }")});
    REQUIRE_FALSE(half);
    CHECK(half.failure().message.find("the loop nest 'half' is not printed: C99 has no arithmetic on float16") == 0);
    CHECK_FALSE(to_tasks(std::vector{loop_nest()}));
}

TEST_CASE("more rounds than 64 bits count are refused") {
    const auto refused = to_tasks(std::vector{nests::parsed(R"(
nest many {
    for i < 4294967296 parallel { for j < 4294967296 parallel { stack t: float32[1] { t[0] = 1.0 } } }
}
)")});
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().message ==
          "the loop nest 'many' is not printed: the parallel loops over 'i' and those in it have more rounds than 64 bits count; run the "
          "inner ones serially");
}

TEST_CASE("nests by chance give in pieces what the interpreter gives") {
    // Many in one text, since each text is a call of the compiler.
    std::vector<loop_nest> all;
    const bool made = rc::check([&] {
        loop_nest n = *rc::gen::arbitrary<bool>() ? nests::random_nest() : nests::random_stages();
        for (const nest_buffer& b : n.buffers)
            if (b.scope == buffer_scope::output && b.strides != row_major_strides(b.extents)) return;
        n.name += "_" + std::to_string(all.size());
        all.push_back(std::move(n));
    });
    REQUIRE(made);
    REQUIRE(all.size() > 20);
    const compiled_text c = compiled(std::move(all));
    for (std::size_t i = 0; i < c.nests.size(); ++i) c.check(i, static_cast<std::int64_t>(1 + i % 3));
}
