// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_ONEDNN_ELEMENTWISE_HPP
#define INLAY_BACKEND_ONEDNN_ELEMENTWISE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/elementwise_operators.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/onednn/post_ops.hpp>
#include <inlay/backend/onednn/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::detail {

/// Element-wise functions and operations of two tensors, one after the other on one chain of values, tensors stretched where the library
/// can. Each operation is a primitive with the functions that follow it; a function that follows none is a primitive of its own.
struct onednn_elementwise {
    struct plan {
        value_id x = 0;
        std::vector<chain_step> steps;
        std::vector<std::int64_t> extents;                // of the result
        std::vector<std::vector<std::int64_t>> operands;  // per value of the region: its extents at the result's rank; empty: no operand
    };

    static constexpr auto pattern_of_functions() { return pattern_of_elementwise_functions(); }
    static constexpr auto pattern_of_operations() { return pattern_of_elementwise_operations(); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, onednn_most_axes); !fine) return fine.failure();
        auto chain = read_anchored_chain(r, r.results[0], [](const region_value&) { return false; });
        if (!chain) return chain.failure();
        plan p;
        p.x = chain->anchor;
        if (r[p.x].kind != region_value::role::input) return error{"the chain begins with a constant"};
        p.steps = std::move(chain->steps);
        p.extents = onednn_with_rank(static_shape(r.type(r.results[0])), 0);
        p.operands.resize(r.values.size());
        const auto set = [&](value_id v) -> outcome<void> {
            const bool known = r[v].kind == region_value::role::input || float_constant(r, v) != nullptr;
            if (!known || !r[v].type->is_tensor()) return error{"an operand of type " + to_string(*r[v].type) + " is no float32 tensor"};
            std::vector<std::int64_t> e = onednn_with_rank(static_shape(r.type(v)), p.extents.size());
            if (e.size() != p.extents.size())
                return error{"an operand of type " + to_string(*r[v].type) + " has more axes than the result"};
            p.operands[v] = std::move(e);
            return {};
        };
        if (auto fine = set(p.x); !fine) return fine.failure();
        bool stretched = p.operands[p.x] != p.extents;
        for (const chain_step& s : p.steps) {
            if (s.kind == chain_step::form::batch_norm)
                return error{"a batch normalisation among element-wise operations is a primitive of another form"};
            if (stretched && s.kind == chain_step::form::function) return error{"a function stands before the first tensor is stretched"};
            if (s.kind != chain_step::form::combine) continue;
            if (auto fine = set(s.other); !fine) return fine.failure();
            if (onednn_with_rank(static_shape(r.type(s.call)), p.extents.size()) != p.extents)
                return error{"a tensor is stretched in several steps"};
            stretched = false;
        }
        return p;
    }

    /// One layout for all. A tensor that is stretched keeps its channels; others than row-major need it at the full rank.
    /// Sequences (rank 3) stand row-major.
    [[nodiscard]] static std::vector<border_formats> proposals(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        for (const layout& l : onednn_layouts(p.extents.size()))
            if (takes(p, r, l) && (l == layout::plain() || p.extents.size() != 3)) list.push_back(borders_in(r, l));
        return list;
    }

    struct stage {
        onednn_primitive primitive;
        std::size_t begin = 0;  // of the plan's steps
    };
    struct description {
        std::vector<stage> stages;
        bool dense = false;  // all tensors are seen as rows of numbers, in whatever order

        [[nodiscard]] bool is_reference() const {
            return std::any_of(stages.begin(), stages.end(), [](const stage& s) { return s.primitive.is_reference(); });
        }
    };

    [[nodiscard]] static outcome<description> describe(const plan& p, const region_view& r, const dnnl::engine& engine,
                                                       const border_formats& b) {
        const layout& l = b.results[0].order;
        for (const format& f : b.inputs)
            if (f.order != l) return error{"oneDNN's element-wise operations stay within one layout"};
        if (!takes(p, r, l)) return error{"oneDNN has no element-wise operation in the layout " + to_string(l) + " here"};
        description d;
        d.dense = is_dense(p, l);
        const dnnl::memory::desc y = order(p, l, d.dense, p.extents);
        std::size_t at = 0;
        while (at < p.steps.size()) {
            const std::size_t begin = at;
            outcome<onednn_primitive> made = error{};
            if (p.steps[at].kind == chain_step::form::function) {
                const onednn_eltwise f = onednn_eltwise::of(p.steps[at].function);
                made = onednn_primitive::ask<dnnl::eltwise_forward>(engine, "function", onednn_attributes(),
                                                                    dnnl::prop_kind::forward_inference, f.function, y, y, f.alpha, f.beta);
                ++at;
            } else {
                // oneDNN 2.6 then gives wrong numbers.
                if (at != 0 && !d.dense && padded(p.extents, l) != static_cast<std::size_t>(*element_count(p.extents)))
                    return error{"a second operation would work in place on blocks of channels that are filled up"};
                const dnnl::memory::desc first = at == 0 ? order(p, l, d.dense, p.operands[p.x]) : y;
                const dnnl::memory::desc second = order(p, l, d.dense, p.operands[p.steps[at].other]);
                ++at;
                while (at < p.steps.size() && p.steps[at].kind == chain_step::form::function &&
                       !onednn_mixes_up(functions(p, begin + 1, at + 1)))
                    ++at;
                const dnnl::post_ops after = functions(p, begin + 1, at);
                const bool turned = turns(p, begin);
                made = onednn_primitive::ask<dnnl::binary>(engine, "operation of these tensors", onednn_attributes(after),
                                                           onednn_binary(p.steps[begin].how), turned ? second : first,
                                                           turned ? first : second, y);
            }
            if (!made) return made.failure();
            d.stages.push_back({*std::move(made), begin});
        }
        if (d.stages.empty()) return error{"there is nothing to compute"};
        return d;
    }

    [[nodiscard]] static outcome<kernel> build(const plan& p, const description& d, const region_view& r, const border_formats& b,
                                               onednn_program program) {
        const layout& l = b.results[0].order;
        std::vector<std::optional<dnnl::memory>> made(r.values.size());
        const auto value = [&](value_id v) {
            if (!made[v]) {
                const dnnl::memory::desc to = order(p, l, d.dense, p.operands[v]);
                // Numbers that are seen as a row stand in the layout's order there, too.
                made[v] = r[v].kind == region_value::role::constant ? constant(p, program, r[v], v, l, to) : program.input(v, to);
            }
            return *made[v];
        };
        const dnnl::memory result = program.result(0, order(p, l, d.dense, p.extents));
        for (const stage& s : d.stages) {
            const dnnl::memory before = s.begin == 0 ? value(p.x) : result;
            if (p.steps[s.begin].kind == chain_step::form::function) {
                program.step(s.primitive, {{DNNL_ARG_SRC, before}, {DNNL_ARG_DST, result}});
                continue;
            }
            const dnnl::memory other = value(p.steps[s.begin].other);
            const bool turned = turns(p, s.begin);
            program.step(s.primitive,
                         {{DNNL_ARG_SRC_0, turned ? other : before}, {DNNL_ARG_SRC_1, turned ? before : other}, {DNNL_ARG_DST, result}});
        }
        return onednn_program::finish(std::move(program));
    }

