// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_GATHERS_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_GATHERS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::portable {

/// The place that an index means along an axis: counted from the end where it is negative. C that leaves has nobody to complain to, so that
/// one beyond the axis is the nearest place.
inline constexpr std::string_view c_place =
    "static inline int64_t inlay_place(int64_t i, int64_t extent) {\n    if (i < 0) i += extent;\n"
    "    return i < 0 ? 0 : i < extent ? i : extent - 1;\n}\n\n";

/// `inlay_place(in1[AT], EXTENT)`.
[[nodiscard]] inline std::string c_place_of(const std::string& indices, const std::string& at, std::int64_t extent) {
    return "inlay_place((int64_t)" + indices + "[" + at + "], " + std::to_string(extent) + ")";
}

/// Why places along axes of these extents cannot be named: the tensor has none.
[[nodiscard]] inline outcome<void> has_places(const written_call& c) {
    const auto at = c.extents(1);
    if (extent_product(at, 0, at.size()) == 0) return {};
    for (const std::int64_t e : c.extents(0))
        if (e == 0) return error{"indices into a tensor without elements have no code"};
    return {};
}

/// Rows of a tensor that indices name along one axis.
[[nodiscard]] inline outcome<written_body> write_gather(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    const auto x = c.extents(0), at = c.extents(1);
    const std::size_t axis = *axis_of(read<gather_attributes>(c.call).axis, x.size());
    const std::int64_t row = extent_product(x, axis + 1, x.size()), count = extent_product(at, 0, at.size());
    c_lines body;
    body.loop("o", extent_product(x, 0, axis)).loop("k", count);
    body.line("const int64_t from = (o * " + std::to_string(x[axis]) + " + " + c_place_of(c.operands[1], "k", x[axis]) + ") * " +
              std::to_string(row) + ";");
    body.line("const int64_t to = (o * " + std::to_string(count) + " + k) * " + std::to_string(row) + ";");
    body.loop("r", row).line(c.results[0] + "[to + r] = " + c.operands[0] + "[from + r];").close(3);
    return written_body{std::move(body).take(), {std::string(c_place)}};
}

/// Loops over the indices of GatherElements or ScatterElements, `k` counting them; then `place`, where the element that one names stands.
inline void open_element_places(c_lines& body, const written_call& c, std::size_t axis) {
    const auto x = c.extents(0), at = c.extents(1);
    const auto strides = row_major_strides(x), own = row_major_strides(at);
    std::string k, place;
    for (std::size_t d = 0; d < at.size(); ++d) {
        const std::string i = "i" + std::to_string(d);
        body.loop(i, at[d]);
        k += (d == 0 ? "" : " + ") + i + " * " + std::to_string(own[d]);
        if (d != axis) place += i + " * " + std::to_string(strides[d]) + " + ";
    }
    body.line("const int64_t k = " + k + ";");
    body.line("const int64_t place = " + place + c_place_of(c.operands[1], "k", x[axis]) + " * " + std::to_string(strides[axis]) + ";");
}

/// Elements that indices name along one axis, each for its own place.
[[nodiscard]] inline outcome<written_body> write_gather_elements(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    const auto x = c.extents(0);
    c_lines body;
    open_element_places(body, c, *axis_of(read<gather_attributes>(c.call).axis, x.size()));
    body.line(c.results[0] + "[k] = " + c.operands[0] + "[place];").close(x.size());
    return written_body{std::move(body).take(), {std::string(c_place)}};
}

/// Loops over the indices of GatherND or ScatterND, `k` counting them; then `place`, where the row that one names begins. Gives the row's
/// elements.
[[nodiscard]] inline std::int64_t open_row_places(c_lines& body, const written_call& c, std::size_t batch) {
    const auto x = c.extents(0), at = c.extents(1);
    const auto named = static_cast<std::size_t>(at.back());
    const auto strides = row_major_strides(x);
    const std::int64_t each = extent_product(at, batch, at.size() - 1);
    body.loop("b", extent_product(at, 0, batch)).loop("e", each);
    body.line("const int64_t k = b * " + std::to_string(each) + " + e;");
    std::string place = "b * " + std::to_string(extent_product(x, batch, x.size()));
    for (std::size_t i = 0; i < named; ++i)
        place += " + " + c_place_of(c.operands[1], "k * " + std::to_string(named) + " + " + std::to_string(i), x[batch + i]) + " * " +
                 std::to_string(strides[batch + i]);
    body.line("const int64_t place = " + place + ";");
    return extent_product(x, batch + named, x.size());
}

/// Rows of a tensor that indices along several axes name.
[[nodiscard]] inline outcome<written_body> write_gather_nd(const written_call& c) {
    if (auto can = has_places(c); !can) return can.failure();
    c_lines body;
    const std::int64_t row = open_row_places(body, c, static_cast<std::size_t>(read<gather_nd_attributes>(c.call).batch_dims));
    body.loop("r", row).line(c.results[0] + "[k * " + std::to_string(row) + " + r] = " + c.operands[0] + "[place + r];").close(3);
    return written_body{std::move(body).take(), {std::string(c_place)}};
}

/// The first steps of each sequence turned round, as many as its length says.
[[nodiscard]] inline outcome<written_body> write_reverse_sequence(const written_call& c) {
    const auto x = c.extents(0);
    const bool is_time_first = read<reverse_sequence_attributes>(c.call).time_axis == 0;
    const std::int64_t times = x[is_time_first ? 0 : 1], batches = x[is_time_first ? 1 : 0];
    const std::string row = std::to_string(extent_product(x, 2, x.size()));
    const auto place = [&](const std::string& t) {
        return "(" + (is_time_first ? t + " * " + std::to_string(batches) + " + b" : "b * " + std::to_string(times) + " + " + t) + ") * " +
               row;
    };
    c_lines body;
    body.loop("b", batches).loop("t", times);
    body.line("const int64_t length = (int64_t)" + c.operands[1] + "[b];");
    body.line("const int64_t turned = t < length && length <= " + std::to_string(times) + " ? length - 1 - t : t;");
    body.loop("r", extent_product(x, 2, x.size()));
    body.line(c.results[0] + "[" + place("t") + " + r] = " + c.operands[0] + "[" + place("turned") + " + r];").close(3);
    return written_body{std::move(body).take(), {}};
}

inline constexpr written_entry written_gathers[] = {{"onnx.Gather", &write_gather},
                                                    {"onnx.GatherElements", &write_gather_elements},
                                                    {"onnx.GatherND", &write_gather_nd},
                                                    {"onnx.ReverseSequence", &write_reverse_sequence}};

}  // namespace inlay::portable

#endif
