// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_PLAN_FILE_IPP
#define INLAY_IO_JSON_PLAN_FILE_IPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/json/plan_file.hpp>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/json_reader.hpp>
#include <inlay/io/json/proof_json.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/plan/partitioner.hpp>
#include <inlay/plan/plan_record.hpp>
#include <inlay/plan/recorded_plan.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline json_output number_or_null(const std::optional<double>& number) {
    return number ? json_output(*number) : json_output(nullptr);
}

[[nodiscard]] inline json_output part_json(const recorded_part& p) {
    json_output composites = json_output::array();
    for (const recorded_composite& c : p.composites) {
        json_output one{{"name", c.name}};
        one["nodes"] = c.nodes;
        one["inputs"] = c.inputs;
        one["results"] = c.results;
        one["seconds"] = c.seconds;
        if (!c.unchecked.empty()) one["unchecked"] = c.unchecked;
        composites.push_back(std::move(one));
    }
    json_output one{{"backend", p.backend}};
    one["nodes"] = p.nodes;
    one["seconds"] = p.seconds();
    one["composites"] = std::move(composites);
    return one;
}

/// Reads the members of a plan file by their nouns; the first error is kept.
class plan_file_reader {
public:
    [[nodiscard]] outcome<plan_record> read(const json_place& root) {
        in_.only(root, {"version", "targets", "partitioner", "status", "reason", "seconds", "lower_bound", "gap", "objective", "rewrites",
                        "by_steps", "reassociate", "fixed_defaults", "fines", "fallbacks", "partitions", "conversions", "others", "proof"});
        if (in_.is_sound()) in_.version(root, 1);
        plan_record made;
        for (const json_place& at : in_.list_if(root, "targets")) made.targets.push_back(target(at));
        made.partitioner = in_.text(root, "partitioner");
        made.status = status(root, false);
        made.reason = in_.text_if(root, "reason");
        made.seconds = in_.amount(root, "seconds");
        made.lower_bound = in_.amount(root, "lower_bound");
        (void)in_.amount(root, "gap");  // follows from both
        if (const auto at = root.find("objective")) made.objective = objective(*at);
        if (const auto at = root.find("rewrites")) made.is_rewritten = in_.take(at->boolean()).value_or(true);
        if (const auto at = root.find("by_steps")) made.is_by_steps = in_.take(at->boolean()).value_or(false);
        if (const auto at = root.find("reassociate")) made.is_reassociated = in_.take(at->boolean()).value_or(false);
        if (const auto at = root.find("fixed_defaults")) made.has_fixed_defaults = in_.take(at->boolean()).value_or(false);
        if (const auto at = root.find("fines")) made.penalties = in_.amount(*at);
        if (root.find("fallbacks")) made.fallbacks = in_.texts(root, "fallbacks");
        for (const json_place& at : in_.list(root, "partitions")) made.parts.push_back(part(at));
        for (const json_place& at : in_.list(root, "conversions")) made.conversions.push_back(conversion(at));
        for (const json_place& at : in_.list_if(root, "others")) made.others.push_back(contender(at));
        if (const auto at = root.find("proof"))
            if (auto proof = in_.take(read_proof_json(*at))) made.proof = *std::move(proof);
        if (in_.is_sound()) check_partitioner(root, made);
        if (!in_.is_sound()) return in_.fault();
        return made;
    }

private:
    recorded_target target(const json_place& at) {
        in_.only(at, {"target", "version"});
        return {in_.text(at, "target"), in_.text(at, "version")};
    }

    selection_status status(const json_place& at, bool may_be_none) {
        const std::string word = in_.text(at, "status");
        for (const selection_status each : {selection_status::optimal, selection_status::gap, selection_status::infeasible})
            if (word == name_of(each) && (may_be_none || each != selection_status::infeasible)) return each;
        if (const auto member = at.find("status"))
            in_.fail(member->wrong("is " + quoted_text(word) + ", and must be 'optimal'" +
                                   (may_be_none ? ", 'gap' or 'infeasible'" : " or 'gap'")));
        return selection_status::gap;
    }

    recorded_objective objective(const json_place& at) {
        in_.only(at, {"of", "value", "lower_bound", "gap"});
        recorded_objective made;
        const std::string word = in_.text(at, "of");
        const auto named = objective_named(word);
        if (named) made.of = *named;
        if (!named && at.find("of"))
            in_.fail(at.find("of")->wrong("is " + quoted_text(word) + ", and must be 'latency', 'peak' or 'load'"));
        made.value = in_.amount(at, "value");
        made.lower_bound = in_.amount(at, "lower_bound");
        (void)in_.amount(at, "gap");
        return made;
    }

    recorded_composite composite(const json_place& at) {
        in_.only(at, {"name", "nodes", "inputs", "results", "seconds", "unchecked"});
        return {in_.text(at, "name"),     in_.texts(at, "nodes"),    in_.texts(at, "inputs"),
                in_.texts(at, "results"), in_.amount(at, "seconds"), in_.text_if(at, "unchecked")};
    }

