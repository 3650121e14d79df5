// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/plan_limit.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "all_covers.hpp"

#include <inlay/pipeline.hpp>

using namespace inlay;

TEST_CASE("a plan under a limit is the cheapest that keeps it, and where none does the limit is named") {
    std::size_t clashes = 0, dearer = 0;
    for (std::uint32_t seed = 0; seed < 12; ++seed)
        for (const plan_amount of : {plan_amount::seconds, plan_amount::peak_bytes, plan_amount::load}) {
            CAPTURE(seed);
            CAPTURE(static_cast<int>(of));
            const ir_module m = toys::random_program(seed, 2 + seed % 4);
            covers::flat_meter meter;
            plan_options options;
            options.keep_problem = true;
            const auto free = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
            REQUIRE(free.has_value());
            const selection_problem& stated = *free->stated;
            plan_limit one{of, 0, {0}, "the limit"};
            std::vector<quantity> amounts;
            for (limit& each : limits_of(m, free->set, stated, one)) amounts.push_back(std::move(each.what));
            const std::vector<covers::weighed> all = covers::all_of(stated.numbers, amounts);
            std::vector<double> levels;
            for (const covers::weighed& cover : all) levels.push_back(cover.largest);
            std::sort(levels.begin(), levels.end());
            for (const double most : {levels.front() * 0.5, levels.front(), levels[levels.size() / 3], levels.back()}) {
                CAPTURE(most);
                one.most = most;
                options.limits = {one};
                double cost = impossible;
                for (const covers::weighed& cover : all)
                    if (keeps_limit(cover.largest, most)) cost = std::min(cost, cover.cost);
                const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
                CHECK(made.has_value() == (cost < impossible));
                if (!made) {
                    ++clashes;
                    CHECK(made.failure().message == "no plan keeps to these constraints together: the limit");
                    continue;
                }
                CHECK(*made->chosen.seconds == doctest::Approx(cost));
                CHECK(made->chosen.status == selection_status::optimal);
                dearer += *made->chosen.seconds > *free->chosen.seconds + 1e-9;
            }
        }
    CHECK(clashes > 10);
    CHECK(dearer > 5);
}

TEST_CASE("constants of a back end fit into its capacity, however many of its parts read them") {
    const tensor_type t = toys::image();
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const std::vector<float> ones(12, 1.0f), twos(12, 2.0f);
        const node_id w = b.constant(tensor::of<float>({1, 3, 2, 2}, ones)), v = b.constant(tensor::of<float>({1, 3, 2, 2}, twos));
        node_id last = x;
        for (const node_id constant : {w, w, v, w}) last = b.call("onnx.Relu", {b.call("onnx.Add", {last, constant}, {}, t)}, {}, t);
        return last;
    });
    covers::flat_meter meter;
    const auto readers = [&](double bytes) -> std::optional<std::size_t> {
        plan_options options;
        options.limits = {{plan_amount::constant_bytes, bytes, {0}, "capacity"}};
        const auto made = make_plan(m, toys::list(), meter, covers::flat_bound(), options);
        if (!made) return std::nullopt;
        std::size_t found = 0;
        for (const part& p : made->cut.parts)
            for (const node_id n : p.nodes) found += p.owner == 0 && m.op(n) == "onnx.Add";
        return found;
    };
    CHECK(readers(96) == 4);
    CHECK(readers(95) == 3);
    CHECK(readers(48) == 3);
    CHECK(readers(47) == 0);
}
