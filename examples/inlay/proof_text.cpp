// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "proof_text.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <inlay/import/certificate_file.hpp>
#include <inlay/search/check.hpp>

namespace tool {

using namespace inlay;

namespace {

using shape = std::vector<std::int64_t>;
using table = std::vector<double>;

constexpr double infinite = std::numeric_limits<double>::infinity();

json_output seconds_or_null(double seconds) { return std::isfinite(seconds) ? json_output(seconds) : json_output(nullptr); }

outcome<double> read_seconds(const json_place& at) {
    if (at.is_null()) return infinite;
    auto seconds = at.number();
    if (seconds && !(*seconds >= 0)) return at.wrong("must be 0 or more, or null where it cannot be done");
    return seconds;
}

}  // namespace

json_output proof_json(const ir_module& m, const plan& p) {
    const selection_problem& stated = *p.stated;
    json_output formats = json_output::array(), costs = json_output::array(), conversions = json_output::array();
    for (const format& f : stated.formats) formats.push_back(to_string(f));
    for (const candidate_index number : stated.number_of)
        costs.push_back(seconds_or_null(number == selection_problem::none ? infinite : stated.numbers.candidates[number].cost));
    // Tensors of one shape share their table.
    std::map<shape, const table*> tables;
    for (const node_conversions& own : stated.numbers.conversions_of) tables.try_emplace(static_shape(m.type(stated.node_of[own.node]).of_tensor), &own.prices);
    for (const auto& [extents, prices] : tables) {
        json_output rows = json_output::array();
        for (std::size_t f = 0; f < stated.formats.size(); ++f) {
            json_output row = json_output::array();
            for (std::size_t g = 0; g < stated.formats.size(); ++g) row.push_back(seconds_or_null((*prices)[f * stated.formats.size() + g]));
            rows.push_back(std::move(row));
        }
        conversions.push_back({{"shape", extents}, {"seconds", std::move(rows)}});
    }
    json_output whole;
    whole["formats"] = std::move(formats);
    whole["costs"] = std::move(costs);
    whole["conversions"] = std::move(conversions);
    whole["certificate"] = certificate_json(*p.proof);
    return whole;
}

outcome<void> read_proof(const json_place& at, const ir_module& m, plan& p) {
    if (auto only = at.only({"formats", "costs", "conversions", "certificate"}); !only) return only.failure();
    const auto list_at = [](const json_place& of, std::string_view key) -> outcome<std::vector<json_place>> {
        auto member = of.member(key);
        if (!member) return member.failure();
        return member->list();
    };
    auto formats = list_at(at, "formats"), costs = list_at(at, "costs"), conversions = list_at(at, "conversions");
    for (const auto* list : {&formats, &costs, &conversions})
        if (!*list) return list->failure();
    std::map<std::string, std::size_t> format_number;
    for (std::size_t f = 0; f < formats->size(); ++f) {
        auto name = (*formats)[f].text();
        if (!name) return name.failure();
        format_number.try_emplace(*name, f);
    }
    if (costs->size() != p.set.candidates.size())
        return at.wrong("has prices of " + std::to_string(costs->size()) + " candidates, and the back ends that take part offer " +
                        std::to_string(p.set.candidates.size()) + " for this model; give the targets and shapes with which the plan was made");
    table prices;
    for (const json_place& one : *costs) {
        auto seconds = read_seconds(one);
        if (!seconds) return seconds.failure();
        prices.push_back(*seconds);
    }
    std::map<shape, table> tables;
    for (const json_place& one : *conversions) {
        if (auto only = one.only({"shape", "seconds"}); !only) return only.failure();
        auto extents = list_at(one, "shape"), rows = list_at(one, "seconds");
        if (!extents) return extents.failure();
        if (!rows) return rows.failure();
        shape key;
        for (const json_place& e : *extents) {
            auto extent = e.integer();
            if (!extent) return extent.failure();
            key.push_back(*extent);
        }
        const auto square = [&] { return one.wrong("must have a row and a column of seconds for each of " + std::to_string(formats->size()) + " formats"); };
        if (rows->size() != formats->size()) return square();
        table read;
        for (const json_place& r : *rows) {
            auto row = r.list();
            if (!row) return row.failure();
            if (row->size() != formats->size()) return square();
            for (const json_place& s : *row) {
                auto seconds = read_seconds(s);
                if (!seconds) return seconds.failure();
                read.push_back(*seconds);
            }
        }
        tables.insert_or_assign(std::move(key), std::move(read));
    }
    const auto conversion = [&](const tensor_type& type, const format& from, const format& to) {
        const auto f = format_number.find(to_string(from)), t = format_number.find(to_string(to));
        if (!type.is_static() || f == format_number.end() || t == format_number.end()) return infinite;
        const auto known = tables.find(static_shape(type));
        return known == tables.end() ? infinite : known->second[f->second * formats->size() + t->second];
    };
    p.stated = state_problem(m, p.set, prices, conversion);
    if (auto sound = check(p.stated->numbers); !sound) return at.wrong("states prices that cannot be: " + sound.failure().message);
    auto member = at.member("certificate");
    if (!member) return member.failure();
    auto proof = read_certificate(*member);
    if (!proof) return proof.failure();
    p.proof = *std::move(proof);
    return {};
}

}  // namespace tool
