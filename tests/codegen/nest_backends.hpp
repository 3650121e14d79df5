// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CODEGEN_NEST_BACKENDS_HPP
#define INLAY_TESTS_CODEGEN_NEST_BACKENDS_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/region.hpp>
#include <inlay/codegen/declare/loop_phase.hpp>
#include <inlay/codegen/declare/strategy_table.hpp>
#include <inlay/codegen/emit/emit_region.hpp>

namespace toys {

/// The smallest loop nest there is: one loop over all elements, its statements, and what was done to it.
struct one_loop {
    elementwise_code body;
    std::string done;
};

[[nodiscard]] inline one_loop loop_over(const inlay::region_view& r) {
    one_loop n;
    n.body.inputs = r.input_count;
    n.body.count = inlay::stored_elements(inlay::static_shape(r.type(r.results[0])), inlay::layout::plain());
    n.body.results.assign(r.results.begin(), r.results.end());
    return n;
}

/// What all back ends by way of nests have alike here.
template <class Self>
struct by_nests : rows {
    using nest = one_loop;

    [[nodiscard]] inlay::outcome<one_loop> lower(const inlay::region_view& r) const {
        return inlay::lower_by_strategies(static_cast<const Self&>(*this), r, loop_over(r));
    }
    [[nodiscard]] inlay::outcome<inlay::kernel> emit(const one_loop& n) const {
        inlay::kernel k(n.body);
        k.note = n.done;
        return k;
    }
};

/// A program, its one region of all calls that are not read by others, and formats for it.
struct sample_region {
    inlay::ir_module m;
    inlay::user_lists users;
    std::vector<inlay::node_id> results;
    inlay::region r;
    inlay::border_formats formats;

    explicit sample_region(inlay::ir_module program)
        : m(std::move(program)),
          users(m),
          results(m.results()),
          r(m, users, results, calls_of(m)),
          formats(inlay::plain_borders(r.view())) {}
    [[nodiscard]] inlay::region_view view() const { return r.view(formats.inputs, formats.results); }

    static std::vector<inlay::node_id> calls_of(const inlay::ir_module& m) {
        std::vector<inlay::node_id> calls;
        for (inlay::node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == inlay::node_kind::call || m.kind(n) == inlay::node_kind::projection) calls.push_back(n);
        return calls;
    }
};

/// The only result of a kernel over the inputs.
[[nodiscard]] inline std::vector<float> run(const inlay::kernel& k, const std::vector<std::vector<float>>& inputs) {
    std::vector<const void*> from;
    for (const std::vector<float>& i : inputs) from.push_back(i.data());
    std::vector<float> out(12, -77.0f);
    void* const to[] = {out.data()};
    if (!k({from.data(), to, nullptr, {}})) out.clear();
    return out;
}

[[nodiscard]] inline std::vector<float> twelve(float first, float step) {
    std::vector<float> v;
    for (int i = 0; i < 12; ++i) v.push_back(first + step * static_cast<float>(i));
    return v;
}

}  // namespace toys

#endif
