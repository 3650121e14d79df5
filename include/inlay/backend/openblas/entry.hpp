// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_ENTRY_HPP
#define INLAY_BACKEND_OPENBLAS_ENTRY_HPP

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/openblas/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A family of operators as the third part of composites. A family has a `plan`, `read(region)`, `formats(plan, region)` and
/// `build(plan, region, formats, program)`, which fills all but the threads of a program.
template <class Family>
struct openblas_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return Family::read(m.region());
    }
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B&, const plan& p, const region_view& r) const {
        return Family::formats(p, r);
    }
    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (r.input_formats.size() != r.input_count || r.result_formats.size() != r.results.size())
            return error{"OpenBLAS emits a region whose border formats are chosen; this one has " + std::to_string(r.input_formats.size()) +
                         " for " + std::to_string(r.input_count) + " inputs"};
        if (auto ready = self.usable(); !ready) return ready.failure();
        const border_formats b{{r.input_formats.begin(), r.input_formats.end()}, {r.result_formats.begin(), r.result_formats.end()}};
        const std::vector<border_formats> offered = Family::formats(p, r);
        if (std::find(offered.begin(), offered.end(), b) == offered.end())
            return error{"OpenBLAS does not take this region with a result in the format " + to_string(b.results[0]) +
                         " and these inputs; ask it for its formats"};
        openblas_program program;
        program.threads = self.threads;
        Family::build(p, r, b, program);
        return openblas_program::finish(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
