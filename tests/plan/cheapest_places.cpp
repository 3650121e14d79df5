// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/cheapest_places.hpp>

#include <limits>
#include <random>
#include <string>

#include "placement/planned.hpp"

namespace {

using namespace inlay;
using question = place_question<int>;

double cost_of(const question& q, const std::vector<std::size_t>& answer, const auto& run, const auto& copy) {
    double sum = 0;
    for (std::size_t c = 0; c < q.classes.size(); ++c)
        for (const node_id n : q.classes[c].calls) sum += run(n, q.classes[c].places[answer[c]]);
    for (const auto& b : q.borders) {
        const int from = q.classes[b.from].places[answer[b.from]], to = q.classes[b.to].places[answer[b.to]];
        if (from != to) sum += copy(b.value, from, to);
    }
    return sum;
}
/// The least cost of all answers.
double least(const question& q, const auto& run, const auto& copy) {
    std::vector<std::size_t> answer(q.classes.size(), 0);
    double best = std::numeric_limits<double>::infinity();
    for (;;) {
        best = std::min(best, cost_of(q, answer, run, copy));
        std::size_t c = 0;
        while (c < answer.size() && ++answer[c] == q.classes[c].places.size()) answer[c++] = 0;
        if (c == answer.size()) return best;
    }
}

}  // namespace

TEST_CASE("the answer costs as little as the best of all answers") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        question q;
        node_id next = 0;
        const std::size_t classes = 1 + random() % 6;
        for (std::size_t c = 0; c < classes; ++c) {
            auto& one = q.classes.emplace_back();
            for (std::size_t i = random() % 3; i-- > 0;) one.calls.push_back(next++);
            for (int p = 0; p < 3; ++p)
                if (one.places.empty() || random() % 2 == 0) one.places.push_back(p);
        }
        for (std::size_t b = random() % 8; b-- > 0;)
            q.borders.push_back({static_cast<std::uint32_t>(random() % classes), static_cast<std::uint32_t>(random() % classes), next++});
        const auto run = [&](node_id n, int place) { return static_cast<double>((n * 7 + static_cast<unsigned>(place) * 5 + seed) % 11); };
        const auto copy = [&](node_id n, int from, int to) {
            return static_cast<double>((n * 3 + static_cast<unsigned>(from * 2 + to)) % 7);
        };
        const auto found = cheapest_places(q, run, copy);
        REQUIRE(found.has_value());
        CHECK(cost_of(q, *found, run, copy) == doctest::Approx(least(q, run, copy)));
    }
}

TEST_CASE("calls that run nowhere have no answer, and a place that cannot run them is not taken") {
    question q;
    q.classes.push_back({{0}, {0, 1}});
    const auto nowhere = [](node_id, int) { return std::numeric_limits<double>::infinity(); };
    const auto second = [](node_id, int place) { return place == 0 ? std::numeric_limits<double>::infinity() : 5.0; };
    const auto copy = [](node_id, int, int) { return 1.0; };
    CHECK_FALSE(cheapest_places(q, nowhere, copy).has_value());
    CHECK(cheapest_places(q, second, copy) == std::vector<std::size_t>{1});
}

TEST_CASE("values go where running and copying cost least, through a function that is called") {
    const ir_module m = planned::program(R"(
        def @main(%x: int64, %y: int64) -> int64 {
          let %f: fn (int64) -> int64 = fn (%a: int64) -> int64 { multiply(%a, %a) };
          %0 = on_device(negative(negative(%x)), virtual_device=[nowhere], constrain_body=False);
          %f(add(%0, %y)) })");
    const auto planned_at = [&](double copy_seconds) {
        const auto run = [&](node_id n, const placement& p) {
            return m.op(n) == "negative" ? (p.device == device_type::cuda ? 9.0 : 1.0) : p.device == device_type::cuda ? 1.0 : 5.0;
        };
        const auto copy = [&](node_id, const placement&, const placement&) { return copy_seconds; };
        const auto made = plan_devices(
            m, planned::two_devices(), {}, [](node_id, const target_instance&) { return true; },
            [&](const place_question<placement>& q) { return cheapest_places(q, run, copy); });
        REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
        std::string text;
        for (node_id n = 0; n < made->size(); ++n)
            if (made->kind(n) == node_kind::call)
                text += std::string(made->op(n)) + " " + std::string(name_of(*made->where(n).device)) + ", ";
        return text;
    };
    CHECK(planned_at(2) == "multiply cuda, negative cpu, negative cpu, device_copy cuda, add cuda, ");
    CHECK(planned_at(100) == "multiply cpu, negative cpu, negative cpu, add cpu, ");
}
