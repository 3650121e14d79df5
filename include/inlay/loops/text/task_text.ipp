// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_TEXT_TASK_TEXT_IPP
#define INLAY_LOOPS_TEXT_TASK_TEXT_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/loops/text/task_text.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/nest_work.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/loops/text/c_text.hpp>

namespace inlay {

namespace detail {

/// Writes each outermost parallel loop as a stage of its own, with the parallel loops directly in it. What stands between them is a stage
/// of one round, and so is a loop of several serial rounds, a guard or what a buffer on the stack is open for, parallel loops in it
/// included.
class task_printer final : public c_printer {
public:
    explicit task_printer(const loop_nest& n) : c_printer(n, {}) { functions_ = c_functions(true); }
    task_printer(const loop_nest& n, task_printer& earlier) : c_printer(n, {}) { go_on_from(earlier); }

    [[nodiscard]] outcome<task_function> task() {
        auto printed = function_alone("int32_t inlay_stage, int64_t inlay_first, int64_t inlay_last");
        if (!printed) return printed.failure();
        return task_function{*std::move(printed), std::move(stages_)};
    }
    using c_printer::text_before;

protected:
    [[nodiscard]] outcome<void> statement(statement_id id, std::size_t depth) override {
        if (is_inside_) return c_printer::statement(id, depth);
        const nest_statement& s = n_.statements[id];
        switch (s.kind) {
            case nest_statement::form::block:
                return c_printer::statement(id, depth);
            case nest_statement::form::allocate:
                // What stands on the stack is gone between stages.
                if (n_.buffers[s.buffer].scope != buffer_scope::scratch) break;
                return c_printer::statement(id, depth);
            case nest_statement::form::loop:
                if (s.runs == loop_kind::parallel) return stage_of_rounds(id, depth);
                if (s.runs != loop_kind::serial || s.extent != 1) break;
                line(depth, "{");
                declare_index(depth + 1, c_name(n_.variables[s.variable]), "0");
                if (auto printed = statement(s.parts.front(), depth + 1); !printed) return printed;
                line(depth, "}");
                return {};
            default:
                break;
        }
        line(depth, "if (inlay_stage == " + std::to_string(stages_.size()) + " && inlay_first < inlay_last) {");
        auto printed = body_of({1, work_of(n_, id)}, id, depth + 1);
        line(depth, "}");
        return printed;
    }

private:
    /// What a stage runs in each round.
    [[nodiscard]] outcome<void> body_of(task_stage stage, statement_id id, std::size_t depth) {
        stages_.push_back(stage);
        is_inside_ = true;
        auto printed = c_printer::statement(id, depth);
        is_inside_ = false;
        return printed;
    }

    [[nodiscard]] outcome<void> stage_of_rounds(statement_id id, std::size_t depth) {
        // Parallel loops directly in each other are one range of rounds.
        std::vector<const nest_statement*> loops;
        task_stage stage;
        while (n_.statements[id].kind == nest_statement::form::loop && n_.statements[id].runs == loop_kind::parallel) {
            loops.push_back(&n_.statements[id]);
            if (__builtin_mul_overflow(stage.rounds, loops.back()->extent, &stage.rounds))
                return error{"the parallel loops over " + quoted_text(n_.variables[loops.front()->variable]) +
                             " and those in it have more rounds than 64 bits count; run the inner ones serially"};
            id = loops.back()->parts.front();
        }
        stage.work = work_of(n_, id);
        line(depth, "if (inlay_stage == " + std::to_string(stages_.size()) + ") {");
        line(depth + 1, "for (int64_t inlay_round = inlay_first; inlay_round < inlay_last; ++inlay_round) {");
        std::int64_t inner = stage.rounds;
        for (const nest_statement* l : loops) {
            std::string value = "inlay_round";
            if (l != loops.front()) value += " % " + std::to_string(std::max(inner, std::int64_t{1}));
            inner /= std::max(l->extent, std::int64_t{1});
            if (inner > 1) value = "(" + value + ") / " + std::to_string(inner);
            declare_index(depth + 2, c_name(n_.variables[l->variable]), value);
        }
        is_parallel_ = true;
        auto printed = body_of(stage, id, depth + 2);
        is_parallel_ = false;
        line(depth + 1, "}");
        line(depth, "}");
        return printed;
    }

    std::vector<task_stage> stages_;
    bool is_inside_ = false;
};

}  // namespace detail

outcome<task_text> to_tasks(std::span<const loop_nest> nests) {
    task_text made;
    std::string functions, before;
    std::vector<detail::task_printer> printers;
    printers.reserve(nests.size());
    for (const loop_nest& n : nests) {
        if (auto sound = check_nest(n); !sound) return sound.failure();
        if (printers.empty())
            printers.emplace_back(n);
        else
            printers.emplace_back(n, printers.back());
        auto one = printers.back().task();
        if (!one) return error{"the loop nest " + quoted_text(n.name) + " is not printed: " + one.failure().message};
        functions += "\n" + one->printed.text;
        made.functions.push_back(*std::move(one));
    }
    if (!printers.empty()) made.text = printers.back().text_before() + functions;
    return made;
}

}  // namespace inlay

#endif
