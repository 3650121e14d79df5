// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_SHOWN_REGION_HPP
#define INLAY_BACKEND_PLUGIN_SHOWN_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/arena.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>

namespace inlay {

/// A region as C sees it. It shows what the region shows, copies no elements of tensors, and lives no longer than the region. Linear in the
/// values and attributes.
class shown_region {
public:
    /// The error says what of the region the interface has no words for.
    [[nodiscard]] static outcome<shown_region> make(const region_view& region) {
        shown_region made;
        const std::span<inlay_value> values = made.room_.take(region.values.size(), inlay_value{});
        for (std::size_t i = 0; i < values.size(); ++i)
            if (auto done = made.show(region.values[i], values[i]); !done) return done.failure();
        made.region_ = {sizeof(inlay_region),  values.data(),         values.size(),        region.input_count,
                        region.constant_count, region.results.data(), region.results.size()};
        return made;
    }

    [[nodiscard]] const inlay_region* get() const { return &region_; }

private:
    shown_region() = default;

    outcome<void> show(const region_value& v, inlay_value& shown) {
        shown.role = static_cast<std::uint32_t>(v.kind);
        shown.field = v.field;
        shown.op = detail::text_out(v.op);
        shown.operands = v.operands.data();
        shown.operand_count = v.operands.size();
        if (v.kind == region_value::role::absent) return {};
        const std::span<const node_type> fields = v.type->is_tuple() ? std::span<const node_type>(v.type->fields) : std::span(v.type, 1);
        const std::span<inlay_tensor_type> types = room_.take(fields.size(), inlay_tensor_type{});
        for (std::size_t f = 0; f < fields.size(); ++f) {
            if (!fields[f].is_tensor() || !fields[f].is_static())
                return error{"a value of type " + to_string(*v.type) + " does not cross the border to a loaded back end"};
            const shape& from = fields[f].of_tensor.extents;
            const std::span<std::int64_t> extents = room_.take<std::int64_t>(from.size());
            for (std::size_t i = 0; i < from.size(); ++i) extents[i] = from[i].size;
            types[f] = {static_cast<std::uint32_t>(fields[f].of_tensor.element), static_cast<std::uint32_t>(extents.size()),
                        extents.data()};
        }
        shown.is_tuple = v.type->is_tuple();
        shown.types = types.data();
        shown.type_count = types.size();
        const std::span<inlay_attribute> attributes = room_.take(v.attributes->size(), inlay_attribute{});
        std::size_t a = 0;
        for (const auto& [name, value] : *v.attributes) {
            attributes[a] = {detail::text_out(name), static_cast<std::uint32_t>(value.index()), 1, nullptr};
            std::visit([&](const auto& held) { set(attributes[a], held); }, value);
            ++a;
        }
        shown.attributes = attributes.data();
        shown.attribute_count = attributes.size();
        if (v.kind == region_value::role::constant && v.value != nullptr) {
            shown.data = v.value->data();
            shown.bytes = v.value->bytes();
        }
        return {};
    }

    template <class T>
    void set(inlay_attribute& one, const T& v) {
        if constexpr (std::is_arithmetic_v<T>) {
            one.values = &v;
        } else if constexpr (std::is_same_v<T, std::string>) {
            one.values = room_.take(1, detail::text_out(v)).data();
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            const std::span<inlay_text> list = room_.take(v.size(), inlay_text{});
            for (std::size_t i = 0; i < v.size(); ++i) list[i] = detail::text_out(v[i]);
            one.values = list.data();
            one.count = static_cast<std::uint32_t>(list.size());
        } else if constexpr (std::is_same_v<T, tensor>) {
            const inlay_constant shown{
                {static_cast<std::uint32_t>(v.element()), static_cast<std::uint32_t>(v.extents().size()), v.extents().data()},
                v.data(),
                v.bytes()};
            one.values = room_.take(1, shown).data();
        } else {
            one.values = v.data();
            one.count = static_cast<std::uint32_t>(v.size());
        }
    }

    static_assert(std::is_same_v<std::variant_alternative_t<INLAY_INTEGER, attribute_value>, std::int64_t> &&
                  std::is_same_v<std::variant_alternative_t<INLAY_NUMBER, attribute_value>, double> &&
                  std::is_same_v<std::variant_alternative_t<INLAY_TEXT, attribute_value>, std::string> &&
                  std::is_same_v<std::variant_alternative_t<INLAY_INTEGERS, attribute_value>, std::vector<std::int64_t>> &&
                  std::is_same_v<std::variant_alternative_t<INLAY_NUMBERS, attribute_value>, std::vector<double>> &&
                  std::is_same_v<std::variant_alternative_t<INLAY_TEXTS, attribute_value>, std::vector<std::string>> &&
                  std::is_same_v<std::variant_alternative_t<INLAY_TENSOR, attribute_value>, tensor>);

    arena room_;
    inlay_region region_{};
};

}  // namespace inlay

#endif
