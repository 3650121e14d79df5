// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_SCHEDULE_SCHEDULE_IPP
#define INLAY_LOOPS_SCHEDULE_SCHEDULE_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/schedule/schedule.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/affine.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_edit.hpp>
#include <inlay/loops/nest/race.hpp>
#include <inlay/loops/schedule/cache_window.hpp>
#include <inlay/loops/schedule/loop_schedule.hpp>
#include <inlay/loops/schedule/move_stage.hpp>
#include <inlay/loops/schedule/replace_by_call.hpp>

namespace inlay {

namespace detail {

/// Arranges a sound nest step by step; it is sound after each.
class scheduler {
public:
    explicit scheduler(loop_nest n) : n_(std::move(n)) {}

    [[nodiscard]] outcome<void> operator()(const schedule_step& step) {
        auto done = changed(step);
        if (!done) return done;
        n_.tidy();
        return check_nest(n_.nest());
    }

    [[nodiscard]] loop_nest take() && { return std::move(n_).take(); }

private:
    [[nodiscard]] outcome<void> changed(const schedule_step& step) {
        switch (step.kind) {
            case schedule_step::form::split:
                return split(step);
            case schedule_step::form::reorder:
                return reorder(step);
            case schedule_step::form::fuse:
                return fuse(step);
            case schedule_step::form::fission:
                return fission(step);
            case schedule_step::form::put: {
                const auto buffer = n_.buffer(step.buffer);
                return buffer ? put(*buffer, step.scope) : buffer.failure();
            }
            case schedule_step::form::inline_stage: {
                const auto buffer = n_.buffer(step.buffer);
                return buffer ? inline_stage(n_, *buffer) : buffer.failure();
            }
            case schedule_step::form::run:
            case schedule_step::form::compute_at:
            case schedule_step::form::cache:
            case schedule_step::form::call:
                break;
        }
        if (step.loops.size() != 1) return error{"a step that is about one loop names one"};
        const auto loop = n_.loop(step.loops.front());
        if (!loop) return loop.failure();
        if (step.kind == schedule_step::form::run) {
            n_.at(*loop).runs = step.runs;
            return {};
        }
        if (step.kind == schedule_step::form::call) return replace_by_call(n_, *loop, step.function);
        const auto buffer = n_.buffer(step.buffer);
        if (!buffer) return buffer.failure();
        return step.kind == schedule_step::form::cache ? cache_window(n_, *buffer, *loop, step.copy, step.order)
                                                       : compute_at(n_, *buffer, *loop);
    }

    [[nodiscard]] std::string shown(statement_id loop) const { return quoted_text(n_.nest().variables[n_.at(loop).variable]); }

    [[nodiscard]] outcome<void> split(const schedule_step& step) {
        if (step.loops.size() != 3) return error{"a split names the loop, the loop over tiles and the loop in a tile"};
        const auto found = n_.loop(step.loops[0]);
        if (!found) return found.failure();
        const statement_id at = *found;
        if (step.factor < 1) return error{"a split of the loop over " + shown(at) + " needs tiles of at least 1 round"};
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
            if (step.loops[1] == step.loops[2] || n_.is_taken(step.loops[i]))
                return error{"a split of the loop over " + shown(at) + " names a new loop " + quoted_text(step.loops[i]) +
                             ", which is taken; choose another name"};
        const variable_id old = n_.at(at).variable;
        const std::int64_t extent = n_.at(at).extent, tiles = extent / step.factor + (extent % step.factor != 0);
        const variable_id outer = n_.variable(step.loops[1]), inner = n_.variable(step.loops[2]);
        const affine both = affine::of(outer, step.factor) + affine::of(inner);
        n_.substitute(old, both);
        nest_statement in_tile = n_.at(at);
        in_tile.runs = loop_kind::serial;
        in_tile.variable = inner;
        in_tile.extent = step.factor;
        statement_id inside = in_tile.parts.front();
        if (extent % step.factor != 0) inside = guarded({{0, both, extent}}, inside);
        in_tile.parts.front() = inside;
        const statement_id body = n_.add(std::move(in_tile));
        nest_statement& over = n_.at(at);
        over.variable = outer;
        over.extent = tiles;
        over.parts = {body};
        return {};
    }

