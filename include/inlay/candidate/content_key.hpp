// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_CONTENT_KEY_HPP
#define INLAY_CANDIDATE_CONTENT_KEY_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// Raised when what a measurement means changes: old measurements are then no longer found.
inline constexpr std::uint64_t measurement_schema = 2;

/// Whether the time of what reads a constant depends on its value: integers and truth values of up to 1024 elements are shapes, axes
/// and indices; a single number is an exponent, a bound or an axis. Weights are known by type alone.
[[nodiscard]] inline bool value_matters(const tensor& t) {
    return t.count() <= 1 || (t.count() <= 1024 && (is_integer(t.element()) || t.element() == element_type::boolean));
}

namespace detail {

inline void feed_key(digest_builder& b, const node_type& type) {
    b.add(static_cast<std::uint64_t>(type.kind))
        .add(static_cast<std::uint64_t>(type.of_tensor.element))
        .add(static_cast<std::uint64_t>(type.of_tensor.ranked));
    b.add(static_cast<std::uint64_t>(type.of_tensor.extents.size()));
    for (const extent& e : type.of_tensor.extents) b.add(e.size);
    b.add(static_cast<std::uint64_t>(type.fields.size()));
    for (const node_type& f : type.fields) feed_key(b, f);
}
inline void feed_key(digest_builder& b, const format& f) {
    b.add(static_cast<std::uint64_t>(f.scope.device)).add(static_cast<std::uint64_t>(f.scope.number));
    b.add(static_cast<std::uint64_t>(f.order.kind))
        .add(static_cast<std::uint64_t>(f.order.block))
        .add(static_cast<std::uint64_t>(f.element));
}

}  // namespace detail

/// What a region computes, whoever runs it in whatever formats: one digest, and its inputs in the order in which the digest met them.
struct region_content {
    digest structure;
    std::vector<value_id> inputs;
};

/// The content of a region. It changes iff operators, attributes, types, wiring, constants whose value matters, or the values that leave
/// change. Names, the numbers of nodes, and the order in which independent nodes were numbered play no part. Linear in the region.
[[nodiscard]] inline region_content content_of(const region_view& r) {
    constexpr value_id unseen = 0xFFFF'FFFFu;
    // Values are numbered as a walk from the results meets them, operands first, so that the graph's numbering does not matter.
    std::vector<value_id> number(r.values.size(), unseen), order;
    std::vector<std::pair<value_id, std::size_t>> stack;
    const auto visit = [&](value_id from) {
        if (number[from] != unseen) return;
        stack.emplace_back(from, 0);
        while (!stack.empty()) {
            auto& [v, next] = stack.back();
            if (next < r.values[v].operands.size()) {
                const value_id operand = r.values[v].operands[next++];
                if (number[operand] == unseen) stack.emplace_back(operand, 0);
                continue;
            }
            if (number[v] == unseen) {
                number[v] = static_cast<value_id>(order.size());
                order.push_back(v);
            }
            stack.pop_back();
        }
    };
    for (const value_id v : r.results) visit(v);
    for (value_id v = 0; v < r.values.size(); ++v) visit(v);

    region_content made;
    digest_builder b;
    b.add(static_cast<std::uint64_t>(order.size()));
    for (const value_id v : order) {
        const region_value& value = r.values[v];
        b.add(static_cast<std::uint64_t>(value.kind));
        detail::feed_key(b, *value.type);
        switch (value.kind) {
            case region_value::role::input:
                made.inputs.push_back(v);
                break;
            case region_value::role::constant: {
                const bool by_value = value.value != nullptr && value_matters(*value.value);
                b.add(static_cast<std::uint64_t>(by_value));
                if (by_value) b.add(value.value->content());
                break;
            }
            case region_value::role::call:
                b.add(value.op).add(content_of(*value.attributes));
                break;
            case region_value::role::projection:
                b.add(static_cast<std::uint64_t>(value.field));
                break;
            case region_value::role::absent:
                break;
        }
        b.add(static_cast<std::uint64_t>(value.operands.size()));
        for (const value_id o : value.operands) b.add(static_cast<std::uint64_t>(number[o]));
    }
    b.add(static_cast<std::uint64_t>(r.results.size()));
    for (const value_id v : r.results) b.add(static_cast<std::uint64_t>(number[v]));
    made.structure = b.finish();
    return made;
}

/// The key of a region on a back end, in the formats that the view holds. It changes iff something that the time depends on changes: the
/// content of the region, formats, the back end's kind, the version of what it calls, its options as text, and the composite that makes
/// the code, where the back end has several ways (empty: the region alone decides). O(inputs + results).
[[nodiscard]] inline digest content_key(const region_content& content, const region_view& r, std::string_view kind,
                                        std::string_view version, std::string_view options, std::string_view composite = {}) {
    digest_builder b;
    b.add(std::string_view("region"));
    b.add(content.structure).add(kind).add(version).add(options).add(composite);
    b.add(static_cast<std::uint64_t>(r.input_formats.size())).add(static_cast<std::uint64_t>(r.result_formats.size()));
    for (const value_id v : content.inputs)
        if (v < r.input_formats.size()) detail::feed_key(b, r.input_formats[v]);
    for (const format& f : r.result_formats) detail::feed_key(b, f);
    return b.finish();
}
/// The same for a region whose content is asked once. Linear in the region.
[[nodiscard]] inline digest content_key(const region_view& r, std::string_view kind, std::string_view version, std::string_view options,
                                        std::string_view composite = {}) {
    return content_key(content_of(r), r, kind, version, options, composite);
}

/// The key of a conversion of a tensor of this type. The version is that of the code that converts.
[[nodiscard]] inline digest content_key(const tensor_type& type, const format& from, const format& to, std::string_view version = {}) {
    digest_builder b;
    b.add(std::string_view("conversion")).add(version);
    detail::feed_key(b, node_type(type));
    detail::feed_key(b, from);
    detail::feed_key(b, to);
    return b.finish();
}

/// The key of a measurement of that content: on which machine, with how many threads, under which conditions (the meter's own
/// digest of how it measures).
[[nodiscard]] inline digest measurement_key(const digest& content, const digest& machine, std::uint64_t threads,
                                            const digest& conditions = {}) {
    return digest_builder().add(measurement_schema).add(content).add(machine).add(threads).add(conditions).finish();
}

}  // namespace inlay

#endif
