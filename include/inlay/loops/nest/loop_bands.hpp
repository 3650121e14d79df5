// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_LOOP_BANDS_HPP
#define INLAY_LOOPS_NEST_LOOP_BANDS_HPP

#include <algorithm>
#include <vector>

#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// Loops that stand directly in each other, the outermost first, and what the innermost runs.
struct loop_band {
    std::vector<statement_id> loops;
    statement_id body = 0;
};

/// The band that a loop begins. Linear in its loops.
[[nodiscard]] inline loop_band band_from(const loop_nest& n, statement_id loop) {
    loop_band b{{}, loop};
    while (n.statements[b.body].kind == nest_statement::form::loop) {
        b.loops.push_back(b.body);
        b.body = n.statements[b.body].parts.front();
    }
    return b;
}

/// The bands of a nest that stand in no loop, in the order in which they run. Linear in the nest.
[[nodiscard]] inline std::vector<loop_band> outermost_bands(const loop_nest& n) {
    std::vector<loop_band> found;
    if (n.is_external()) return found;
    const auto collect = [&](const auto& self, statement_id id) -> void {
        const nest_statement& s = n.statements[id];
        if (s.kind == nest_statement::form::loop)
            found.push_back(band_from(n, id));
        else
            for (const statement_id part : s.parts) self(self, part);
    };
    collect(collect, n.root);
    return found;
}

/// Whether a loop stands in a statement, or is it. Linear in the statement.
[[nodiscard]] inline bool has_loop(const loop_nest& n, statement_id id) {
    const nest_statement& s = n.statements[id];
    return s.kind == nest_statement::form::loop ||
           std::any_of(s.parts.begin(), s.parts.end(), [&](statement_id part) { return has_loop(n, part); });
}

/// The loops of a nest that have no loop in them, those of its functions aside. Linear in the nest for each loop.
[[nodiscard]] inline std::vector<statement_id> innermost_loops(const loop_nest& n) {
    std::vector<statement_id> found;
    for (statement_id id = 0; id < n.statements.size(); ++id)
        if (n.statements[id].kind == nest_statement::form::loop && !has_loop(n, n.statements[id].parts.front())) found.push_back(id);
    return found;
}

}  // namespace inlay

#endif
