// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_COST_TABLE_HPP
#define INLAY_COST_COST_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/content_key.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/cost/roofline.hpp>

namespace inlay {

/// A price of regions, as it is written down. It holds for a region of that back end that is as every stated field says; a field that is
/// not stated says nothing. Types and formats are text: `float32[1,3,8,8]`, `float32:channels_last`.
struct region_price {
    std::string backend;
    std::optional<std::string> composite;              // its name, where several composites of the back end take the region
    std::optional<std::vector<std::string>> ops;       // in the region's order, operands first; ONNX's without their dialect
    std::optional<std::vector<std::string>> operands;  // types of the inputs, then of the constants
    std::optional<std::vector<std::string>> inputs;    // formats, one per input
    std::optional<std::vector<std::string>> results;   // formats, one per result
    std::optional<digest> key;                         // `table_key`: these very operators, attributes, types, formats and wiring
    double seconds = 0;                                // infinity where it cannot run
    std::string reason;                                // why it cannot

    friend bool operator==(const region_price&, const region_price&) = default;
};

/// A price of conversions, likewise.
struct conversion_price {
    std::optional<std::string> tensor;  // its type
    std::optional<std::string> from, to;
    double seconds = 0;
    std::string reason;

    friend bool operator==(const conversion_price&, const conversion_price&) = default;
};

/// Prices as a value that people write by hand and programs write out: with it, what a plan rests on is in one place, and the same table
/// gives the same plan on every machine. The first entry that holds for a region or a conversion is its price.
struct cost_table {
    /// What becomes of regions and conversions without an entry: they are refused (which is an error), priced by the roofline model, or not
    /// offered.
    enum class without : std::uint8_t { refused, modelled, not_offered };

    std::string note;  // where the prices come from, for people
    without missing = without::refused;
    std::uint64_t threads = 1;           // that the model counts with
    double launch = 0;                   // seconds for every kernel and conversion beside its own price
    std::optional<machine_peaks> peaks;  // no price is below what its work takes at these: what cannot be cheapest then needs no entry
    std::vector<region_price> regions;
    std::vector<conversion_price> conversions;

    friend bool operator==(const cost_table&, const cost_table&) = default;
};

/// The key of a region in a table: its content, for any version and any options of its back end.
[[nodiscard]] inline digest table_key(const region_view& r, std::string_view kind) { return content_key(r, kind, {}, {}); }

/// A job's entry with every field stated, at that price.
[[nodiscard]] inline region_price full_entry(const region_view& r, std::string_view kind, std::string_view composite,
                                             const measurement& price) {
    region_price p;
    p.backend = kind;
    if (!composite.empty()) p.composite = composite;
    p.ops.emplace();
    for (const region_value& v : r.calls())
        if (v.kind == region_value::role::call) p.ops->emplace_back(v.op.substr(0, 5) == "onnx." ? v.op.substr(5) : v.op);
    p.operands.emplace();
    for (const region_value& v : r.inputs()) p.operands->push_back(to_string(*v.type));
    for (const region_value& v : r.constants())
        if (v.kind == region_value::role::constant) p.operands->push_back(to_string(*v.type));
    p.inputs.emplace();
    for (const format& f : r.input_formats) p.inputs->push_back(to_string(f));
    p.results.emplace();
    for (const format& f : r.result_formats) p.results->push_back(to_string(f));
    p.key = table_key(r, kind);
    p.seconds = price.median;
    p.reason = price.failure;
    return p;
}

[[nodiscard]] inline conversion_price full_entry(const tensor_type& type, const format& from, const format& to, const measurement& price) {
    return {to_string(type), to_string(from), to_string(to), price.median, price.failure};
}

/// Whether an entry holds for what a full entry describes.
[[nodiscard]] inline bool holds_for(const region_price& entry, const region_price& full) {
    const auto agrees = [](const auto& stated, const auto& is) { return !stated || stated == is; };
    return entry.backend == full.backend && agrees(entry.composite, full.composite) && agrees(entry.key, full.key) &&
           agrees(entry.ops, full.ops) && agrees(entry.operands, full.operands) && agrees(entry.inputs, full.inputs) &&
           agrees(entry.results, full.results);
}
[[nodiscard]] inline bool holds_for(const conversion_price& entry, const conversion_price& full) {
    const auto agrees = [](const auto& stated, const auto& is) { return !stated || stated == is; };
    return agrees(entry.tensor, full.tensor) && agrees(entry.from, full.from) && agrees(entry.to, full.to);
}

/// The entry in words, as an error names it: `Conv+Relu by onednn.convolution on float32[1,3,8,8], float32[4,3,3,3] (float32:plain ->
/// float32:plain)`.
[[nodiscard]] inline std::string words_of(const region_price& full) {
    const auto list = [](const std::optional<std::vector<std::string>>& texts, std::string_view between) {
        std::string all;
        if (texts)
            for (const std::string& t : *texts) all += (all.empty() ? std::string() : std::string(between)) + t;
        return all;
    };
    return list(full.ops, "+") + " by " + full.backend + (full.composite ? "." + *full.composite : std::string()) + " on " +
           list(full.operands, ", ") + " (" + list(full.inputs, ", ") + " -> " + list(full.results, ", ") + ")";
}
[[nodiscard]] inline std::string words_of(const conversion_price& full) {
    return "the conversion of " + full.tensor.value_or("a tensor") + " from " + full.from.value_or("any format") + " to " +
           full.to.value_or("any format");
}

/// A meter that reads prices from a table, and asks another meter, the model, for what has no entry where the table says so. Notes what
/// has no entry. `backends` is a `backend_list`. Refers to all three, which must outlive it.
template <meter Model, class List>
class table_meter {
public:
    table_meter(const cost_table& table, const List& backends, Model& model) : table_(&table), backends_(&backends), model_(&model) {
        for (std::size_t i = 0; i < table.regions.size(); ++i) {
            const region_price& p = table.regions[i];
            if (p.key)
                by_key_[*p.key].push_back(i);
            else
                by_words_.push_back(i);
        }
    }

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        std::vector<measurement> result(jobs.size());
        std::vector<pricing_job> asked;
        std::vector<std::size_t> of;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            const pricing_job& job = jobs[i];
            if (job.what == pricing_job::subject::conversion) {
                const conversion_price full = full_entry(job.type, job.from, job.to, {});
                const conversion_price* entry = nullptr;
                for (const conversion_price& p : table_->conversions)
                    if (entry == nullptr && holds_for(p, full)) entry = &p;
                if (entry != nullptr)
                    result[i] = stated(entry->seconds, entry->reason);
                else if (!is_left_out(words_of(full), result[i]))
                    of.push_back(i);
            } else {
                const std::string_view kind = backends_->kind(job.backend);
                const region_price full = full_entry(job.region, kind, job.name, {});
                if (const region_price* entry = find(full))
                    result[i] = stated(entry->seconds, entry->reason);
                else if (!is_left_out(words_of(full), result[i]))
                    of.push_back(i);
            }
        }
        for (const std::size_t i : of) asked.push_back(jobs[i]);
        const std::vector<measurement> modelled = model_->price(asked);
        for (std::size_t k = 0; k < of.size() && k < modelled.size(); ++k) result[of[k]] = modelled[k];
        return result;
    }

    /// The first region or conversion that had no entry and ought to have one, in words; and how many there were. Nothing where the table
    /// says what becomes of them.
    [[nodiscard]] const std::string& first_missing() const { return first_missing_; }
    [[nodiscard]] std::size_t missing() const { return missing_.size(); }

