// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_ENTRY_HPP
#define INLAY_BACKEND_OPENBLAS_ENTRY_HPP

#include <utility>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
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
        const auto b = chosen_formats(r, "OpenBLAS");
        if (!b) return b.failure();
        if (auto ready = self.usable(); !ready) return ready.failure();
        if (auto fine = check_offered(*b, Family::formats(p, r), "OpenBLAS"); !fine) return fine.failure();
        openblas_program program;
        program.threads = self.threads;
        Family::build(p, r, *b, program);
        return openblas_program::finish(std::move(program));
    }
};

}  // namespace inlay::detail

#endif