private:
    [[nodiscard]] static std::size_t padded(const std::vector<std::int64_t>& e, const layout& l) { return stored_elements(e, l); }

    /// Whether all tensors have the result's extents and lie without fill, so that their order does not matter.
    [[nodiscard]] static bool is_dense(const plan& p, const layout& l) {
        const auto count = static_cast<std::size_t>(*element_count(p.extents));
        if (p.extents.size() > 1 && padded(p.extents, l) != count) return false;
        return std::all_of(p.operands.begin(), p.operands.end(), [&](const auto& e) { return e.empty() || e == p.extents; });
    }

    [[nodiscard]] static dnnl::memory::desc order(const plan& p, const layout& l, bool dense, const std::vector<std::int64_t>& extents) {
        if (dense) return onednn_plain({*element_count(p.extents)});
        return onednn_desc(extents, l);
    }

    /// What follows an operation: the plan's steps from first to before last, all of them functions.
    [[nodiscard]] static dnnl::post_ops functions(const plan& p, std::size_t first, std::size_t last) {
        dnnl::post_ops after;
        for (; first < last; ++first) onednn_append(after, p.steps[first].function);
        return after;
    }

    /// The library stretches the second tensor only, so the smaller one of an operation in either order goes there.
    [[nodiscard]] static bool turns(const plan& p, std::size_t step) {
        const auto how = p.steps[step].how;
        const bool either = how != chain_step::combination::subtract && how != chain_step::combination::divide;
        return step == 0 && either && p.operands[p.x] != p.extents && p.operands[p.steps[step].other] == p.extents;
    }

    [[nodiscard]] static bool takes(const plan& p, const region_view& r, const layout& l) {
        if (!onednn_has_layout(p.extents.size(), l)) return false;
        if (l == layout::plain()) return true;
        for (value_id v = 0; v < p.operands.size(); ++v) {
            const std::vector<std::int64_t>& e = p.operands[v];
            if (e.empty()) continue;
            if (r[v].kind == region_value::role::input && r.type(v).rank() != p.extents.size()) return false;
            if (e[1] != p.extents[1] && l.kind == layout::form::channels_blocked) return false;
        }
        return r.type(r.results[0]).rank() == p.extents.size();
    }

    [[nodiscard]] static dnnl::memory constant(const plan& p, onednn_program& program, const region_value& v, value_id number,
                                               const layout& l, const dnnl::memory::desc& to) {
        const std::vector<std::int64_t>& e = p.operands[number];
        const dnnl::memory::desc there = onednn_desc(e, l);
        const dnnl::memory ordered = program.constant(v.value->data(), onednn_plain(e), there);
        return there == to ? ordered : program.renamed(ordered, to);
    }
};

}  // namespace inlay::detail

#endif
