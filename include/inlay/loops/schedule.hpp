// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_HPP
#define INLAY_LOOPS_SCHEDULE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/check_nest.hpp>
#include <inlay/loops/loop_nest.hpp>
#include <inlay/loops/race.hpp>

namespace inlay {

/// One change of a nest's loops, which go by their variables' names.
struct schedule_step {
    enum class form : std::uint8_t {
        split,    // loops[0] becomes loops[1] over tiles of `factor` rounds and loops[2] inside one; what is left over stands under bounds
        reorder,  // loops that stand in each other, with nothing between, stand in this order
        run       // loops[0] runs as `runs` says
    };

    form kind = form::run;
    std::vector<std::string> loops;
    std::int64_t factor = 0;
    loop_kind runs = loop_kind::serial;

    friend bool operator==(const schedule_step&, const schedule_step&) = default;
};

namespace detail {

class scheduler {
public:
    explicit scheduler(loop_nest n) : n_(std::move(n)) {}

    [[nodiscard]] outcome<void> operator()(const schedule_step& step) {
        for (const std::string& name : step.loops)
            if (&name == &step.loops.front() || step.kind == schedule_step::form::reorder)
                if (!find(name)) return unknown(name);
        switch (step.kind) {
            case schedule_step::form::split:
                return split(step);
            case schedule_step::form::reorder:
                return reorder(step);
            case schedule_step::form::run: {
                if (step.loops.size() != 1) return error{"a step that says how a loop runs names one loop"};
                n_.statements[*find(step.loops.front())].runs = step.runs;
                return check_nest(n_);
            }
        }
        return {};
    }

    [[nodiscard]] loop_nest take() && { return std::move(n_); }

private:
    [[nodiscard]] std::optional<statement_id> find(std::string_view name) const {
        for (statement_id s = 0; s < n_.statements.size(); ++s)
            if (n_.statements[s].kind == nest_statement::form::loop && n_.variables[n_.statements[s].variable] == name) return s;
        return std::nullopt;
    }
    [[nodiscard]] error unknown(const std::string& name) const {
        return error{"the loop nest " + quoted_text(n_.name) + " has no loop over " + quoted_text(name) + name_hint(name, n_.variables)};
    }

    /// Puts what is reached from the root into order again, parts before the whole.
    void renumber() {
        std::vector<nest_statement> ordered;
        n_.root = copy(n_.root, ordered);
        n_.statements = std::move(ordered);
    }
    statement_id copy(statement_id from, std::vector<nest_statement>& to) {
        nest_statement s = std::move(n_.statements[from]);
        for (statement_id& part : s.parts) part = copy(part, to);
        to.push_back(std::move(s));
        return static_cast<statement_id>(to.size() - 1);
    }

    void substitute(variable_id v, const affine& value) {
        const auto in = [&](std::vector<affine>& indices, std::vector<affine_bound>& bounds) {
            for (affine& a : indices) a = a.with(v, value);
            for (affine_bound& b : bounds) b.value = b.value.with(v, value);
        };
        for (nest_expression& e : n_.expressions) in(e.indices, e.bounds);
        for (nest_statement& s : n_.statements) in(s.indices, s.bounds);
    }

    [[nodiscard]] outcome<void> split(const schedule_step& step) {
        if (step.loops.size() != 3) return error{"a split names the loop, the loop over tiles and the loop in a tile"};
        if (step.factor < 1) return error{"a split of the loop over " + quoted_text(step.loops[0]) + " needs tiles of at least 1 round"};
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
            const auto is_taken = [&](const auto& one) { return one.name == step.loops[i]; };
            if (step.loops[1] == step.loops[2] ||
                std::find(n_.variables.begin(), n_.variables.end(), step.loops[i]) != n_.variables.end() ||
                std::any_of(n_.buffers.begin(), n_.buffers.end(), is_taken))
                return error{"a split of the loop over " + quoted_text(step.loops[0]) + " names a new loop " + quoted_text(step.loops[i]) +
                             ", which is taken; choose another name"};
        }
        const statement_id at = *find(step.loops[0]);
        const variable_id old = n_.statements[at].variable;
        const std::int64_t extent = n_.statements[at].extent, tiles = extent / step.factor + (extent % step.factor != 0);
        const auto outer = static_cast<variable_id>(n_.variables.size()), inner = outer + 1;
        n_.variables.push_back(step.loops[1]);
        n_.variables.push_back(step.loops[2]);
        const affine both = affine::of(outer, step.factor) + affine::of(inner);
        substitute(old, both);
        nest_statement in_tile = n_.statements[at];
        in_tile.runs = loop_kind::serial;
        in_tile.variable = inner;
        in_tile.extent = step.factor;
        if (extent % step.factor != 0) {
            // Bounds stand inside the loops that follow, so that these can still change places.
            statement_id* inside = &in_tile.parts.front();
            while (n_.statements[*inside].kind == nest_statement::form::loop) inside = &n_.statements[*inside].parts.front();
            nest_statement rest;
            rest.kind = nest_statement::form::guard;
            rest.bounds.push_back({0, both, extent});
            rest.parts = {*inside};
            *inside = static_cast<statement_id>(n_.statements.size());
            add(std::move(rest));
        }
        const statement_id body = add(std::move(in_tile));
        nest_statement& over = n_.statements[at];
        over.variable = outer;
        over.extent = tiles;
        over.parts = {body};
        renumber();
        return check_nest(n_);
    }
    statement_id add(nest_statement s) {
        n_.statements.push_back(std::move(s));
        return static_cast<statement_id>(n_.statements.size() - 1);
    }

