// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_REGION_KERNEL_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_REGION_KERNEL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>

namespace inlay::detail::on_eigen {

/// A kernel that does some of a region's calls: which values it reads and which it makes. A value may be named that no call makes
/// (an operand left out): it is passed as null.
struct region_step {
    kernel work;
    std::vector<value_id> operands;
    std::vector<value_id> outputs;  // `no_value` for an output that nobody reads
    static constexpr value_id no_value = 0xFFFF'FFFFu;
};

/// The values that hold the outputs of a call: itself, or its first projection per field.
[[nodiscard]] inline std::vector<value_id> outputs_of(const region_view& r, value_id call) {
    if (!r[call].type->is_tuple()) return {call};
    std::vector<value_id> outputs(r[call].type->fields.size(), region_step::no_value);
    for (value_id v = 0; v < r.values.size(); ++v) {
        const region_value& p = r[v];
        if (p.kind != region_value::role::projection || p.operands[0] != call || p.field >= outputs.size()) continue;
        if (outputs[p.field] == region_step::no_value) outputs[p.field] = v;
    }
    return outputs;
}

/// Runs the steps of a region one after the other. What stays inside the region lies in the workspace; a step whose result is a view of
/// its operand does nothing where that result stays inside.
class region_program {
public:
    region_program(const region_view& r, std::vector<region_step> steps) : steps_(std::move(steps)) {
        places_.resize(r.values.size());
        for (value_id v = 0; v < r.input_count; ++v) places_[v] = {place::input, v};
        for (value_id v = static_cast<value_id>(r.input_count); v < r.input_count + r.constant_count; ++v) {
            if (r[v].value == nullptr) continue;
            places_[v] = {place::constant, constants_.size()};
            constants_.push_back(*r[v].value);
        }
        for (std::size_t i = 0; i < r.results.size(); ++i) {
            const value_id v = same_output(r, r.results[i]);
            if (places_[v].where == place::none)
                places_[v] = {place::result, i};
            else
                copies_.push_back({i, v, byte_size(r, v)});
        }
        view_of_.assign(r.results.size(), -1);
        std::size_t pointers = 0, scratch = 0;
        for (region_step& s : steps_) {
            for (value_id& v : s.operands)
                if (v != region_step::no_value) v = same_output(r, v);
            pointers += s.operands.size() + s.outputs.size();
            scratch = std::max(scratch, s.work.workspace_bytes);
        }
        scratch_ = aligned(pointers * sizeof(void*));
        workspace_ = scratch_ + aligned(scratch);
        std::vector<region_step> kept;
        for (region_step& s : steps_) {
            const bool view = s.outputs.size() == 1 && !s.work.view_of.empty() && s.work.view_of[0] >= 0;
            if (view) {
                const auto from = places_[s.operands[static_cast<std::size_t>(s.work.view_of[0])]];
                place& to = places_[s.outputs[0]];
                if (to.where == place::none) {
                    to = from;
                    continue;
                }
                if (to.where == place::result && from.where == place::input) view_of_[to.number] = static_cast<std::int32_t>(from.number);
            }
            for (const value_id v : s.outputs)
                if (v != region_step::no_value && places_[v].where == place::none) {
                    places_[v] = {place::workspace, workspace_};
                    workspace_ += aligned(byte_size(r, v));
                }
            kept.push_back(std::move(s));
        }
        steps_ = std::move(kept);
    }

    /// The program as a kernel.
    [[nodiscard]] static kernel make(const region_view& r, std::vector<region_step> steps) {
        region_program program(r, std::move(steps));
        std::string note;
        for (const region_step& s : program.steps_)
            if (!s.work.note.empty() && note.find(s.work.note) == std::string::npos) note += (note.empty() ? "" : ", ") + s.work.note;
        const std::size_t workspace = program.workspace_;
        const auto views = program.view_of_;
        if (program.is_plain(r)) {
            kernel only = std::move(program.steps_[0].work);
            only.view_of = views;
            if (std::all_of(views.begin(), views.end(), [](std::int32_t v) { return v < 0; })) only.view_of.clear();
            return only;
        }
        kernel k(std::move(program), workspace);
        k.note = std::move(note);
        if (std::any_of(views.begin(), views.end(), [](std::int32_t v) { return v >= 0; })) k.view_of = views;
        return k;
    }

    bool run(const run_arguments& a) const {
        auto* pointer = reinterpret_cast<void**>(a.workspace);
        run_arguments own = a;
        own.workspace = a.workspace + scratch_;
        for (const region_step& s : steps_) {
            own.inputs = pointer;
            for (const value_id v : s.operands) *pointer++ = address(v, a);
            own.results = pointer;
            for (const value_id v : s.outputs) *pointer++ = address(v, a);
            if (!s.work(own)) return false;
        }
        for (const copy& c : copies_)
            if (c.bytes != 0) std::memcpy(a.results[c.result], address(c.value, a), c.bytes);
        return true;
    }

private:
    struct place {
        enum kind : std::uint8_t { none, input, constant, result, workspace };
        kind where = none;
        std::size_t number = 0;
    };
    struct copy {
        std::size_t result;
        value_id value;
        std::size_t bytes;
    };

    static std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
    static std::size_t byte_size(const region_view& r, value_id v) { return site_of(r.type(v)).bytes(); }

    /// Projections of one field are one value.
    static value_id same_output(const region_view& r, value_id v) {
        if (r[v].kind != region_value::role::projection) return v;
        return outputs_of(r, r[v].operands[0])[r[v].field];
    }

    /// Whether there is one step that takes the region's inputs and gives its results, in their order, so that nothing stands around it.
    bool is_plain(const region_view& r) const {
        if (steps_.size() != 1 || !copies_.empty()) return false;
        const region_step& s = steps_[0];
        if (s.operands.size() != r.input_count || s.outputs.size() != r.results.size()) return false;
        for (std::size_t i = 0; i < s.operands.size(); ++i)
            if (s.operands[i] == region_step::no_value || places_[s.operands[i]].where != place::input ||
                places_[s.operands[i]].number != i)
                return false;
        for (std::size_t i = 0; i < s.outputs.size(); ++i)
            if (s.outputs[i] == region_step::no_value || places_[s.outputs[i]].where != place::result || places_[s.outputs[i]].number != i)
                return false;
        return true;
    }

    /// Kernels read what stands here and do not write where they read, though the pointers have one type.
    void* address(value_id v, const run_arguments& a) const {
        if (v == region_step::no_value) return nullptr;
        const place& p = places_[v];
        switch (p.where) {
            case place::input:
                return const_cast<void*>(a.inputs[p.number]);
            case place::constant:
                return const_cast<std::byte*>(constants_[p.number].data());
            case place::result:
                return a.results[p.number];
            case place::workspace:
                return a.workspace + p.number;
            case place::none:
                break;
        }
        return nullptr;
    }

    std::vector<region_step> steps_;
    std::vector<place> places_;
    std::vector<tensor> constants_;
    std::vector<copy> copies_;
    std::vector<std::int32_t> view_of_;
    std::size_t scratch_ = 0, workspace_ = 0;
};

}  // namespace inlay::detail::on_eigen

#endif
