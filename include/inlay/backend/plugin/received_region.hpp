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
#include <inlay/core/buffer.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A region that came through the C interface, as a back end in C++ sees it. It owns all but the elements of constants, which stay where
/// they are: whoever sent it keeps them as long as this lives.
class received_region {
public:
    explicit received_region(const inlay_region& from)
        : result_count_(from.result_count),
          input_count_(from.input_count),
          constant_count_(from.constant_count),
          owned_(from.value_count),
          shown_(from.value_count) {
        std::size_t operands = 0, letters = 0, constants = 0;
        for (std::size_t i = 0; i < from.value_count; ++i) {
            constants += from.values[i].role == INLAY_CONSTANT;
            operands += from.values[i].operand_count;
            letters += from.values[i].op.size;
        }
        constants_.reserve(constants);
        ids_.reserve(from.result_count + operands);
        ids_.assign(from.results, from.results + from.result_count);
        letters_.reserve(letters);
        for (std::size_t i = 0; i < from.value_count; ++i) take(from.values[i], owned_[i], shown_[i], static_cast<node_id>(i));
    }

    /// In these formats; without them while formats are being asked for.
    [[nodiscard]] region_view view(std::span<const format> inputs = {}, std::span<const format> results = {}) const {
        return {shown_, input_count_, constant_count_, {ids_.data(), result_count_}, inputs, results};
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
                    const tensor seen = constant_of(c.type, c.data, c.bytes);
                    tensor kept(seen.element(), seen.extents());
                    if (kept.ok() && kept.bytes() != 0) std::memcpy(kept.data(), seen.data(), kept.bytes());
                    all.set(name, std::move(kept));
                    break;
                }
                default:
                    break;
            }
        }
        return all;
    }
    void take(const inlay_value& v, owned_value& own, region_value& shown, node_id number) {
        const std::size_t first = ids_.size(), first_letter = letters_.size();
        const std::string_view op = detail::text_in(v.op);
        letters_.insert(letters_.end(), op.begin(), op.end());
        ids_.insert(ids_.end(), v.operands, v.operands + v.operand_count);
        if (v.attribute_count != 0) own.attributes = attributes_of(v);
        if (v.is_tuple == 0 && v.type_count == 1) own.type = type_of(v.types[0]);
        if (v.is_tuple != 0) {
            std::vector<node_type> fields;
            for (std::size_t f = 0; f < v.type_count; ++f) fields.emplace_back(type_of(v.types[f]));
            own.type = node_type::tuple(std::move(fields));
        }
        // What is left out is the unit value.
        if (v.role == INLAY_ABSENT) own.type = node_type::tuple({});
        shown.kind = static_cast<region_value::role>(v.role);
        shown.op = {letters_.data() + first_letter, op.size()};
        shown.operands = std::span(ids_.data() + first, v.operand_count);
        shown.attributes = &own.attributes;
        shown.type = &own.type;
        if (v.role == INLAY_CONSTANT)
            shown.value = &constants_.emplace_back(v.type_count == 1 ? constant_of(v.types[0], v.data, v.bytes) : tensor());
        shown.field = v.field;
        shown.origin = number;
    }

    std::vector<value_id> ids_;  // results, then operands
    std::vector<tensor> constants_;
    std::vector<char> letters_;  // of the operators' names
    std::size_t result_count_, input_count_, constant_count_;
    std::vector<owned_value> owned_;
    std::vector<region_value> shown_;
};

}  // namespace inlay

#endif