    [[nodiscard]] outcome<void> reorder(const schedule_step& step) {
        std::vector<statement_id> wanted;
        for (const std::string& name : step.loops) {
            const auto loop = n_.loop(name);
            if (!loop) return loop.failure();
            wanted.push_back(*loop);
            if (std::count(step.loops.begin(), step.loops.end(), name) != 1)
                return error{"a new order of loops names " + quoted_text(name) + " twice"};
        }
        if (wanted.empty()) return {};
        // The outermost has the largest number.
        statement_id at = *std::max_element(wanted.begin(), wanted.end());
        std::vector<statement_id> band;
        while (band.size() < wanted.size()) {
            const nest_statement& s = n_.at(at);
            if (s.kind != nest_statement::form::loop || std::find(wanted.begin(), wanted.end(), at) == wanted.end())
                return error{"the loops of " + quoted_text(n_.nest().name) +
                             " that are to be reordered do not stand directly in each other; name all loops between them, or move what "
                             "stands between"};
            band.push_back(at);
            at = s.parts.front();
        }
        for (const statement_id loop : band)
            if (const auto shared = order_of(n_.nest(), loop))
                return error{"the loop over " + shown(loop) + " keeps its place: its rounds hand on elements of " +
                             quoted_text(n_.nest().buffers[*shared].name)};
        std::vector<nest_statement> heads;
        for (const statement_id loop : wanted) heads.push_back(n_.at(loop));
        for (std::size_t i = 0; i < band.size(); ++i) {
            nest_statement& s = n_.at(band[i]);
            s.variable = heads[i].variable;
            s.extent = heads[i].extent;
            s.runs = heads[i].runs;
        }
        return {};
    }

    [[nodiscard]] outcome<void> fuse(const schedule_step& step) {
        if (step.loops.size() != 2) return error{"a step that fuses loops names two"};
        const auto first = n_.loop(step.loops[0]), second = n_.loop(step.loops[1]);
        if (!first) return first.failure();
        if (!second) return second.failure();
        const nest_statement one = n_.at(*first), other = n_.at(*second);
        const std::string who = "the loops over " + shown(*first) + " and " + shown(*second);
        if (one.extent != other.extent || one.runs != other.runs)
            return error{who + " cannot be fused: they run " + std::to_string(one.extent) + " rounds, " + std::string(name_of(one.runs)) +
                         ", and " + std::to_string(other.extent) + ", " + std::string(name_of(other.runs))};
        bool is_behind = false;
        for (const nest_statement& s : n_.nest().statements)
            for (std::size_t i = 0; i + 1 < s.parts.size(); ++i)
                is_behind = is_behind || (s.parts[i] == *first && s.parts[i + 1] == *second);
        if (!is_behind) return error{who + " cannot be fused: the second does not stand right behind the first"};
        std::vector<char> is_shared(n_.nest().buffers.size(), 0);
        for (buffer_id b = 0; b < is_shared.size(); ++b)
            is_shared[b] = n_.touches(one.parts.front(), b) && n_.touches(other.parts.front(), b);
        n_.substitute(other.variable, affine::of(one.variable));
        const statement_id bodies = n_.block({one.parts.front(), other.parts.front()});
        n_.at(*first).parts.front() = bodies;
        const statement_id nothing = n_.block({});
        n_.replace(*second, nothing);
        // A round of the second may use what its own round of the first gave, and no other's.
        if (const auto met = race_finder(n_.nest(), *first)(true, is_shared))
            return error{who + " cannot be fused: a round of the second uses elements of " + quoted_text(n_.nest().buffers[*met].name) +
                         " that another round of the first uses"};
        return {};
    }

    /// A statement within bounds. They stand inside the loops that it begins with, so that these can still change places.
    [[nodiscard]] statement_id guarded(const std::vector<affine_bound>& bounds, statement_id whole) {
        statement_id inside = whole;
        std::optional<statement_id> last;
        while (n_.at(inside).kind == nest_statement::form::loop) {
            last = inside;
            inside = n_.at(inside).parts.front();
        }
        nest_statement rest;
        rest.kind = nest_statement::form::guard;
        rest.bounds = bounds;
        const statement_id made = n_.around(std::move(rest), inside);
        if (!last) return made;
        n_.at(*last).parts.front() = made;
        return whole;
    }

