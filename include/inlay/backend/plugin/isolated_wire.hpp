// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_ISOLATED_WIRE_HPP
#define INLAY_BACKEND_PLUGIN_ISOLATED_WIRE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/core/arena.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/measure/wire.hpp>

namespace inlay {

/// What is asked of a back end in a process of its own. Each question is one message, and each answer another.
enum class isolated_question : std::uint8_t {
    tell,  // the table
    open,
    close,
    describe,
    usable,
    read,
    release,
    formats,
    price,
    lower_bound,
    emit,
    run,
    release_kernel,
    emit_c
};

namespace detail {

inline void write_bytes(wire_writer& w, const void* data, std::size_t size) {
    w.put(std::string_view(static_cast<const char*>(data), data == nullptr ? 0 : size));
}
inline void write_type(wire_writer& w, const inlay_tensor_type& t) {
    w.put(t.element).put(static_cast<std::uint64_t>(t.rank));
    for (std::uint32_t i = 0; i < t.rank; ++i) w.put(t.extents[i]);
}
inline void write_attribute(wire_writer& w, const inlay_attribute& a) {
    w.put(text_in(a.name)).put(a.kind).put(static_cast<std::uint64_t>(a.count));
    for (std::uint32_t i = 0; i < a.count; ++i) switch (a.kind) {
            case INLAY_INTEGER:
            case INLAY_INTEGERS:
                w.put(static_cast<const std::int64_t*>(a.values)[i]);
                break;
            case INLAY_NUMBER:
            case INLAY_NUMBERS:
                w.put(static_cast<const double*>(a.values)[i]);
                break;
            case INLAY_TEXT:
            case INLAY_TEXTS:
                w.put(text_in(static_cast<const inlay_text*>(a.values)[i]));
                break;
            default: {
                const auto& c = static_cast<const inlay_constant*>(a.values)[i];
                write_type(w, c.type);
                write_bytes(w, c.data, c.bytes);
            }
        }
}
/// Appends a region with all its constants.
inline void write_region_of_c(wire_writer& w, const inlay_region& r) {
    w.put(static_cast<std::uint64_t>(r.value_count)).put(static_cast<std::uint64_t>(r.input_count));
    w.put(static_cast<std::uint64_t>(r.constant_count)).put(static_cast<std::uint64_t>(r.result_count));
    for (std::size_t i = 0; i < r.result_count; ++i) w.put(r.results[i]);
    for (std::size_t i = 0; i < r.value_count; ++i) {
        const inlay_value& v = r.values[i];
        w.put(v.role).put(v.field).put(v.is_tuple).put(text_in(v.op)).put(static_cast<std::uint64_t>(v.operand_count));
        for (std::size_t o = 0; o < v.operand_count; ++o) w.put(v.operands[o]);
        w.put(static_cast<std::uint64_t>(v.attribute_count));
        for (std::size_t a = 0; a < v.attribute_count; ++a) write_attribute(w, v.attributes[a]);
        w.put(static_cast<std::uint64_t>(v.type_count));
        for (std::size_t t = 0; t < v.type_count; ++t) write_type(w, v.types[t]);
        write_bytes(w, v.data, v.bytes);
    }
}

}  // namespace detail

/// A region that came in a message, as C sees it. It owns everything that it shows.
class wired_region {
public:
    /// A reader that meets nonsense is bad afterwards, and the region is of no use.
    explicit wired_region(wire_reader& r) {
        const std::size_t values = r.get_count(8);
        region_.size = sizeof region_;
        region_.value_count = values;
        region_.input_count = static_cast<std::size_t>(r.get<std::uint64_t>());
        region_.constant_count = static_cast<std::size_t>(r.get<std::uint64_t>());
        region_.result_count = r.get_count(4);
        const std::span<std::uint32_t> results = numbers<std::uint32_t>(r, region_.result_count);
        region_.results = results.data();
        const std::span<inlay_value> all = room_.take(values, inlay_value{});
        region_.values = all.data();
        for (std::size_t i = 0; i < values && r.ok(); ++i) read(r, all[i]);
        for (const std::uint32_t v : results)
            if (v >= values) r.refuse();
        if (region_.input_count + region_.constant_count > values) r.refuse();
    }
    [[nodiscard]] const inlay_region* get() const { return &region_; }

