// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_ENTRY_HPP
#define INLAY_BACKEND_ONEDNN_ENTRY_HPP

#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/chosen_formats.hpp>
#include <inlay/backend/onednn/memory.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/backend/onednn/thread_count.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// Those of the tuples that `propose()` gives for which the library has generated code on so many threads: `describe(tuple, engine)` gives
/// what it would do, or an error. Tuples that only its plain loops take are left out.
template <class Propose, class Describe>
[[nodiscard]] std::vector<border_formats> onednn_offered(int threads, Propose&& propose, Describe&& describe) {
    std::vector<border_formats> list;
    const auto asked = onednn_guarded("the region", [&]() -> outcome<void> {
        const onednn_thread_scope scope(threads);
        const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
        for (border_formats& b : propose()) {
            const auto made = onednn_guarded("these formats", [&] { return describe(b, engine); });
            if (made && !made->is_reference()) list.push_back(std::move(b));
        }
        return {};
    });
    if (!asked) list.clear();
    return list;
}

/// A family of primitives as the third part of composites. A family has a `plan`; `read(region)` and perhaps `refuse(back end, plan)`;
/// `proposals(plan, region)`, the format tuples worth asking for; `describe(plan, region, engine, formats)`, what the library would do; and
/// `build(plan, description, region, formats, program)`.
template <class Family>
struct onednn_entry {
    using plan = typename Family::plan;

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B& self, const Match& m) const {
        auto made = Family::read(m.region());
        if constexpr (requires { Family::refuse(self, *made); })
            if (made)
                if (std::string why = Family::refuse(self, *made); !why.empty()) return error{std::move(why)};
        return made;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        return onednn_offered(
            self.threads, [&] { return Family::proposals(p, r); },
            [&](const border_formats& b, const dnnl::engine& engine) { return Family::describe(p, r, engine, b); });
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        const auto b = chosen_formats(r, "oneDNN");
        if (!b) return b.failure();
        return onednn_guarded("the region", [&]() -> outcome<kernel> {
            const onednn_thread_scope scope(self.threads);
            for (const format& f : b->inputs)
                if (f.scope != memory_scope{} || f.element != element_type::float32)
                    return error{"oneDNN takes no input in the format " + to_string(f)};
            for (const format& f : b->results)
                if (f.scope != memory_scope{} || f.element != element_type::float32)
                    return error{"oneDNN gives no result in the format " + to_string(f)};
            onednn_program program(self.threads);
            const auto made = Family::describe(p, r, program.engine(), *b);
            if (!made) return made.failure();
            return Family::build(p, *made, r, *b, std::move(program));
        });
    }
};

}  // namespace inlay::detail

#endif
