// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_COST_TABLE_FILE_IPP
#define INLAY_IO_JSON_COST_TABLE_FILE_IPP

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/json/cost_table_file.hpp>

#include <inlay/cost/cost_table.hpp>
#include <inlay/io/json/json.hpp>

namespace inlay {

namespace detail {

/// Reads the members of a cost table one by one and keeps the first error.
class cost_table_reader {
public:
    [[nodiscard]] outcome<cost_table> read(const json_place& root) {
        known(root, {"version", "note", "missing", "threads", "launch", "peaks", "regions", "conversions"});
        if (!fault_) {
            const auto version = root.member("version");
            const auto number = version ? version->integer() : outcome<std::int64_t>(version.failure());
            if (!number)
                fault_ = number.failure();
            else if (*number != 1)
                fault_ = root.wrong("has version " + std::to_string(*number) + "; this program reads version 1");
        }
        cost_table t;
        if (const auto at = root.find("note")) t.note = text(*at);
        if (const auto at = root.find("missing")) t.missing = what_of_missing(*at);
        if (const auto at = root.find("threads"))
            if (const auto count = take(at->count(1))) t.threads = *count;
        if (const auto at = root.find("launch")) t.launch = seconds(*at, false);
        if (const auto at = root.find("peaks")) {
            known(*at, {"flops", "bytes"});
            machine_peaks peaks;
            peaks.flops = positive(*at, "flops");
            peaks.bytes = positive(*at, "bytes");
            t.peaks = peaks;
        }
        for (const json_place& at : list(root, "regions")) t.regions.push_back(region(at));
        for (const json_place& at : list(root, "conversions")) t.conversions.push_back(conversion(at));
        if (fault_) return *fault_;
        return t;
    }

private:
    /// The value, or nothing and the error is kept.
    template <class T>
    std::optional<T> take(outcome<T> got) {
        if (got) return *std::move(got);
        if (!fault_) fault_ = got.failure();
        return std::nullopt;
    }
    void known(const json_place& at, std::initializer_list<std::string_view> keys) {
        if (const auto only = at.only(keys); !only && !fault_) fault_ = only.failure();
    }
    std::string text(const json_place& at) { return take(at.text()).value_or(std::string()); }
    std::optional<std::string> text_if(const json_place& at, std::string_view key) {
        const auto found = at.find(key);
        if (!found) return std::nullopt;
        return text(*found);
    }
    std::vector<json_place> list(const json_place& at, std::string_view key) {
        const auto found = at.find(key);
        return found ? take(found->list()).value_or(std::vector<json_place>()) : std::vector<json_place>();
    }
    std::optional<std::vector<std::string>> texts_if(const json_place& at, std::string_view key) {
        if (!at.find(key)) return std::nullopt;
        std::vector<std::string> texts;
        for (const json_place& item : list(at, key)) texts.push_back(text(item));
        return texts;
    }
    double seconds(const json_place& at, bool may_be_null) {
        if (may_be_null && at.is_null()) return std::numeric_limits<double>::infinity();
        const double value = take(at.number()).value_or(0);
        if (!(value >= 0) && !fault_) fault_ = at.wrong("is " + json_number(value) + ", and must be 0 seconds or more");
        return value;
    }
    double positive(const json_place& at, std::string_view key) {
        const auto found = take(at.member(key));
        const double value = found ? take(found->number()).value_or(1) : 1;
        if (!(value > 0) && !fault_) fault_ = found->wrong("is " + json_number(value) + ", and must be above 0");
        return value;
    }
    double price(const json_place& at, std::string& reason) {
        const auto found = take(at.member("seconds"));
        const double value = found ? seconds(*found, true) : 0;
        if (const auto why = at.find("reason")) {
            reason = text(*why);
            if (found && !found->is_null() && !fault_)
                fault_ = why->wrong("stands beside a price; give a reason only where 'seconds' is null");
        }
        return value;
    }

