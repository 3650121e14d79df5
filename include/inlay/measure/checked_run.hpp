// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_CHECKED_RUN_HPP
#define INLAY_MEASURE_CHECKED_RUN_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/core/executor.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/measure/kernel_check.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/runtime/program.hpp>

namespace inlay {

/// A step of a program that gave other numbers than its meaning.
struct wrong_step {
    std::uint32_t step = 0;
    bool is_conversion = false;
    std::uint32_t number = 0;  // of the candidate in its set, or of the conversion in its partition
    std::string reason;        // one sentence, without the step's name
};

/// How a checked run ended.
struct checked_run {
    std::size_t compared = 0;  // steps
    std::vector<wrong_step> wrong;
};

/// Runs a program once as `program::run` does, and compares what each of its steps gives with the meaning of its region on what the step
/// read: chosen elements, as `check_kernel` chooses them. So a program is seen as a whole once, on real inputs: its memory plan, the
/// formats between parts, and steps side by side. Steps whose tensors are in a device's memory or whose meaning cannot be evaluated pass.
/// The results are those of the run, right or wrong. `g`, `set` and `cut` are what the program was linked from; `find` gives the meanings.
/// Error: what `program::run` says.
template <attributed_graph G>
[[nodiscard]] outcome<checked_run> run_checked(const G& g, const candidate_set& set, const partitioned& cut, const program& p,
                                               program_frame& frame, std::span<const tensor> inputs, std::span<tensor> results,
                                               executor_ref executor, op_finder find, const kernel_check_options& options = {}) {
    if (auto bound = p.bind(frame, inputs, results, executor); !bound) return bound.failure();
    // Steps of several lanes run at the same time, so each notes its own.
    std::vector<std::string> reasons(p.steps().size());
    std::vector<char> compared(p.steps().size(), 0);
    auto ran = p.run_steps(frame, [&](std::uint32_t i, std::uint32_t, auto&& work) {
        const step_facts& facts = p.steps()[i];
        const run_arguments a = p.arguments_of(frame, i);
        if (facts.is_conversion) {
            const conversion& c = cut.conversions[facts.number];
            const auto extents = static_shape(static_cast<const node_type&>(g.type(c.tensor)).of_tensor);
            const auto expected = detail::expected_conversion(a.inputs[0], extents, c.from, c.to, options);
            const bool good = work();
            if (good && expected) {
                compared[i] = 1;
                if (auto right = compare_samples(*expected, a.results[0], c.to, extents, 0); !right) reasons[i] = right.failure().message;
            }
            return good;
        }
        const region_view region = set.candidates[facts.number].view();
        const auto expected = detail::expected_step(region, a.inputs, find, executor, options);
        const bool good = work();
        for (std::size_t r = 0; good && expected && r < region.results.size() && reasons[i].empty(); ++r) {
            compared[i] = 1;
            auto right =
                compare_samples((*expected)[r], a.results[r], region.result_formats[r], static_shape(region.type(region.results[r])), r);
            if (!right) reasons[i] = right.failure().message + " in the first run of the program";
        }
        return good;
    });
    if (!ran) return ran.failure();
    p.deliver(inputs, results);
    checked_run made;
    for (std::uint32_t i = 0; i < reasons.size(); ++i) {
        made.compared += compared[i] != 0;
        if (!reasons[i].empty()) made.wrong.push_back({i, p.steps()[i].is_conversion, p.steps()[i].number, std::move(reasons[i])});
    }
    return made;
}

}  // namespace inlay

#endif
