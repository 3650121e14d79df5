// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_RANKS_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_RANKS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/normalization_attributes.hpp>
#include <inlay/ops/attributes/reduction_attributes.hpp>
#include <inlay/ops/loops/extent_arithmetic.hpp>
#include <inlay/ops/loops/strides.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay::portable {

/// The first elements of each line by size, equal ones by their place; NaN is the greatest. Each is looked for among those behind the one
/// before it, so that no memory is needed: as many steps as the line is long, for each element that is kept.
[[nodiscard]] inline outcome<written_body> write_top_k(const written_call& c) {
    computed_elements elements(c.call.type(0).element);
    if (elements.type().empty()) return error{"C has no arithmetic on " + std::string(name_of(c.call.type(0).element))};
    const auto x = c.extents(0), y = c.result_extents();
    const auto how = read<top_k_attributes>(c.call);
    const std::size_t axis = *axis_of(how.axis, x.size());
    const std::int64_t inner = extent_product(x, axis + 1, x.size());
    const std::string type = elements.type(), above = "inlay_above_" + std::string(name_of(elements.element()));
    const bool is_real = is_floating(elements.element());
    const auto is_above = [&](const std::string& a, const std::string& b) {
        return above + "(" + (how.largest ? a + ", " + b : b + ", " + a) + ")";
    };
    const std::string at = c.operands[0] + "[(o * " + std::to_string(x[axis]) + " + j) * " + std::to_string(inner) + " + i]";
    c_lines body;
    body.loop("o", extent_product(x, 0, axis)).loop("i", inner);
    body.line(type + " last = 0;").line("int64_t last_place = -1;");
    body.loop("k", y[axis]);
    body.line(type + " best = 0;").line("int64_t place = -1;");
    body.loop("j", x[axis]);
    body.line("const " + type + " v = " + elements.read(at) + ";");
    body.open("if (last_place >= 0)");
    body.line("if (" + is_above("v", "last") + ") continue;");
    body.line("if (j <= last_place && !" + is_above("last", "v") + ") continue;");
    body.close();
    body.open("if (place < 0 || " + is_above("v", "best") + ")").line("best = v;").line("place = j;").close(2);
    const std::string to = "[(o * " + std::to_string(y[axis]) + " + k) * " + std::to_string(inner) + " + i] = ";
    body.line("last = best;").line("last_place = place;");
    if (!c.results[0].empty()) body.line(c.results[0] + to + elements.stored("best") + ";");
    if (c.results.size() > 1 && !c.results[1].empty()) body.line(c.results[1] + to + "place;");
    body.close(3);
    std::vector<std::string> needs = elements.needs();
    needs.push_back("static inline bool " + above + "(" + type + " a, " + type + " b) {\n    return " +
                    (is_real ? "b == b && (a != a || a > b)" : "a > b") + ";\n}\n\n");
    return written_body{std::move(body).take(), std::move(needs)};
}

/// 1 at the first of the greatest elements of each line, 0 elsewhere.
[[nodiscard]] inline outcome<written_body> write_hardmax(const written_call& c) {
    computed_elements elements(c.call.type(0).element);
    if (elements.type().empty()) return error{"C has no arithmetic on " + std::string(name_of(c.call.type(0).element))};
    const auto x = c.extents(0);
    const std::size_t axis = *axis_of(read<softmax_attributes>(c.call).axis, x.size());
    const std::string inner = std::to_string(extent_product(x, axis + 1, x.size())), length = std::to_string(x[axis]);
    const auto at = [&](const std::string& tensor, const std::string& j) {
        return tensor + "[(o * " + length + " + " + j + ") * " + inner + " + i]";
    };
    c_lines body;
    body.loop("o", extent_product(x, 0, axis)).loop("i", extent_product(x, axis + 1, x.size()));
    body.line("int64_t best = 0;").line("bool is_found = false;");
    body.loop("j", x[axis]);
    // A NaN is above nothing, and nothing is above minus infinity but what is finite.
    body.open("if (" + elements.read(at(c.operands[0], "j")) + " > (is_found ? " + elements.read(at(c.operands[0], "best")) + " : (" +
              elements.type() + ")-INFINITY))");
    body.line("best = j;").line("is_found = true;").close(2);
    const std::string one = elements.stored("(" + elements.type() + ")(j == best)");
    body.loop("j", x[axis]).line(at(c.results[0], "j") + " = " + one + ";").close(3);
    return written_body{std::move(body).take(), elements.needs()};
}

inline constexpr written_entry written_ranks[] = {{"onnx.TopK", &write_top_k}, {"onnx.Hardmax", &write_hardmax}};

}  // namespace inlay::portable

#endif
