// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_ABI_VALUES_HPP
#define INLAY_BACKEND_PLUGIN_ABI_VALUES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/target/device.hpp>
#include <inlay/target/format.hpp>
#include <inlay/target/option_value.hpp>

namespace inlay {

// Both sides count alike, so that values cross by their numbers.
static_assert(static_cast<int>(element_type::none) == INLAY_NONE && static_cast<int>(element_type::float16) == INLAY_FLOAT16 &&
              static_cast<int>(element_type::float32) == INLAY_FLOAT32 && static_cast<int>(element_type::float64) == INLAY_FLOAT64 &&
              static_cast<int>(element_type::int64) == INLAY_INT64 && static_cast<int>(element_type::uint64) == INLAY_UINT64 &&
              static_cast<int>(element_type::boolean) == INLAY_BOOL);
static_assert(static_cast<int>(device_type::cpu) == INLAY_CPU && static_cast<int>(device_type::cuda) == INLAY_CUDA &&
              static_cast<int>(device_type::ext_dev) == INLAY_EXT_DEV);
static_assert(static_cast<int>(region_value::role::input) == INLAY_INPUT && static_cast<int>(region_value::role::absent) == INLAY_ABSENT);
static_assert(static_cast<int>(layout::form::plain) == INLAY_PLAIN &&
              static_cast<int>(layout::form::channels_blocked) == INLAY_CHANNELS_BLOCKED);
static_assert(static_cast<int>(option_type::boolean) == INLAY_OPTION_BOOL && static_cast<int>(option_type::integers) == INLAY_OPTION_INTS);

namespace detail {

[[nodiscard]] inline inlay_text text_out(std::string_view text) { return {text.data(), text.size()}; }
[[nodiscard]] inline std::string_view text_in(inlay_text text) {
    return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}

inline constexpr std::size_t most_reply = 4096;

/// A reply that adds to a string, which stays one line of at most so many bytes (`escaped_text`).
[[nodiscard]] inline inlay_reply reply_to(std::string& text) {
    return {&text, [](void* to, const char* more, std::size_t size) {
                std::string& said = *static_cast<std::string*>(to);
                if (more != nullptr && said.size() < most_reply) said += escaped_text({more, size}, most_reply - said.size());
            }};
}
inline void say(const inlay_reply& reply, std::string_view text) {
    if (reply.say != nullptr) reply.say(reply.to, text.data(), text.size());
}

[[nodiscard]] inline inlay_format format_out(const format& f) {
    return {static_cast<std::uint32_t>(f.element), static_cast<std::uint32_t>(f.order.kind), f.order.block};
}
/// The format in the CPU's main memory; nothing where the numbers mean none.
[[nodiscard]] inline std::optional<format> format_in(const inlay_format& f) {
    if (f.element > INLAY_BOOL || f.layout > INLAY_CHANNELS_BLOCKED || f.block == 0 || f.block > 255) return std::nullopt;
    if (f.layout != INLAY_CHANNELS_BLOCKED && f.block != 1) return std::nullopt;
    return format{{}, {static_cast<layout::form>(f.layout), static_cast<std::uint8_t>(f.block)}, static_cast<element_type>(f.element)};
}

}  // namespace detail

/// Formats of a region's inputs and results as C sees them.
class shown_borders {
public:
    shown_borders(std::span<const format> inputs, std::span<const format> results) {
        const std::size_t count = inputs.size() + results.size();
        inlay_format* to = few_.data();
        if (count > few_.size()) {
            many_.resize(count);
            to = many_.data();
        }
        borders_ = {to, to + inputs.size()};
        for (const std::span<const format> side : {inputs, results})
            for (const format& f : side) *to++ = detail::format_out(f);
    }
    [[nodiscard]] const inlay_borders* get() const { return &borders_; }

    shown_borders(const shown_borders&) = delete;
    shown_borders& operator=(const shown_borders&) = delete;

private:
    // Of inputs, then of results; most regions have few, which take no memory of their own.
    std::array<inlay_format, 8> few_;
    std::vector<inlay_format> many_;
    inlay_borders borders_{};
};

}  // namespace inlay

#endif
