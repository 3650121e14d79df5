// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_JSON_HPP
#define INLAY_IO_JSON_JSON_HPP

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// A JSON value that was read: keys in ascending order.
using json_value = nlohmann::json;

/// A JSON value to be written: keys in the order in which they were set.
using json_output = nlohmann::ordered_json;

namespace detail {

inline constexpr std::size_t deepest_json = 256;

/// Builds a value from the parser's events and refuses what the standard leaves open: repeated keys, numbers beyond a double.
class json_builder : public nlohmann::json_sax<json_value> {
public:
    explicit json_builder(std::string_view text) : text_(text) {}

    bool null() override { return add(json_value(nullptr)); }
    bool boolean(bool v) override { return add(json_value(v)); }
    bool number_integer(number_integer_t v) override { return add(json_value(v)); }
    bool number_unsigned(number_unsigned_t v) override { return add(json_value(v)); }
    bool number_float(number_float_t v, const string_t& written) override {
        return std::isfinite(v) ? add(json_value(v)) : fail("the number " + quoted_text(written) + " is too large for a double");
    }
    bool string(string_t& v) override { return add(json_value(unescaped_bytes(v))); }
    bool binary(binary_t&) override { return fail("binary data is no JSON"); }
    bool start_object(std::size_t) override { return open(json_value::object()); }
    bool start_array(std::size_t) override { return open(json_value::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        key_ = unescaped_bytes(name);
        if (open_.back()->contains(key_)) return fail("the key " + quoted_text(key_) + " stands twice in one object");
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override {
        const bool too_large = e.id == 406;
        const bool ends = position > text_.size();
        return fail(too_large ? "a number is too large for a double"
                    : ends    ? "the text ends too early to be JSON"
                              : "this is no JSON",
                    position);
    }

    [[nodiscard]] json_value take() { return std::move(root_); }
    [[nodiscard]] error failure() const { return error{failure_}; }

private:
    bool fail(const std::string& what, std::optional<std::size_t> position = {}) {
        failure_ = what;
        if (!position) return false;
        std::size_t line = 1, column = 1;
        for (const char c : text_.substr(0, *position > 0 ? *position - 1 : 0)) {
            column = c == '\n' ? 1 : column + 1;
            line += c == '\n' ? 1 : 0;
        }
        failure_ += " (line " + std::to_string(line) + ", column " + std::to_string(column) + ")";
        return false;
    }
    json_value* place(json_value&& v) {
        if (open_.empty()) return &(root_ = std::move(v));
        json_value& at = *open_.back();
        if (at.is_object()) return &(at[key_] = std::move(v));
        at.push_back(std::move(v));
        return &at.back();
    }
    bool add(json_value v) {
        place(std::move(v));
        return true;
    }
    bool open(json_value v) {
        if (in_force<"target.json.hostile">() && open_.size() == deepest_json)
            return fail("objects and lists stand in each other more than " + std::to_string(deepest_json) + " deep");
        open_.push_back(place(std::move(v)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    json_value root_;
    std::vector<json_value*> open_;
    std::string key_, failure_;
};

inline void write_text(std::string_view text, std::string& out) {
    out += '"';
    for (const char c : escaped_bytes(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\u00";
            out += "0123456789abcdef"[byte >> 4];
            out += "0123456789abcdef"[byte & 15u];
        } else {
            out += c;
        }
    }
    out += '"';
}

}  // namespace detail

/// The shortest decimal text that reads back as the same double; `null` for what JSON has no number for.
[[nodiscard]] inline std::string json_number(double value) {
    if (!std::isfinite(value)) return "null";
    // Without its point it would read back as the whole number 0, which has no sign.
    if (value == 0 && std::signbit(value)) return "-0.0";
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

/// The value that a text holds. Errors say what is wrong and where; repeated keys, numbers beyond a double and nesting deeper than
/// 256 are refused. Texts and keys are the bytes that `escaped_bytes` wrote so. Linear but for the sorting of keys.
[[nodiscard]] inline outcome<json_value> read_json(std::string_view text) {
    detail::json_builder builder(text);
    if (!json_value::sax_parse(text.begin(), text.end(), &builder)) return builder.failure();
    return builder.take();
}

/// The text of a value, the same bytes for the same value on every machine: doubles as `json_number` writes them, texts and keys by
/// `escaped_bytes`, so that they are UTF-8 whatever they hold. With `indent`
/// blanks per level, but lists of plain values on one line; on one line altogether where `indent` is 0.
template <class Json>
[[nodiscard]] std::string write_json(const Json& value, std::size_t indent = 0, std::size_t level = 0) {
    std::string out;
    switch (value.type()) {
        case Json::value_t::number_float:
            return json_number(value.template get<double>());
        case Json::value_t::string:
            detail::write_text(value.template get_ref<const std::string&>(), out);
            return out;
        case Json::value_t::array:
        case Json::value_t::object:
            break;
        default:
            return value.dump();
    }
    bool plain = value.is_array();
    for (const auto& v : value) plain = plain && !v.is_structured();
    const bool one_line = indent == 0 || plain || value.empty();
    const auto new_line = [&](std::size_t at) { return one_line ? std::string() : "\n" + std::string(indent * at, ' '); };
    out = value.is_array() ? "[" : "{";
    bool first = true;
    for (auto at = value.begin(); at != value.end(); ++at) {
        if (!first) out += one_line && indent != 0 ? ", " : ",";
        first = false;
        out += new_line(level + 1);
        if (value.is_object()) {
            detail::write_text(at.key(), out);
            out += indent == 0 ? ":" : ": ";
        }
        out += write_json(*at, indent, level + 1);
    }
    return out + new_line(level) + (value.is_array() ? "]" : "}");
}

/// One place in a JSON value that was read, with its path from the root, so that what is wrong there can be said in one sentence:
/// `candidates[3].cost must be a number, and is 'a'`. Owns nothing.
class json_place {
public:
    explicit json_place(const json_value& value, std::string path = {}) : value_(&value), path_(std::move(path)) {}

    [[nodiscard]] const json_value& value() const { return *value_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool is_null() const { return value_->is_null(); }

    /// An error about this place.
    [[nodiscard]] error wrong(const std::string& what) const {
        return error{(path_.empty() ? std::string("the file") : path_) + " " + what};
    }

    [[nodiscard]] outcome<double> number() const {
        if (!value_->is_number()) return must_be("a number");
        return value_->get<double>();
    }
    [[nodiscard]] outcome<std::int64_t> integer() const {
        if (!value_->is_number_integer()) return must_be("a whole number");
        if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
            return must_be("a number of 64 bits");
        return value_->get<std::int64_t>();
    }
    /// An integer of `least` or more that is an index or a count.
    [[nodiscard]] outcome<std::size_t> count(std::size_t least = 0) const {
        const auto number = integer();
        if (!number || *number < 0 || static_cast<std::uint64_t>(*number) < least)
            return must_be("a whole number, " + std::to_string(least) + " or more");
        return static_cast<std::size_t>(*number);
    }
    [[nodiscard]] outcome<bool> boolean() const {
        if (!value_->is_boolean()) return must_be("true or false");
        return value_->get<bool>();
    }
    [[nodiscard]] outcome<std::string> text() const {
        if (!value_->is_string()) return must_be("a text");
        return value_->get<std::string>();
    }
    [[nodiscard]] outcome<std::vector<json_place>> list() const {
        if (!value_->is_array()) return must_be("a list");
        std::vector<json_place> items;
        items.reserve(value_->size());
        for (std::size_t i = 0; i < value_->size(); ++i) items.emplace_back((*value_)[i], path_ + "[" + std::to_string(i) + "]");
        return items;
    }
    /// The members of an object, by ascending key.
    [[nodiscard]] outcome<std::vector<std::pair<std::string, json_place>>> members() const {
        if (!value_->is_object()) return must_be("an object");
        std::vector<std::pair<std::string, json_place>> found;
        for (auto at = value_->begin(); at != value_->end(); ++at) found.emplace_back(at.key(), json_place(*at, below(at.key())));
        return found;
    }
    /// The member of that key, or nothing.
    [[nodiscard]] std::optional<json_place> find(std::string_view key) const {
        if (!value_->is_object()) return std::nullopt;
        const auto at = value_->find(key);
        if (at == value_->end()) return std::nullopt;
        return json_place(*at, below(key));
    }
    [[nodiscard]] outcome<json_place> member(std::string_view key) const {
        if (!value_->is_object()) return must_be("an object");
        if (auto found = find(key)) return *found;
        return wrong("has no key " + quoted_text(key));
    }
    /// Whether this is an object with no other keys than these; the error has the known key that is nearest.
    [[nodiscard]] outcome<void> only(std::initializer_list<std::string_view> known) const {
        if (!value_->is_object()) return must_be("an object");
        for (auto at = value_->begin(); at != value_->end(); ++at) {
            bool is_known = false;
            for (const std::string_view k : known) is_known = is_known || k == at.key();
            if (!is_known) return wrong("has the unknown key " + quoted_text(at.key()) + name_hint(at.key(), known));
        }
        return {};
    }

private:
    [[nodiscard]] std::string below(std::string_view key) const {
        const std::string shown(key.substr(0, 60));
        return path_.empty() ? shown : path_ + "." + shown;
    }
    [[nodiscard]] error must_be(const std::string& what) const {
        // A long list or text is not shown whole, and not written out only to be cut.
        const std::string shown = value_->is_structured() ? (value_->is_array() ? "a list" : "an object")
                                  : value_->is_string()   ? quoted_text(value_->get_ref<const std::string&>(), 40)
                                                          : write_json(*value_);
        return wrong("must be " + what + ", and is " + shown);
    }

    const json_value* value_;
    std::string path_;
};

}  // namespace inlay

#endif