    recorded_part part(const json_place& at) {
        in_.only(at, {"backend", "nodes", "seconds", "composites"});
        recorded_part made;
        made.backend = in_.text(at, "backend");
        made.nodes = in_.texts(at, "nodes");
        for (const json_place& one : in_.list(at, "composites")) made.composites.push_back(composite(one));
        const double stated = in_.amount(at, "seconds"), sum = made.seconds();
        if (in_.is_sound() && made.composites.empty()) in_.fail(at.wrong("has no composites; leave it out"));
        if (in_.is_sound() && std::abs(stated - sum) > 1e-9 * std::max(sum, stated))
            in_.fail(
                at.member("seconds")->wrong("is " + json_number(stated) + ", and its composites' prices add up to " + json_number(sum)));
        return made;
    }

    recorded_conversion conversion(const json_place& at) {
        in_.only(at, {"node", "from", "to", "seconds", "copied_bytes"});
        recorded_conversion made{in_.text(at, "node"), in_.text(at, "from"), in_.text(at, "to"), in_.amount_or_null(at, "seconds"), 0};
        if (const auto bytes = at.find("copied_bytes")) {
            const double copied = in_.amount(*bytes);
            if (copied != std::floor(copied) || !(copied <= 0x1p53))
                in_.fail(bytes->wrong("is " + json_number(copied) + ", and must be a whole number of bytes"));
            else
                made.copied_bytes = static_cast<std::uint64_t>(copied);
        }
        return made;
    }

    recorded_contender contender(const json_place& at) {
        in_.only(at, {"name", "status", "seconds", "lower_bound", "reason"});
        return {in_.text(at, "name"), status(at, true), in_.amount_or_null(at, "seconds"), in_.amount_or_null(at, "lower_bound"),
                in_.text_if(at, "reason")};
    }

    /// A single back end is one of those that took part, where the file says who did.
    void check_partitioner(const json_place& root, const plan_record& made) {
        std::vector<std::string> kinds;
        for (const recorded_target& t : made.targets) kinds.push_back(t.target.substr(0, t.target.find(' ')));
        const std::string_view text = made.partitioner;
        if (kinds.empty() && text.starts_with(single_prefix)) kinds.emplace_back(text.substr(single_prefix.size()));
        if (const auto known = read_partitioner(text, kinds); !known)
            in_.fail(root.member("partitioner")->wrong("is wrong: " + known.failure().message));
    }

    json_reader in_;
};

}  // namespace detail

std::string write_plan_record(const plan_record& r) {
    json_output whole{{"version", 1}};
    if (!r.targets.empty()) {
        whole["targets"] = json_output::array();
        for (const recorded_target& t : r.targets) whole["targets"].push_back({{"target", t.target}, {"version", t.version}});
    }
    whole["partitioner"] = r.partitioner;
    whole["status"] = name_of(r.status);
    if (!r.reason.empty()) whole["reason"] = r.reason;
    whole["seconds"] = r.seconds;
    whole["lower_bound"] = r.lower_bound;
    whole["gap"] = gap_between(r.seconds, r.lower_bound);
    if (r.objective)
        whole["objective"] = json_output{{"of", name_of(r.objective->of)},
                                         {"value", r.objective->value},
                                         {"lower_bound", r.objective->lower_bound},
                                         {"gap", gap_between(r.objective->value, r.objective->lower_bound)}};
    if (!r.is_rewritten) whole["rewrites"] = false;
    if (r.is_by_steps) whole["by_steps"] = true;
    if (r.is_reassociated) whole["reassociate"] = true;
    if (r.has_fixed_defaults) whole["fixed_defaults"] = true;
    if (r.penalties) whole["fines"] = *r.penalties;
    if (!r.fallbacks.empty()) whole["fallbacks"] = r.fallbacks;
    whole["partitions"] = json_output::array();
    for (const recorded_part& p : r.parts) whole["partitions"].push_back(detail::part_json(p));
    whole["conversions"] = json_output::array();
    for (const recorded_conversion& c : r.conversions) {
        json_output one{{"node", c.node}, {"from", c.from}, {"to", c.to}, {"seconds", detail::number_or_null(c.seconds)}};
        if (c.copied_bytes != 0) one["copied_bytes"] = c.copied_bytes;
        whole["conversions"].push_back(std::move(one));
    }
    whole["others"] = json_output::array();
    for (const recorded_contender& c : r.others) {
        json_output one{{"name", c.name}, {"status", name_of(c.status)}};
        one["seconds"] = detail::number_or_null(c.seconds);
        one["lower_bound"] = detail::number_or_null(c.lower_bound);
        if (!c.reason.empty()) one["reason"] = c.reason;
        whole["others"].push_back(std::move(one));
    }
    if (r.proof) whole["proof"] = proof_json(*r.proof);
    return write_json(whole, 2);
}

outcome<plan_record> read_plan_record(std::string_view text) {
    auto value = read_json(text);
    if (!value) return value.failure();
    return detail::plan_file_reader().read(json_place(*value));
}

outcome<plan_record> load_plan_record(const std::string& path) {
    auto text = read_file(path);
    if (!text) return text.failure();
    auto read = read_plan_record(*text);
    if (!read) return error{quoted_text(path, 400) + ": " + read.failure().message};
    return read;
}

}  // namespace inlay

#endif
