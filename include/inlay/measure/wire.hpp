// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_WIRE_HPP
#define INLAY_MEASURE_WIRE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace inlay {

/// Writes numbers, texts and lists as bytes that a `wire_reader` of the same build reads: it goes between two processes of one
/// executable, so numbers are as they stand in memory.
class wire_writer {
public:
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) wire_writer& put(T value) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        bytes_.append(raw, sizeof(T));
        return *this;
    }
    wire_writer& put(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        bytes_.append(text);
        return *this;
    }
    template <class T>
    wire_writer& put_list(const std::vector<T>& list) {
        put(static_cast<std::uint64_t>(list.size()));
        for (const T& value : list) {
            if constexpr (std::is_same_v<T, std::string>)
                put(std::string_view(value));
            else
                put(value);
        }
        return *this;
    }

    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// Reads what a `wire_writer` wrote and distrusts it: a value that is not there, or a count that the rest of the bytes cannot hold,
/// makes the reader bad for good, and everything read from then on is zero or empty.
class wire_reader {
public:
    explicit wire_reader(std::string_view bytes) : rest_(bytes) {}

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool at_end() const { return ok_ && rest_.empty(); }
    [[nodiscard]] std::size_t left() const { return rest_.size(); }
    void refuse() {
        ok_ = false;
        rest_ = {};
    }

    template <class T>
    requires std::is_arithmetic_v<T>
    [[nodiscard]] T get() {
        T value{};
        if (rest_.size() < sizeof(T)) {
            refuse();
            return value;
        }
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    /// An enumerator whose number is not above that of `last`.
    template <class E>
    [[nodiscard]] E get_enum(E last) {
        const auto number = get<std::underlying_type_t<E>>();
        if (number < 0 || number > static_cast<std::underlying_type_t<E>>(last)) refuse();
        return ok_ ? static_cast<E>(number) : E{};
    }
    [[nodiscard]] bool get_bool() {
        const auto number = get<std::uint8_t>();
        if (number > 1) refuse();
        return number == 1;
    }
    /// The number of things that follow, each of at least `least` bytes.
    [[nodiscard]] std::size_t get_count(std::size_t least = 1) {
        const auto count = get<std::uint64_t>();
        if (count > rest_.size() / least) refuse();
        return ok_ ? static_cast<std::size_t>(count) : 0;
    }
    /// Text that lives as long as the bytes.
    [[nodiscard]] std::string_view get_text() {
        const std::size_t size = get_count();
        const std::string_view text = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return text;
    }
    template <class T>
    [[nodiscard]] std::vector<T> get_list() {
        std::vector<T> list(get_count(sizeof(T)));
        for (T& value : list) value = get<T>();
        return list;
    }
    [[nodiscard]] std::vector<std::string> get_texts() {
        std::vector<std::string> list(get_count(sizeof(std::uint64_t)));
        for (std::string& text : list) text = get_text();
        return list;
    }

private:
    std::string_view rest_;
    bool ok_ = true;
};

}  // namespace inlay

#endif
