// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_CERTIFICATE_FILE_IPP
#define INLAY_IO_JSON_CERTIFICATE_FILE_IPP

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/json/certificate_file.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/search/proof/certificate.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline outcome<std::vector<std::int64_t>> read_prices(const json_place& at, std::string_view key) {
    const auto member = at.member(key);
    if (!member) return member.failure();
    const auto items = member->list();
    if (!items) return items.failure();
    std::vector<std::int64_t> prices;
    prices.reserve(items->size());
    for (const json_place& item : *items) {
        const auto price = item.integer();
        if (!price) return price.failure();
        prices.push_back(*price);
    }
    return prices;
}

/// The number of a candidate under a key that may be missing.
[[nodiscard]] inline outcome<std::optional<candidate_index>> read_candidate(const json_place& at, const char* key) {
    const auto there = at.find(key);
    if (!there) return std::optional<candidate_index>();
    const auto number = there->count();
    if (!number) return number.failure();
    if (*number >= std::numeric_limits<candidate_index>::max()) return there->wrong("must be the number of a candidate");
    return std::optional(static_cast<candidate_index>(*number));
}

[[nodiscard]] inline outcome<certificate_step> read_certificate_step(const json_place& at) {
    if (auto known = at.only({"prices", "split"}); !known) return known.failure();
    certificate_step step;
    const auto prices = at.member("prices");
    if (!prices) return prices.failure();
    const auto sheets = prices->list();
    if (!sheets) return sheets.failure();
    for (const json_place& one : *sheets) {
        if (auto known = one.only({"of_node", "of_reader"}); !known) return known.failure();
        auto of_node = read_prices(one, "of_node");
        if (!of_node) return of_node.failure();
        auto of_reader = read_prices(one, "of_reader");
        if (!of_reader) return of_reader.failure();
        step.prices.push_back({*std::move(of_node), *std::move(of_reader)});
    }
    auto split = read_candidate(at, "split");
    if (!split) return split.failure();
    step.split = *split;
    return step;
}

}  // namespace detail

json_output certificate_json(const certificate& proof) {
    json_output steps = json_output::array();
    for (const certificate_step& step : proof.steps) {
        json_output sheets = json_output::array();
        for (const certificate_prices& sheet : step.prices) sheets.push_back({{"of_node", sheet.of_node}, {"of_reader", sheet.of_reader}});
        json_output one{{"prices", std::move(sheets)}};
        if (step.split) one["split"] = *step.split;
        steps.push_back(std::move(one));
    }
    json_output whole{{"bound", proof.bound}, {"exponent", proof.exponent}};
    if (proof.contains) whole["contains"] = *proof.contains;
    whole["steps"] = std::move(steps);
    return whole;
}

outcome<certificate> read_certificate(const json_place& at) {
    if (auto known = at.only({"bound", "contains", "exponent", "steps"}); !known) return known.failure();
    certificate proof;
    const auto bound_at = at.member("bound");
    if (!bound_at) return bound_at.failure();
    const auto bound = bound_at->number();
    if (!bound) return bound.failure();
    proof.bound = *bound;
    const auto exponent_at = at.member("exponent");
    if (!exponent_at) return exponent_at.failure();
    const auto exponent = exponent_at->integer();
    if (!exponent) return exponent.failure();
    if (*exponent < -2000 || *exponent > 2000) return exponent_at->wrong("must be from -2000 to 2000");
    proof.exponent = static_cast<int>(*exponent);
    auto contains = detail::read_candidate(at, "contains");
    if (!contains) return contains.failure();
    proof.contains = *contains;
    const auto steps_at = at.member("steps");
    if (!steps_at) return steps_at.failure();
    const auto steps = steps_at->list();
    if (!steps) return steps.failure();
    for (const json_place& one : *steps) {
        auto step = detail::read_certificate_step(one);
        if (!step) return step.failure();
        proof.steps.push_back(*std::move(step));
    }
    return proof;
}

}  // namespace inlay

#endif
