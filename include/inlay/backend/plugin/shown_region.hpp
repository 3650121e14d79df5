// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PLUGIN_SHOWN_REGION_HPP
#define INLAY_BACKEND_PLUGIN_SHOWN_REGION_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// A region as C sees it. It shows what the region shows, copies no elements of tensors, and lives no longer than the region. Linear in the
/// values and attributes.
class shown_region {
public:
    /// The error says what of the region the interface has no words for.
    [[nodiscard]] static outcome<shown_region> make(const region_view& region) {
        shown_region made;
        made.values_.reserve(region.values.size());
        for (const region_value& v : region.values)
            if (auto done = made.add(v); !done) return done.failure();
        made.region_ = {sizeof(inlay_region),  made.values_.data(),   made.values_.size(),  region.input_count,
                        region.constant_count, region.results.data(), region.results.size()};
        return made;
    }

    [[nodiscard]] const inlay_region* get() const { return &region_; }

    // What stands in it points to what else does.
    shown_region(shown_region&&) noexcept = default;
    shown_region& operator=(shown_region&&) noexcept = default;
    shown_region(const shown_region&) = delete;
    shown_region& operator=(const shown_region&) = delete;

private:
    shown_region() = default;

    outcome<void> add(const region_value& v) {
        inlay_value shown{};
        shown.role = static_cast<std::uint32_t>(v.kind);
        shown.field = v.field;
        shown.op = detail::text_out(v.op);
        shown.operands = v.operands.data();
        shown.operand_count = v.operands.size();
        if (v.kind != region_value::role::absent) {
            std::vector<inlay_tensor_type>& types = types_.emplace_back();
            const std::span<const node_type> fields =
                v.type->is_tuple() ? std::span<const node_type>(v.type->fields) : std::span(v.type, 1);
            for (const node_type& f : fields) {
                if (!f.is_tensor() || !f.is_static())
                    return error{"a value of type " + to_string(*v.type) + " does not cross the border to a loaded back end"};
                types.push_back(type_of(f.of_tensor));
            }
            shown.is_tuple = v.type->is_tuple();
            shown.types = types.data();
            shown.type_count = types.size();
            add_attributes(*v.attributes, shown);
        }
        if (v.kind == region_value::role::constant && v.value != nullptr) {
            shown.data = v.value->data();
            shown.bytes = v.value->bytes();
        }
        values_.push_back(shown);
        return {};
    }

    inlay_tensor_type type_of(const tensor_type& t) {
        const std::vector<std::int64_t>& extents = extents_.emplace_back(static_shape(t));
        return {static_cast<std::uint32_t>(t.element), static_cast<std::uint32_t>(extents.size()), extents.data()};
    }

    void add_attributes(const attribute_map& all, inlay_value& shown) {
        if (all.size() == 0) return;
        std::vector<inlay_attribute>& list = attributes_.emplace_back();
        for (const auto& [name, value] : all) {
            inlay_attribute one{detail::text_out(name), static_cast<std::uint32_t>(value.index()), 1, nullptr};
            std::visit([&](const auto& v) { set(one, v); }, value);
            list.push_back(one);
        }
        shown.attributes = list.data();
        shown.attribute_count = list.size();
    }
    template <class T>
    void set(inlay_attribute& one, const T& v) {
        if constexpr (std::is_arithmetic_v<T>) {
            one.values = &v;
        } else if constexpr (std::is_same_v<T, std::string>) {
            one.values = &texts_.emplace_back(1, detail::text_out(v)).front();
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
            std::vector<inlay_text>& list = texts_.emplace_back();
            for (const std::string& text : v) list.push_back(detail::text_out(text));
            one.values = list.data();
            one.count = static_cast<std::uint32_t>(list.size());
        } else if constexpr (std::is_same_v<T, tensor>) {
            const std::vector<std::int64_t>& extents = extents_.emplace_back(v.extents());
            one.values = &constants_.emplace_back(
                inlay_constant{{static_cast<std::uint32_t>(v.element()), static_cast<std::uint32_t>(extents.size()), extents.data()},
                               v.data(),
                               v.bytes()});
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

    // Deques: what stands in them stays where it is while they grow.
    std::vector<inlay_value> values_;
    std::deque<std::vector<inlay_tensor_type>> types_;
    std::deque<std::vector<std::int64_t>> extents_;
    std::deque<std::vector<inlay_attribute>> attributes_;
    std::deque<std::vector<inlay_text>> texts_;
    std::deque<inlay_constant> constants_;
    inlay_region region_{};
};

}  // namespace inlay

#endif