private:
    /// The first entry that holds: of those with the region's key and those without a key, which are few.
    [[nodiscard]] const region_price* find(const region_price& full) const {
        std::size_t first = table_->regions.size();
        if (const auto at = by_key_.find(*full.key); at != by_key_.end())
            for (const std::size_t i : at->second)
                if (i < first && holds_for(table_->regions[i], full)) first = i;
        for (const std::size_t i : by_words_) {
            if (i >= first) break;
            if (holds_for(table_->regions[i], full)) first = i;
        }
        return first == table_->regions.size() ? nullptr : &table_->regions[first];
    }

    static measurement stated(double seconds, const std::string& reason) {
        if (!(seconds < std::numeric_limits<double>::infinity()))
            return measurement::failed(reason.empty() ? "the cost table says that it cannot run" : reason);
        return {seconds, seconds, 0, 1, {}};
    }

    /// What the table says of something without an entry; false where the model is to be asked.
    bool is_left_out(std::string words, measurement& price) {
        if (table_->missing == cost_table::without::modelled) return false;
        price = measurement::failed("the cost table has no price for it");
        if (table_->missing == cost_table::without::not_offered) return true;
        if (missing_.empty()) first_missing_ = words;
        missing_.insert(std::move(words));
        return true;
    }

    const cost_table* table_;
    const List* backends_;
    Model* model_;
    std::map<digest, std::vector<std::size_t>> by_key_;
    std::vector<std::size_t> by_words_;
    std::set<std::string> missing_;
    std::string first_missing_;
};

/// A meter that writes down what another meter answers, as full entries: each region and each conversion once, the latest price counting.
/// What was not measured is left out. Refers to the meter and the back ends, which must outlive it.
template <meter M, class List>
class noting_meter {
public:
    noting_meter(M& inner, const List& backends) : inner_(&inner), backends_(&backends) {}

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        std::vector<measurement> found = inner_->price(jobs);
        for (std::size_t i = 0; i < jobs.size() && i < found.size(); ++i)
            if (found[i].is_measured() || found[i].has_failed()) note(jobs[i], found[i], true);
        return found;
    }

    /// Writes another price down for something that was noted: what it took in a whole program, say. Ignores what was not noted.
    void correct(const pricing_job& job, const measurement& price) { note(job, price, false); }

    /// Adds what was noted to a table, in the order of its words; entries that the table has already are not added again.
    void add_to(cost_table& table) const {
        std::set<std::pair<std::string, std::optional<digest>>> known;
        for (const region_price& p : table.regions) known.emplace(words_of(p), p.key);
        for (const conversion_price& p : table.conversions) known.emplace(words_of(p), std::nullopt);
        for (const auto& [words, p] : regions_)
            if (!known.contains({words.first, p.key})) table.regions.push_back(p);
        for (const auto& [words, p] : conversions_)
            if (!known.contains({words, std::nullopt})) table.conversions.push_back(p);
    }

private:
    void note(const pricing_job& job, const measurement& price, bool is_new) {
        if (job.what == pricing_job::subject::conversion) {
            conversion_price p = full_entry(job.type, job.from, job.to, price);
            std::string words = words_of(p);
            if (is_new || conversions_.contains(words)) conversions_.insert_or_assign(std::move(words), std::move(p));
        } else {
            region_price p = full_entry(job.region, backends_->kind(job.backend), job.name, price);
            std::pair<std::string, digest> key(words_of(p), *p.key);
            if (is_new || regions_.contains(key)) regions_.insert_or_assign(std::move(key), std::move(p));
        }
    }

    M* inner_;
    const List* backends_;
    std::map<std::pair<std::string, digest>, region_price> regions_;
    std::map<std::string, conversion_price> conversions_;
};

}  // namespace inlay

#endif
