// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_JSON_READER_HPP
#define INLAY_IO_JSON_JSON_READER_HPP

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/json/json.hpp>

namespace inlay {

/// Reads members of JSON objects one by one and keeps the first error, so that a form with many keys is read without asking after each.
/// What could not be read is a default value.
class json_reader {
public:
    [[nodiscard]] bool is_sound() const { return !fault_.has_value(); }
    /// Precondition: not sound.
    [[nodiscard]] const error& fault() const { return *fault_; }
    void fail(error what) {
        if (!fault_) fault_ = std::move(what);
    }

    /// The value, or nothing and the error is kept.
    template <class T>
    std::optional<T> take(outcome<T> got) {
        if (got) return *std::move(got);
        fail(got.failure());
        return std::nullopt;
    }
    /// The object has no other keys than these.
    void only(const json_place& at, std::initializer_list<std::string_view> keys) {
        if (const auto known = at.only(keys); !known) fail(known.failure());
    }

    std::string text(const json_place& at, std::string_view key) {
        const auto member = take(at.member(key));
        return member ? take(member->text()).value_or(std::string()) : std::string();
    }
    std::string text_if(const json_place& at, std::string_view key) { return at.find(key) ? text(at, key) : std::string(); }
    std::vector<json_place> list(const json_place& at, std::string_view key) {
        const auto member = take(at.member(key));
        return member ? take(member->list()).value_or(std::vector<json_place>()) : std::vector<json_place>();
    }
    std::vector<json_place> list_if(const json_place& at, std::string_view key) {
        return at.find(key) ? list(at, key) : std::vector<json_place>();
    }
    std::vector<std::string> texts(const json_place& at, std::string_view key) {
        std::vector<std::string> all;
        for (const json_place& item : list(at, key)) all.push_back(take(item.text()).value_or(std::string()));
        return all;
    }
    /// A number that is 0 or more.
    double amount(const json_place& at, std::string_view key) {
        const auto member = take(at.member(key));
        return member ? amount(*member) : 0;
    }
    double amount(const json_place& at) {
        const double value = take(at.number()).value_or(0);
        if (!(value >= 0)) fail(at.wrong("is " + json_number(value) + ", and must be 0 or more"));
        return value;
    }
    /// The same, or null.
    std::optional<double> amount_or_null(const json_place& at, std::string_view key) {
        const auto member = take(at.member(key));
        if (!member || member->is_null()) return std::nullopt;
        return amount(*member);
    }
    /// That the object has the version that is read.
    void version(const json_place& at, std::int64_t read) {
        const auto member = take(at.member("version"));
        if (!member) return;
        if (const auto number = take(member->integer()); number && *number != read)
            fail(at.wrong("has version " + std::to_string(*number) + "; this program reads version " + std::to_string(read)));
    }

private:
    std::optional<error> fault_;
};

}  // namespace inlay

#endif
