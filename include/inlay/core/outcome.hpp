// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_OUTCOME_HPP
#define INLAY_CORE_OUTCOME_HPP

#include <optional>
#include <string>
#include <utility>

namespace inlay {

/// Why something could not be done: one sentence that says what, where, what was expected and what to do.
struct error {
    std::string message;

    friend bool operator==(const error&, const error&) = default;
};

/// A value, or the error that stands in its place. The library throws nothing: every stage that can fail returns one of these.
/// Reading the value of a failed outcome is a broken precondition.
template <class T>
class [[nodiscard]] outcome {
public:
    outcome(T value) : value_(std::move(value)) {}
    outcome(error e) : error_(std::move(e)) {}

    [[nodiscard]] bool has_value() const { return value_.has_value(); }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& operator*() & { return *value_; }
    [[nodiscard]] const T& operator*() const& { return *value_; }
    [[nodiscard]] T&& operator*() && { return *std::move(value_); }
    [[nodiscard]] T* operator->() { return &*value_; }
    [[nodiscard]] const T* operator->() const { return &*value_; }

    [[nodiscard]] const inlay::error& failure() const { return error_; }

private:
    std::optional<T> value_;
    inlay::error error_;
};

/// The outcome of something that has no value to give.
template <>
class [[nodiscard]] outcome<void> {
public:
    outcome() = default;
    outcome(error e) : error_(std::move(e)) {}

    [[nodiscard]] bool has_value() const { return !error_.has_value(); }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] const inlay::error& failure() const { return *error_; }

private:
    std::optional<inlay::error> error_;
};

}  // namespace inlay

#endif
