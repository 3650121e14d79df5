// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_PROOF_JSON_HPP
#define INLAY_IO_JSON_PROOF_JSON_HPP

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <inlay/io/json/certificate_file.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/json_reader.hpp>
#include <inlay/plan/plan_record.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline json_output seconds_or_null(double seconds) {
    return std::isfinite(seconds) ? json_output(seconds) : json_output(nullptr);
}

[[nodiscard]] inline double read_seconds_or_null(json_reader& reader, const json_place& at) {
    return at.is_null() ? std::numeric_limits<double>::infinity() : reader.amount(at);
}

}  // namespace detail

/// The proof of a plan as JSON: what plan.json holds under `proof`.
[[nodiscard]] inline json_output proof_json(const recorded_proof& proof) {
    json_output costs = json_output::array(), conversions = json_output::array();
    for (const double seconds : proof.costs) costs.push_back(detail::seconds_or_null(seconds));
    const std::size_t formats = proof.formats.size();
    for (const recorded_conversions& table : proof.conversions) {
        json_output rows = json_output::array();
        for (std::size_t f = 0; f < formats; ++f) {
            json_output row = json_output::array();
            for (std::size_t t = 0; t < formats; ++t) row.push_back(detail::seconds_or_null(table.seconds[f * formats + t]));
            rows.push_back(std::move(row));
        }
        conversions.push_back({{"shape", table.shape}, {"seconds", std::move(rows)}});
    }
    json_output whole;
    whole["formats"] = proof.formats;
    whole["costs"] = std::move(costs);
    whole["conversions"] = std::move(conversions);
    whole["certificate"] = certificate_json(proof.proof);
    return whole;
}

/// Reads what `proof_json` writes: tables are square in the formats. Whether it proves anything, `verify_certificate` says.
[[nodiscard]] inline outcome<recorded_proof> read_proof_json(const json_place& at) {
    json_reader reader;
    reader.only(at, {"formats", "costs", "conversions", "certificate"});
    recorded_proof made;
    made.formats = reader.texts(at, "formats");
    for (const json_place& one : reader.list(at, "costs")) made.costs.push_back(detail::read_seconds_or_null(reader, one));
    for (const json_place& one : reader.list(at, "conversions")) {
        reader.only(one, {"shape", "seconds"});
        recorded_conversions& table = made.conversions.emplace_back();
        for (const json_place& e : reader.list(one, "shape")) table.shape.push_back(reader.take(e.integer()).value_or(0));
        const std::vector<json_place> rows = reader.list(one, "seconds");
        bool is_square = rows.size() == made.formats.size();
        for (const json_place& row : rows) {
            const auto items = reader.take(row.list());
            if (!items) break;
            is_square = is_square && items->size() == made.formats.size();
            for (const json_place& item : *items) table.seconds.push_back(detail::read_seconds_or_null(reader, item));
        }
        if (!is_square)
            reader.fail(
                one.wrong("must have a row and a column of seconds for each of " + std::to_string(made.formats.size()) + " formats"));
    }
    if (const auto member = reader.take(at.member("certificate")))
        if (auto proof = reader.take(read_certificate(*member))) made.proof = *std::move(proof);
    if (!reader.is_sound()) return reader.fault();
    return made;
}

}  // namespace inlay

#endif
