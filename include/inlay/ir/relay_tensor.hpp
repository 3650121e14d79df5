// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_TENSOR_HPP
#define INLAY_IR_RELAY_TENSOR_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

namespace detail {

static_assert(std::endian::native == std::endian::little, "inlay: tensors in Relay's metadata are read on little-endian machines alone");

inline constexpr std::uint64_t relay_tensor_magic = 0xDD5E40F096B4A13Full;

struct relay_element {
    std::uint8_t code, bits;  // 0 integer, 1 without a sign, 2 floating, 4 bfloat
};
[[nodiscard]] inline relay_element relay_element_of(element_type e) {
    const auto bits = static_cast<std::uint8_t>(8 * size_of(e));
    if (e == element_type::boolean) return {1, 1};
    if (e == element_type::bfloat16) return {4, 16};
    // Kinds 6 and 7 are TVM's for 8-bit floats; the kinds without a negative zero have numbers behind them, which TVM does not read.
    if (e == element_type::float8_e4m3fn) return {6, 8};
    if (e == element_type::float8_e5m2) return {7, 8};
    if (e == element_type::float8_e4m3fnuz) return {8, 8};
    if (e == element_type::float8_e5m2fnuz) return {9, 8};
    if (is_floating(e)) return {2, bits};
    return {static_cast<std::uint8_t>(is_unsigned_integer(e) ? 1 : 0), bits};
}
[[nodiscard]] inline std::optional<element_type> element_of_relay(relay_element wanted) {
    for (std::size_t i = 1; i < element_table.size(); ++i) {
        const auto e = static_cast<element_type>(i);
        const relay_element known = relay_element_of(e);
        if (size_of(e) != 0 && known.code == wanted.code && known.bits == wanted.bits) return e;
    }
    return std::nullopt;
}

}  // namespace detail

/// Appends a tensor's bytes as they stand, before base64, in the list of tensors of Relay's metadata.
inline void write_relay_tensor(std::string& out, const tensor& t) {
    const auto add = [&](auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
    const detail::relay_element element = detail::relay_element_of(t.element());
    add(detail::relay_tensor_magic);
    add(std::uint64_t{0});
    add(std::int32_t{1});  // the CPU, number 0
    add(std::int32_t{0});
    add(static_cast<std::int32_t>(t.rank()));
    add(element.code);
    add(element.bits);
    add(std::uint16_t{1});
    for (const std::int64_t e : t.extents()) add(e);
    add(static_cast<std::int64_t>(t.bytes()));
    if (t.bytes() != 0) out.append(reinterpret_cast<const char*>(t.data()), t.bytes());
}

/// The tensor of such bytes. The error says what is wrong with them; nothing is allocated before there are as many bytes as are claimed.
[[nodiscard]] inline outcome<tensor> read_relay_tensor(std::string_view bytes) {
    std::size_t at = 0;
    bool is_short = false;
    const auto take = [&](auto value) {
        is_short = is_short || bytes.size() - at < sizeof value;
        if (is_short) return decltype(value){};
        std::memcpy(&value, bytes.data() + at, sizeof value);
        at += sizeof value;
        return value;
    };
    if (take(std::uint64_t{}) != detail::relay_tensor_magic) return error{"does not begin as a tensor does"};
    take(std::uint64_t{});
    take(std::int32_t{});
    take(std::int32_t{});
    const std::int32_t rank = take(std::int32_t{});
    const std::uint8_t code = take(std::uint8_t{}), bits = take(std::uint8_t{});
    const std::uint16_t lanes = take(std::uint16_t{});
    if (is_short || rank < 0 || static_cast<std::size_t>(rank) > (bytes.size() - at) / sizeof(std::int64_t))
        return error{"has fewer bytes than its header claims"};
    const auto element = lanes == 1 ? detail::element_of_relay({code, bits}) : std::nullopt;
    if (!element)
        return error{"has elements of code " + std::to_string(code) + " with " + std::to_string(bits) + " bits in " +
                     std::to_string(lanes) + " lanes, which are not read here"};
    std::vector<std::int64_t> extents(static_cast<std::size_t>(rank));
    for (std::int64_t& e : extents) e = take(std::int64_t{});
    const std::int64_t size = take(std::int64_t{});
    const auto count = element_count(extents);
    const std::size_t left = bytes.size() - at;
    if (is_short || !count || static_cast<std::uint64_t>(*count) > left / size_of(*element) ||
        static_cast<std::size_t>(*count) * size_of(*element) != left || size != static_cast<std::int64_t>(left))
        return error{"has another number of bytes than its header claims"};
    tensor t(*element, std::move(extents));
    if (!t.ok()) return error{"is larger than there is memory for"};
    if (left != 0) std::memcpy(t.data(), bytes.data() + at, left);
    if (*element == element_type::boolean)
        for (std::uint8_t& b : t.as<std::uint8_t>()) b = b != 0 ? 1 : 0;
    return t;
}

}  // namespace inlay

#endif
