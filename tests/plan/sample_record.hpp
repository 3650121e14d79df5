// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_PLAN_SAMPLE_RECORD_HPP
#define INLAY_TESTS_PLAN_SAMPLE_RECORD_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <inlay/plan/plan_record.hpp>

namespace sample {

/// A record with random content in every field, of no graph.
inline inlay::plan_record random_record(std::uint32_t seed) {
    using namespace inlay;
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::size_t>(random() % n); };
    const auto seconds = [&] { return std::ldexp(static_cast<double>(random()) + 1.0 / 3.0, -static_cast<int>(below(60)) - 10); };
    const auto text = [&] {
        constexpr std::string_view letters = "ab\"\\\n\t\x01/#é ,-=";
        std::string made;
        for (std::size_t i = below(8); i-- > 0;) made += letters[below(9)];
        return made + (below(4) == 0 ? "\xC3\xA9" : "");
    };
    const auto texts = [&] {
        std::vector<std::string> all(below(4));
        for (std::string& one : all) one = text();
        return all;
    };
    const auto maybe = [&]() -> std::optional<double> { return below(3) == 0 ? std::nullopt : std::optional(seconds()); };
    const auto status = [&](std::uint32_t of) { return static_cast<selection_status>(below(of)); };

    plan_record r;
    for (std::size_t i = below(3); i-- > 0;) r.targets.push_back({"kind" + std::to_string(i) + " -a=" + text(), text()});
    r.is_rewritten = below(2) == 0;
    r.is_by_steps = below(2) == 0;
    r.is_reassociated = below(2) == 0;
    r.has_fixed_defaults = below(2) == 0;
    r.partitioner = below(2) == 0 || r.targets.empty() ? (below(2) == 0 ? "exact" : "eager") : "single:kind0";
    r.status = status(2);
    r.reason = text();
    r.seconds = seconds();
    r.lower_bound = below(2) == 0 ? r.seconds : r.seconds / 3;
    if (below(2) == 0) r.objective = {static_cast<plan_objective>(1 + below(2)), seconds(), seconds()};
    r.penalties = maybe();
    r.fallbacks = texts();
    for (std::size_t i = below(4); i-- > 0;) {
        recorded_part& p = r.parts.emplace_back();
        p.backend = text();
        p.nodes = texts();
        for (std::size_t k = 1 + below(3); k-- > 0;) p.composites.push_back({text(), texts(), texts(), texts(), seconds()});
    }
    for (std::size_t i = below(4); i-- > 0;) r.conversions.push_back({text(), text(), text(), maybe()});
    for (std::size_t i = below(4); i-- > 0;) r.others.push_back({text(), status(3), maybe(), maybe(), text()});
    if (below(2) != 0) return r;
    recorded_proof& proof = r.proof.emplace();
    proof.formats = texts();
    const auto price = [&] { return below(4) == 0 ? std::numeric_limits<double>::infinity() : seconds(); };
    for (std::size_t i = below(5); i-- > 0;) proof.costs.push_back(price());
    for (std::size_t i = below(3); i-- > 0;) {
        recorded_conversions& table = proof.conversions.emplace_back();
        table.shape.assign(below(3), static_cast<std::int64_t>(below(9)));
        for (std::size_t k = proof.formats.size() * proof.formats.size(); k-- > 0;) table.seconds.push_back(price());
    }
    proof.proof.bound = seconds();
    proof.proof.exponent = static_cast<int>(below(100));
    for (std::size_t i = below(3); i-- > 0;) {
        certificate_step& step = proof.proof.steps.emplace_back();
        step.prices.push_back({{1, -2}, {static_cast<std::int64_t>(random())}});
        if (below(2) == 0) step.split = static_cast<candidate_index>(below(7));
    }
    return r;
}

}  // namespace sample

#endif
