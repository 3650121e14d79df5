// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/recorded_referee.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../io/temporary_folder.hpp"
#include "../ops/sample/sampled_program.hpp"

using namespace inlay;
using sample_test::sampled_program;

namespace {

/// Counts how often it is asked, and says what it is told to.
struct counting_referee {
    int asked = 0;
    bool finds_wrong = false;

    outcome<kernel_verdict> judge(const kernel_case&) {
        ++asked;
        if (finds_wrong) return error{"it gives 1 at result 0[0], expected 2"};
        return kernel_verdict{0.25, 600, {}};
    }
    outcome<kernel_verdict> judge_conversion(const kernel&, const std::vector<std::int64_t>&, const format&, const format&) {
        ++asked;
        return kernel_verdict{};
    }
};

struct nothing {
    static bool run(const run_arguments&) { return true; }
};

}  // namespace

TEST_CASE("a verdict is asked for once for each kernel, version, constants and machine [measure.check.recorded]") {
    const inlay_test::temporary_folder folder;
    const auto build = [](float factor) {
        sampled_program p;
        p.finish({p.call("onnx.Mul", {p.input({4}), p.number(factor)})});
        return p;
    };
    const sampled_program twice = build(2), thrice = build(3);
    const std::vector<format> formats(1, plain_format(element_type::float32));
    const auto view = [&](const sampled_program& p) {
        region_view r = p.whole->view();
        r.input_formats = r.result_formats = formats;
        return r;
    };
    const region_view a = view(twice), b = view(thrice);
    const kernel code(nothing{});
    const check_conditions here{digest{1, 2}, 2, "a machine"};
    for (int process = 0; process < 2; ++process) {
        cost_database database;
        REQUIRE(database.open(folder / "prices.db").has_value());
        counting_referee inner;
        recorded_referee recorded(inner, database, here);
        referee_ref any(recorded);
        const auto asks = [&](const kernel_case& c) {
            const int before = inner.asked;
            const auto verdict = any.judge(c);
            if (!inner.finds_wrong) CHECK((verdict && verdict->largest_error == 0.25 && verdict->compared == 600));
            return inner.asked - before;
        };
        const int fresh = process == 0 ? 1 : 0;
        CHECK(asks({&code, &a, {}, "lib", "1.2", "lib", "mul"}) == fresh);
        CHECK(asks({&code, &a, {}, "lib", "1.2", "lib", "mul"}) == 0);
        CHECK(asks({&code, &b, {}, "lib", "1.2", "lib", "mul"}) == fresh);
        CHECK(asks({&code, &a, {}, "lib", "1.3", "lib", "mul"}) == fresh);
        CHECK(asks({&code, &a, {}, "lib", "1.2", "lib", "multiply"}) == fresh);
        // Without a version it may have changed in any way.
        CHECK(asks({&code, &a, {}, "lib", "", "lib", "mul"}) == 1);
        check_conditions elsewhere = here;
        elsewhere.machine = digest{3, 4};
        CHECK(check_key({&code, &a, {}, "lib", "1.2", "lib", "mul"}, here) !=
              check_key({&code, &a, {}, "lib", "1.2", "lib", "mul"}, elsewhere));
        // A kernel that was wrong stays wrong.
        inner.finds_wrong = true;
        const kernel_case wrong{&code, &a, {}, "lib", "0.9", "lib", "mul"};
        CHECK(asks(wrong) == fresh);
        CHECK(asks(wrong) == 0);
        CHECK(any.judge(wrong).failure().message == "it gives 1 at result 0[0], expected 2");
    }
}