    [[nodiscard]] outcome<void> reorder(const schedule_step& step) {
        std::vector<statement_id> wanted;
        for (const std::string& name : step.loops) {
            wanted.push_back(*find(name));
            if (std::count(step.loops.begin(), step.loops.end(), name) != 1)
                return error{"a new order of loops names " + quoted_text(name) + " twice"};
        }
        if (wanted.empty()) return {};
        // The outermost has the largest number.
        statement_id at = *std::max_element(wanted.begin(), wanted.end());
        std::vector<statement_id> band;
        while (band.size() < wanted.size()) {
            const nest_statement& s = n_.statements[at];
            if (s.kind != nest_statement::form::loop || std::find(wanted.begin(), wanted.end(), at) == wanted.end())
                return error{"the loops of " + quoted_text(n_.name) +
                             " that are to be reordered do not stand directly in each other; name all "
                             "loops between them, or move what stands between"};
            band.push_back(at);
            at = s.parts.front();
        }
        for (const statement_id loop : band)
            if (const auto shared = order_of(n_, loop))
                return error{"the loop over " + quoted_text(n_.variables[n_.statements[loop].variable]) +
                             " keeps its place: its rounds hand on "
                             "elements of " +
                             quoted_text(n_.buffers[*shared].name)};
        std::vector<nest_statement> heads;
        for (const statement_id loop : wanted) heads.push_back(n_.statements[loop]);
        for (std::size_t i = 0; i < band.size(); ++i) {
            nest_statement& s = n_.statements[band[i]];
            s.variable = heads[i].variable;
            s.extent = heads[i].extent;
            s.runs = heads[i].runs;
        }
        return check_nest(n_);
    }

    loop_nest n_;
};

}  // namespace detail

/// How a nest's loops are to be arranged, as a value. It computes the same as before: reordered sums of floating numbers up to rounding.
///
///     loop_schedule().split("j", 16, "tile", "lane").reorder({"tile", "k", "lane"}).run("lane", loop_kind::vector)
struct loop_schedule {
    std::vector<schedule_step> steps;

    loop_schedule& split(std::string loop, std::int64_t factor, std::string over, std::string inside) {
        steps.push_back({schedule_step::form::split, {std::move(loop), std::move(over), std::move(inside)}, factor});
        return *this;
    }
    loop_schedule& reorder(std::vector<std::string> loops) {
        steps.push_back({schedule_step::form::reorder, std::move(loops)});
        return *this;
    }
    loop_schedule& run(std::string loop, loop_kind runs) {
        steps.push_back({schedule_step::form::run, {std::move(loop)}, 0, runs});
        return *this;
    }

    friend bool operator==(const loop_schedule&, const loop_schedule&) = default;
};

/// A nest with its loops arranged by a schedule. The error says which step is not legal there, and why; or why the nest is not sound.
[[nodiscard]] inline outcome<loop_nest> scheduled(const loop_nest& n, const loop_schedule& how) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    detail::scheduler work(n);
    for (std::size_t i = 0; i < how.steps.size(); ++i)
        if (auto done = work(how.steps[i]); !done)
            return error{"step " + std::to_string(i + 1) + " of the schedule: " + done.failure().message};
    return std::move(work).take();
}

}  // namespace inlay

#endif