    [[nodiscard]] outcome<void> fission(const schedule_step& step) {
        if (step.loops.empty()) return error{"a step that splits what a loop runs names the loop"};
        const auto found = n_.loop(step.loops[0]);
        if (!found) return found.failure();
        const std::string who = "what the loop over " + shown(*found) + " runs cannot become two loops: ";
        // Loops and bounds down to the statements.
        std::vector<statement_id> band;
        std::vector<affine_bound> bounds;
        statement_id inside = *found;
        for (;; inside = n_.at(inside).parts.front()) {
            const nest_statement& s = n_.at(inside);
            if (s.kind == nest_statement::form::loop)
                band.push_back(inside);
            else if (s.kind == nest_statement::form::guard)
                bounds.insert(bounds.end(), s.bounds.begin(), s.bounds.end());
            else
                break;
        }
        const std::vector<statement_id> parts = n_.at(inside).parts;
        const auto first = static_cast<std::size_t>(std::max(step.factor, std::int64_t{0}));
        if (n_.at(inside).kind != nest_statement::form::block || first == 0 || first >= parts.size())
            return error{who + "there are " + std::to_string(n_.at(inside).kind == nest_statement::form::block ? parts.size() : 1) +
                         " statements, of which " + std::to_string(step.factor) + " cannot stay in the first"};
        const auto named = std::min(step.loops.size() - 1, band.size());
        for (std::size_t i = 1; i <= named; ++i)
            if (n_.is_taken(step.loops[i]) || std::count(step.loops.begin() + 1, step.loops.end(), step.loops[i]) != 1)
                return error{who + "its new loop " + quoted_text(step.loops[i]) + " is taken; choose another name"};
        const statement_id before = n_.block({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(first)});
        const statement_id behind = n_.block({parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end()});
        // A round of the second may use what its own round of the first gave, and no other's.
        std::vector<char> is_shared(n_.nest().buffers.size(), 0);
        for (buffer_id b = 0; b < is_shared.size(); ++b) is_shared[b] = n_.touches(before, b) && n_.touches(behind, b);
        for (const statement_id loop : band)
            if (const auto met = race_finder(n_.nest(), loop)(true, is_shared))
                return error{who + "a round uses elements of " + quoted_text(n_.nest().buffers[*met].name) + " that another round uses"};
        std::vector<nest_statement> heads;
        for (const statement_id loop : band) heads.push_back(n_.at(loop));
        const auto banded = [&](statement_id body) {
            statement_id made = n_.at(body).parts.size() == 1 ? n_.at(body).parts.front() : body;
            if (!bounds.empty()) made = guarded(bounds, made);
            for (std::size_t i = heads.size(); i-- > 0;) made = n_.around(heads[i], made);
            return made;
        };
        const statement_id one = banded(before), other = banded(behind);
        statement_id at = other;
        for (std::size_t i = 0; i < band.size(); ++i) {
            const variable_id v = n_.variable(i < named ? step.loops[i + 1] : n_.nest().variables[heads[i].variable]);
            n_.substitute_in(other, heads[i].variable, affine::of(v));
            n_.at(at).variable = v;
            at = n_.at(at).parts.front();
        }
        const statement_id both = n_.block({one, other});
        n_.replace(*found, both);
        return {};
    }

    [[nodiscard]] outcome<void> put(buffer_id b, buffer_scope scope) {
        const bool is_own = n_.allocation_of(b).has_value();
        if (!is_own || scope == buffer_scope::input || scope == buffer_scope::output)
            return error{"the buffer " + quoted_text(n_.nest().buffers[b].name) + " cannot be put in " + std::string(name_of(scope)) +
                         "; buffers of the nest's own stand in scratch or shared memory or on the stack"};
        n_.buffer(b).scope = scope;
        return {};
    }

    nest_edit n_;
};

}  // namespace detail

outcome<loop_nest> scheduled(const loop_nest& n, const loop_schedule& how) {
    if (auto sound = check_nest(n); !sound) return sound.failure();
    detail::scheduler work(n);
    for (std::size_t i = 0; i < how.steps.size(); ++i)
        if (auto done = work(how.steps[i]); !done)
            return error{"step " + std::to_string(i + 1) + " of the schedule: " + done.failure().message};
    return std::move(work).take();
}

}  // namespace inlay

#endif