    cost_table::without what_of_missing(const json_place& at) {
        constexpr std::string_view words[] = {"error", "model", "never"};
        const std::string word = text(at);
        for (std::size_t i = 0; i < 3; ++i)
            if (word == words[i]) return static_cast<cost_table::without>(i);
        if (!fault_) fault_ = at.wrong("is " + quoted_text(word) + name_hint(word, words));
        return cost_table::without::refused;
    }

    region_price region(const json_place& at) {
        region_price p;
        known(at, {"backend", "composite", "ops", "operands", "inputs", "results", "key", "seconds", "reason"});
        if (const auto kind = take(at.member("backend"))) p.backend = text(*kind);
        if (const auto composite = at.member("composite")) p.composite = text(*composite);
        p.ops = texts_if(at, "ops");
        p.operands = texts_if(at, "operands");
        p.inputs = texts_if(at, "inputs");
        p.results = texts_if(at, "results");
        if (const auto place = at.find("key")) {
            const std::string digits = text(*place);
            digest key;
            bool good = digits.size() == 32;
            for (std::size_t i = 0; good && i < 32; ++i) {
                const std::size_t digit = std::string_view("0123456789abcdef").find(digits[i]);
                good = digit != std::string_view::npos;
                std::uint64_t& half = i < 16 ? key.high : key.low;
                half = half << 4 | (digit & 15u);
            }
            if (!good && !fault_)
                fault_ = place->wrong("is " + quoted_text(digits) + ", and must have 32 digits of 0-9a-f; copy it or leave the key out");
            p.key = key;
        }
        p.seconds = price(at, p.reason);
        return p;
    }

    conversion_price conversion(const json_place& at) {
        conversion_price p;
        known(at, {"tensor", "from", "to", "seconds", "reason"});
        p.tensor = text_if(at, "tensor");
        p.from = text_if(at, "from");
        p.to = text_if(at, "to");
        p.seconds = price(at, p.reason);
        return p;
    }

    std::optional<error> fault_;
};

}  // namespace detail

outcome<cost_table> read_cost_table(std::string_view text) {
    auto value = read_json(text);
    if (!value) return value.failure();
    return detail::cost_table_reader().read(json_place(*value));
}

std::string write_cost_table(const cost_table& t) {
    constexpr std::string_view words[] = {"error", "model", "never"};
    json_output whole{{"version", 1}};
    if (!t.note.empty()) whole["note"] = t.note;
    whole["missing"] = words[static_cast<std::size_t>(t.missing)];
    whole["threads"] = t.threads;
    whole["launch"] = t.launch;
    if (t.peaks) whole["peaks"] = {{"flops", t.peaks->flops}, {"bytes", t.peaks->bytes}};
    const auto put_price = [](json_output& to, double seconds, const std::string& reason) {
        to["seconds"] = seconds < std::numeric_limits<double>::infinity() ? json_output(seconds) : json_output(nullptr);
        if (!reason.empty()) to["reason"] = reason;
    };
    whole["regions"] = json_output::array();
    for (const region_price& p : t.regions) {
        json_output one{{"backend", p.backend}};
        if (p.composite) one["composite"] = *p.composite;
        if (p.ops) one["ops"] = *p.ops;
        if (p.operands) one["operands"] = *p.operands;
        if (p.inputs) one["inputs"] = *p.inputs;
        if (p.results) one["results"] = *p.results;
        if (p.key) one["key"] = to_string(*p.key);
        put_price(one, p.seconds, p.reason);
        whole["regions"].push_back(std::move(one));
    }
    whole["conversions"] = json_output::array();
    for (const conversion_price& p : t.conversions) {
        json_output one = json_output::object();
        if (p.tensor) one["tensor"] = *p.tensor;
        if (p.from) one["from"] = *p.from;
        if (p.to) one["to"] = *p.to;
        put_price(one, p.seconds, p.reason);
        whole["conversions"].push_back(std::move(one));
    }
    return write_json(whole, 2) + "\n";
}

}  // namespace inlay

#endif
