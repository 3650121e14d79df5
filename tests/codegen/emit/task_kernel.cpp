// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/task_kernel.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../../core/executors.hpp"
#include "../../loops/nests.hpp"

#include <inlay/core/buffer.hpp>
#include <inlay/loops/run/run_nest.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {

compiler_request quick() { return nest_compiler({"-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"}); }

/// Enough work that it is shared out over threads.
loop_nest shifted(const std::string& name, const std::string& by) {
    return nests::parsed(
        "nest " + name + " { input x: float32[80, 3000] output y: float32[80, 3000] scratch s: float32[80] { for i < 80 " +
        "parallel { s[i] = 0.0 for j < 3000 { s[i] = max(s[i], tanh(x[i, j])) } } for k < 80 parallel { for l < 3000 vector { " +
        "y[k, l] = tanh(x[k, l] * s[k]) + " + by + " } } } }");
}

void check_run(const kernel& k, const loop_nest& n, executor_ref executor) {
    const std::vector<tensor> inputs = nests::some_inputs(n);
    const auto meant = run_nest(n, inputs);
    REQUIRE(meant);
    tensor y(meant->front().element(), meant->front().extents());
    buffer workspace(k.workspace_bytes);
    std::vector<const void*> from;
    for (const tensor& t : inputs) from.push_back(t.data());
    void* const to[] = {y.data()};
    REQUIRE(k({from.data(), to, workspace.data(), executor}));
    const comparison seen = compare(y, meant->front(), 1e-6, 1e-6);
    CHECK_MESSAGE(seen.agrees, seen.reason);
}

/// Counts the rounds of stages in which its threads are asked for.
struct counting_executor : inlay_test::backwards_executor {
    std::size_t asked = 0;
    template <class Task>
    void run(std::size_t count, Task&& task) {
        ++asked;
        backwards_executor::run(count, task);
    }
};

}  // namespace

TEST_CASE("kernels of several nests are one library, and run stage by stage on the executor of a run") {
    const std::vector<loop_nest> all{shifted("a", "1.0"), nests::parsed(nests::product), shifted("c", "2.0")};
    const auto made = task_kernels(all, quick());
    if (!made) FAIL(made.failure().message);
    REQUIRE(made->size() == 3);
    counting_executor several;
    for (std::size_t i = 0; i < all.size(); ++i) {
        check_run((*made)[i], all[i], {});
        check_run((*made)[i], all[i], several);
    }
    // Both stages of the two large nests; the product is too little work.
    CHECK(several.asked == 4);
    CHECK((*made)[0].workspace_bytes >= 80 * sizeof(float));
    CHECK((*made)[1].workspace_bytes == 0);
}

TEST_CASE("nests that compute the same share their function, whatever they are called") {
    const std::vector<loop_nest> all{shifted("a", "1.0"), shifted("b", "1.0"), shifted("c", "1.0"), shifted("d", "2.0")};
    // A warning, which is an error here, would show a function that stands there twice or is not called.
    compiler_request how = quick();
    how.flags.push_back("-Dnest_2=there_are_only_two_functions=");
    const auto made = task_kernels(all, how);
    if (!made) FAIL(made.failure().message);
    for (std::size_t i = 0; i < all.size(); ++i) check_run((*made)[i], all[i], {});
    const std::vector<loop_nest> three{all[0], all[3], shifted("e", "3.0")};
    CHECK_FALSE(task_kernels(three, how));
}

TEST_CASE("constants of a region's nest are bound behind its inputs") {
    const region_nest n{nests::parsed("nest n { input x: float32[4] input c: float32[4] input d: float32[4] output y: float32[4] "
                                      "for i < 4 { y[i] = x[i] * c[i] + d[i] } }"),
                        {tensor::of({4}, std::vector<float>{1, 2, 3, 4}), tensor::of({4}, std::vector<float>{10, 20, 30, 40})}};
    const region_nest twice{nests::parsed("nest n { input x: float32[4] output y: float32[4] for i < 4 { y[i] = x[i] + x[i] } }"), {}};
    const std::vector<region_nest> both{n, twice};
    const auto made = task_kernels(both, quick());
    if (!made) FAIL(made.failure().message);
    const std::vector<float> x{1, 1, 2, 2};
    std::vector<float> y(4), z(4);
    const void* const from[] = {x.data()};
    void* const to[] = {y.data()};
    void* const other[] = {z.data()};
    REQUIRE((*made)[0]({from, to, nullptr, {}}));
    REQUIRE((*made)[1]({from, other, nullptr, {}}));
    CHECK(y == std::vector<float>{11, 22, 36, 48});
    CHECK(z == std::vector<float>{2, 2, 4, 4});
}

TEST_CASE("no nests are no kernels, without a compiler") {
    compiler_request how = quick();
    how.compiler = "inlay-no-such-compiler";
    const auto none = task_kernels(std::vector<loop_nest>{}, how);
    REQUIRE(none);
    CHECK(none->empty());
}

TEST_CASE("what becomes of the compiler is said in its words, and what C does not have in ours") {
    compiler_request how = quick();
    how.compiler = "inlay-no-such-compiler";
    const auto lost = task_kernels(std::vector{nests::parsed(nests::blur)}, how);
    REQUIRE_FALSE(lost);
    CHECK(lost.failure().message.find("there is no compiler: the program 'inlay-no-such-compiler' cannot be started") == 0);
    const auto half = task_kernels(
        std::vector{nests::parsed(nests::blur), nests::parsed("nest half { output y: float16[1] y[0] = 1.0:float16 + 1.0:float16 }")},
        quick());
    REQUIRE_FALSE(half);
    CHECK(half.failure().message.find("the loop nest 'nest_1' is not printed: C99 has no arithmetic on float16") == 0);
    compiler_request hides = quick();
    hides.flags.push_back("-fvisibility=hidden");
    const auto hidden = task_kernels(std::vector{nests::parsed(nests::blur)}, hides);
    REQUIRE_FALSE(hidden);
    CHECK(hidden.failure().message == "the compiled loop nest 'nest_0' has lost its function; do not have flags hide it");
}
