// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_PORTABLE_C_WRITTEN_WINDOWS_HPP
#define INLAY_BACKEND_PORTABLE_C_WRITTEN_WINDOWS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <inlay/backend/portable_c/written_call.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/ops/attributes/window_attributes.hpp>
#include <inlay/ops/onnx/pooling.hpp>

namespace inlay::portable {

/// The greatest element under each window and where it stands in the whole tensor, -1 where there is none; of equal ones the first, and the
/// first NaN before all. Alone, the greatest have a loop nest.
[[nodiscard]] inline outcome<written_body> write_max_pool(const written_call& c) {
    computed_elements elements(c.call.type(0).element);
    const element_type element = elements.element();
    if (elements.type().empty()) return error{"C has no arithmetic on " + std::string(name_of(element))};
    const auto e = detail::pooling_extents_of(c.call, c.extents(0), c.result_extents());
    if (!e) return e.failure();
    const std::string type = elements.type();
    const auto number = [](std::int64_t n) { return std::to_string(n); };
    c_lines body;
    body.line("int64_t to = 0;");
    body.loop("n", e->batches);
    for (std::size_t d = 0; d < 3; ++d) body.loop("o" + number(static_cast<std::int64_t>(d)), e->out[d]);
    body.line(type + " best = " +
              (is_floating(element)            ? "(" + type + ")-INFINITY"
               : element == element_type::int8 ? "INT8_MIN"
                                               : "0") +
              ";");
    body.line("int64_t best_at = -1;");
    for (std::size_t d = 0; d < 3; ++d) {
        const window& w = e->windows[d];
        const std::string axis = number(static_cast<std::int64_t>(d)), at = "i" + axis;
        body.loop("k" + axis, w.kernel);
        body.line("const int64_t " + at + " = o" + axis + " * " + number(w.stride) + " + k" + axis + " * " + number(w.dilation) + " - " +
                  number(w.before) + ";");
        body.line("if (" + at + " < 0 || " + at + " >= " + number(e->in[d]) + ") continue;");
    }
    body.line("const int64_t at = (i0 * " + number(e->in[1]) + " + i1) * " + number(e->in[2]) + " + i2;");
    body.line("const " + type + " v = " + elements.read(c.operands[0] + "[n * " + number(e->in_plane()) + " + at]") + ";");
    body.line(is_floating(element) ? "if (best_at >= 0 && (best != best || (v == v && !(v > best)))) continue;"
                                   : "if (best_at >= 0 && v <= best) continue;");
    body.line("best = v;");
    // Counted row by row or column by column, as the attribute says.
    const bool by_columns = read<max_pool_attributes>(c.call).storage_order == 1;
    body.line(by_columns ? "best_at = i0 + " + number(e->in[0]) + " * (i1 + " + number(e->in[1]) + " * i2);" : "best_at = at;").close(3);
    if (!c.results[0].empty()) body.line(c.results[0] + "[to] = " + elements.stored("best") + ";");
    if (c.results.size() > 1 && !c.results[1].empty())
        body.line(c.results[1] + "[to] = best_at < 0 ? -1 : n * " + number(e->in_plane()) + " + best_at;");
    body.line("++to;").close(4);
    return written_body{std::move(body).take(), elements.needs()};
}

inline constexpr written_entry written_windows[] = {{"onnx.MaxPool", &write_max_pool, 2}};

}  // namespace inlay::portable

#endif
