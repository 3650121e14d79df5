// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_ENTRY_HPP
#define INLAY_BACKEND_OPENBLAS_ENTRY_HPP

#include <utility>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/openblas/program.hpp>
#include <inlay/backend/openblas/threads.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/codegen/kernel/share_work.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// A family of operators as the third part of composites. A family has a `plan`, `read(region)`, `formats(plan, region)` and
/// `build(plan, region, formats, program)`, which fills all but the threads of a program.
/// In slices, a kernel is runs of rows of one thread each; it is offered where there are two at least.
template <class Family, bool InSlices = false>
struct openblas_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        const region_view& r = m.region();
        auto p = Family::read(r);
        if constexpr (InSlices)
            if (p) {
                if (self.threads < 2) return error{"slices are for several threads, and there is one"};
                const openblas_program program = program_of(self, *p, r, Family::formats(*p, r).front());
                if (program.slices() < 2 || program.operations() < 2 * worth_a_task)
                    return error{"there is too little work for two slices"};
            }
        return p;
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
        if (!openblas_threads::has_room(self.threads))
            return error{"there is no memory for OpenBLAS to work in, which takes 128 MiB for each thread"};
        return openblas_program::finish(program_of(self, p, r, *b));
    }

private:
    template <class B>
    [[nodiscard]] static openblas_program program_of(const B& self, const plan& p, const region_view& r, const border_formats& b) {
        openblas_program program;
        program.threads = self.threads;
        program.in_slices = InSlices;
        Family::build(p, r, b, program);
        return program;
    }
};

}  // namespace inlay::detail

#endif
