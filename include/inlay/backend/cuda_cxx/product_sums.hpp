// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_PRODUCT_SUMS_HPP
#define INLAY_BACKEND_CUDA_CXX_PRODUCT_SUMS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/loop_bands.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/schedule/where_legal.hpp>

namespace inlay::detail {

/// One axis of a tile of sums: so many threads, each with so many sums in registers.
struct tile_axis {
    std::string reader, sum;  // its loop in the stage that reads the sums, and in the one that makes them
    std::int64_t extent = 1, threads = 1, registers = 1;
    std::optional<loop_kind> bound;  // nothing: each round is a block's

    [[nodiscard]] std::int64_t size() const { return std::min(extent, threads * registers); }
};

/// Two stages of a nest: one stores sums over depths, the other one reads them.
struct product_sums {
    buffer_id sums = 0;
    loop_band maker, reader;
    statement_id first = 0, update = 0;  // what is stored before anything is added, and what adds
    std::vector<tile_axis> axes;         // those of the reader
    std::vector<std::string> depths, operands;
    std::vector<std::vector<char>> follows;  // by operand: axes that it follows
};

/// Reads the stage that makes sums in a scratch buffer and the one stage that reads them; nothing where there are no such.
[[nodiscard]] inline std::optional<product_sums> product_sums_of(const loop_nest& n, const std::string& sums) {
    product_sums made;
    const nest_edit e(n);
    const auto found = e.buffer(sums);
    if (!found || n.buffers[*found].scope != buffer_scope::scratch) return std::nullopt;
    const buffer_id b = made.sums = *found;
    std::optional<loop_band> maker, reader;
    for (const loop_band& band : outermost_bands(n)) {
        const statement_id whole = band.loops.front();
        if (!e.touches(whole, b)) continue;
        std::optional<loop_band>& is = e.touches(whole, b, true) ? maker : reader;
        if (is) return std::nullopt;
        is = band;
    }
    if (!maker || !reader) return std::nullopt;
    // A first value, and loops that add to it.
    const nest_statement& body = e.at(maker->body);
    if (body.kind != nest_statement::form::block || body.parts.size() != 2) return std::nullopt;
    made.first = body.parts[0];
    const nest_statement& first = e.at(made.first);
    if (first.kind != nest_statement::form::store || first.buffer != b || e.at(body.parts[1]).kind != nest_statement::form::loop)
        return std::nullopt;
    const loop_band over = band_from(n, body.parts[1]);
    made.update = over.body;
    const nest_statement& update = e.at(over.body);
    if (update.kind != nest_statement::form::update || update.buffer != b || update.function != scalar_function::add) return std::nullopt;
    for (const statement_id k : over.loops) made.depths.push_back(name_of_loop(n, k));
    // Each axis of the sums is one loop of either stage.
    std::optional<std::vector<affine>> at;
    bool is_alike = true;
    e.each_access(reader->loops.front(), [&](buffer_id of, const std::vector<affine>& indices, const auto& reach, bool) {
        if (of != b) return;
        is_alike = is_alike && reach.empty() && (!at || *at == indices);
        at = indices;
    });
    if (!at || !is_alike) return std::nullopt;
    const auto variable = [](const affine& a) {
        return a.constant() == 0 && a.terms().size() == 1 && a.terms()[0].factor == 1 ? std::optional(a.terms()[0].variable) : std::nullopt;
    };
    for (const statement_id loop : reader->loops) {
        tile_axis axis{name_of_loop(n, loop), {}, n.statements[loop].extent, 1, 1, {}};
        for (std::size_t d = 0; d < at->size(); ++d)
            if (variable((*at)[d]) == n.statements[loop].variable)
                if (const auto v = variable(first.indices[d])) axis.sum = n.variables[*v];
        made.axes.push_back(axis);
    }
    // What each operand follows, by axis.
    e.each_access(over.body, [&](buffer_id of, const std::vector<affine>& indices, const auto&, bool writes) {
        if (of == b || writes) return;
        if (std::find(made.operands.begin(), made.operands.end(), n.buffers[of].name) != made.operands.end()) return;
        made.operands.push_back(n.buffers[of].name);
        std::vector<char>& follows = made.follows.emplace_back();
        for (const tile_axis& axis : made.axes)
            follows.push_back(std::any_of(indices.begin(), indices.end(), [&](const affine& a) {
                return std::any_of(a.terms().begin(), a.terms().end(),
                                   [&](const affine::term& t) { return n.variables[t.variable] == axis.sum; });
            }));
    });
    if (made.operands.size() < 2) return std::nullopt;
    made.maker = *std::move(maker);
    made.reader = *std::move(reader);
    return made;
}

}  // namespace inlay::detail

#endif
