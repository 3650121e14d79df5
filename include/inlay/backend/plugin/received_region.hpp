// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_RECEIVED_REGION_HPP
#define INLAY_BACKEND_PLUGIN_RECEIVED_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/arena.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A region that came through the C interface, as a back end in C++ sees it. It owns all but the elements of constants, which stay where
/// they are: whoever sent it keeps them as long as this lives. Values of one call share their type where it is the same.
class received_region {
public:
    explicit received_region(const inlay_region& from)
        : input_count_(from.input_count), constant_count_(from.constant_count), owned_(from.value_count) {
        // A program has many regions, and all are kept: what is known to be there is had at once.
        std::size_t bytes = arena::bytes_of<region_value>(from.value_count) + arena::bytes_of<value_id>(from.result_count), constants = 0;
        for (const inlay_value& v : std::span(from.values, from.value_count)) {
            constants += v.role == INLAY_CONSTANT;
            bytes += arena::bytes_of<value_id>(v.operand_count) + arena::bytes_of<char>(v.op.size);
        }
        constants_.reserve(constants);
        room_ = arena(bytes);
        shown_ = room_.take(from.value_count, region_value{});
        results_ = room_.copy(std::span<const value_id>(from.results, from.result_count));
        for (std::size_t i = 0; i < from.value_count; ++i) take(from.values[i], i);
    }

    /// In these formats; without them while formats are being asked for.
    [[nodiscard]] region_view view(std::span<const format> inputs = {}, std::span<const format> results = {}) const {
        return {shown_, input_count_, constant_count_, results_, inputs, results};
    }

    // What is shown points to what is owned.
    received_region(received_region&&) noexcept = default;
    received_region& operator=(received_region&&) noexcept = default;
    received_region(const received_region&) = delete;
    received_region& operator=(const received_region&) = delete;

private:
    struct owned_value {
        attribute_map attributes;
        node_type type;
    };

    [[nodiscard]] static tensor_type type_of(const inlay_tensor_type& t) {
        tensor_type made(static_cast<element_type>(t.element), shape(t.rank));
        for (std::size_t i = 0; i < t.rank; ++i) made.extents[i].size = t.extents[i];
        return made;
    }
    [[nodiscard]] static bool is_type(const node_type& t, const inlay_tensor_type& other) {
        if (!t.is_tensor() || static_cast<std::uint32_t>(t.of_tensor.element) != other.element || t.of_tensor.rank() != other.rank)
            return false;
        for (std::size_t i = 0; i < other.rank; ++i)
            if (t.of_tensor.extents[i].size != other.extents[i]) return false;
        return true;
    }
    [[nodiscard]] static tensor constant_of(const inlay_tensor_type& t, const void* data, std::size_t bytes) {
        return tensor::in(static_cast<element_type>(t.element), {t.extents, t.extents + t.rank}, buffer::around(data, bytes));
    }
    [[nodiscard]] static attribute_map attributes_of(const inlay_value& v) {
        attribute_map all;
        all.reserve(v.attribute_count);
        for (std::size_t i = 0; i < v.attribute_count; ++i) {
            const inlay_attribute& a = v.attributes[i];
            const std::string_view name = detail::text_in(a.name);
            const auto* integers = static_cast<const std::int64_t*>(a.values);
            const auto* numbers = static_cast<const double*>(a.values);
            const auto* texts = static_cast<const inlay_text*>(a.values);
            switch (a.kind) {
                case INLAY_INTEGER:
                    all.set(name, *integers);
                    break;
                case INLAY_NUMBER:
                    all.set(name, *numbers);
                    break;
                case INLAY_TEXT:
                    all.set(name, std::string(detail::text_in(*texts)));
                    break;
                case INLAY_INTEGERS:
                    all.set(name, std::vector<std::int64_t>(integers, integers + a.count));
                    break;
                case INLAY_NUMBERS:
                    all.set(name, std::vector<double>(numbers, numbers + a.count));
                    break;
                case INLAY_TEXTS: {
                    std::vector<std::string> list;
                    for (std::uint32_t t = 0; t < a.count; ++t) list.emplace_back(detail::text_in(texts[t]));
                    all.set(name, std::move(list));
                    break;
                }
                case INLAY_TENSOR: {
                    // The region is not there for long, and such tensors are small: this one is a copy.
                    const auto& c = *static_cast<const inlay_constant*>(a.values);
                    tensor kept(static_cast<element_type>(c.type.element), {c.type.extents, c.type.extents + c.type.rank});
                    if (kept.ok() && kept.bytes() == c.bytes && c.bytes != 0) std::memcpy(kept.data(), c.data, c.bytes);
                    all.set(name, std::move(kept));
                    break;
                }
                default:
                    break;
            }
        }
        return all;
    }
    void take(const inlay_value& v, std::size_t number) {
        owned_value& own = owned_[number];
        region_value& shown = shown_[number];
        const std::string_view op = detail::text_in(v.op);
        if (v.attribute_count != 0) own.attributes = attributes_of(v);
        shown.type = &own.type;
        if (v.is_tuple == 0 && v.type_count == 1) {
            // Most operators give what they take.
            const node_type* first = v.operand_count != 0 && v.operands[0] < number ? shown_[v.operands[0]].type : nullptr;
            if (first != nullptr && is_type(*first, v.types[0])) {
                shown.type = first;
            } else {
                own.type.kind = node_type::form::tensor;
                own.type.of_tensor = type_of(v.types[0]);
            }
        }
        if (v.is_tuple != 0) {
            std::vector<node_type> fields;
            for (std::size_t f = 0; f < v.type_count; ++f) fields.emplace_back(type_of(v.types[f]));
            own.type = node_type::tuple(std::move(fields));
        }
        // What is left out is the unit value.
        if (v.role == INLAY_ABSENT) own.type = node_type::tuple({});
        shown.kind = static_cast<region_value::role>(v.role);
        const std::span<char> letters = room_.copy(std::span<const char>(op.data(), op.size()));
        shown.op = {letters.data(), letters.size()};
        shown.operands = room_.copy(std::span<const value_id>(v.operands, v.operand_count));
        shown.attributes = &own.attributes;
        if (v.role == INLAY_CONSTANT)
            shown.value = &constants_.emplace_back(v.type_count == 1 ? constant_of(v.types[0], v.data, v.bytes) : tensor());
        shown.field = v.field;
        shown.origin = static_cast<node_id>(number);
    }

    std::size_t input_count_, constant_count_;
    arena room_;  // of values, operands and names
    std::span<region_value> shown_;
    std::span<const value_id> results_;
    std::vector<owned_value> owned_;
    std::vector<tensor> constants_;
};

}  // namespace inlay

#endif