    wired_region(const wired_region&) = delete;
    wired_region& operator=(const wired_region&) = delete;

private:
    template <class T>
    [[nodiscard]] std::span<T> numbers(wire_reader& r, std::size_t count) {
        const std::span<T> list = room_.take(r.ok() ? count : 0, T{});
        for (T& one : list) one = r.get<T>();
        return list;
    }
    [[nodiscard]] inlay_text text(wire_reader& r) {
        const std::string_view from = r.get_text();
        const std::span<char> made = room_.take<char>(from.size());
        std::copy(from.begin(), from.end(), made.begin());
        return {made.data(), made.size()};
    }
    [[nodiscard]] inlay_tensor_type type(wire_reader& r) {
        inlay_tensor_type t{};
        t.element = r.get<std::uint32_t>();
        const std::span<std::int64_t> extents = numbers<std::int64_t>(r, r.get_count(8));
        t.rank = static_cast<std::uint32_t>(extents.size());
        t.extents = extents.data();
        return t;
    }
    /// Aligned as constants are.
    [[nodiscard]] std::string_view elements(wire_reader& r) {
        const std::string_view from = r.get_text();
        if (from.empty()) return {};
        buffer& kept = constants_.emplace_back(from.size());
        if (kept.size() != from.size()) {
            r.refuse();
            return {};
        }
        std::memcpy(kept.data(), from.data(), from.size());
        return {reinterpret_cast<const char*>(kept.data()), kept.size()};
    }
    void read(wire_reader& r, inlay_value& v) {
        v.role = r.get<std::uint32_t>();
        v.field = r.get<std::uint32_t>();
        v.is_tuple = r.get<std::uint32_t>();
        v.op = text(r);
        const std::span<std::uint32_t> operands = numbers<std::uint32_t>(r, r.get_count(4));
        v.operands = operands.data();
        v.operand_count = operands.size();
        const std::span<inlay_attribute> attributes = room_.take(r.get_count(8), inlay_attribute{});
        for (inlay_attribute& a : attributes) read(r, a);
        v.attributes = attributes.data();
        v.attribute_count = attributes.size();
        const std::span<inlay_tensor_type> types = room_.take(r.get_count(8), inlay_tensor_type{});
        for (inlay_tensor_type& t : types) t = type(r);
        v.types = types.data();
        v.type_count = types.size();
        const std::string_view data = elements(r);
        v.data = data.data();
        v.bytes = data.size();
    }
    void read(wire_reader& r, inlay_attribute& a) {
        a.name = text(r);
        a.kind = r.get<std::uint32_t>();
        const std::size_t count = r.get_count(8);
        a.count = static_cast<std::uint32_t>(count);
        switch (a.kind) {
            case INLAY_INTEGER:
            case INLAY_INTEGERS:
                a.values = numbers<std::int64_t>(r, count).data();
                break;
            case INLAY_NUMBER:
            case INLAY_NUMBERS:
                a.values = numbers<double>(r, count).data();
                break;
            case INLAY_TEXT:
            case INLAY_TEXTS: {
                const std::span<inlay_text> texts = room_.take(count, inlay_text{});
                for (inlay_text& t : texts) t = text(r);
                a.values = texts.data();
                break;
            }
            default: {
                const std::span<inlay_constant> tensors = room_.take(count, inlay_constant{});
                for (inlay_constant& c : tensors) {
                    c.type = type(r);
                    const std::string_view data = elements(r);
                    c.data = data.data();
                    c.bytes = data.size();
                }
                a.values = tensors.data();
            }
        }
    }

    arena room_;
    std::deque<buffer> constants_;
    inlay_region region_{};
};

}  // namespace inlay

#endif
