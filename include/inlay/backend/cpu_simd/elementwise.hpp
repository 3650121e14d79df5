// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_ELEMENTWISE_HPP
#define INLAY_BACKEND_CPU_SIMD_ELEMENTWISE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/channel_line.hpp>
#include <inlay/backend/cpu_simd/image_order.hpp>
#include <inlay/backend/cpu_simd/kernel_epilogue.hpp>
#include <inlay/backend/cpu_simd/sharing.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// A chain of functions and operations over elements, tensors of fewer elements stretched. The state of a kernel.
///
/// Axes along which all operands advance alike are one. The innermost axis is a run: along it, an operand advances with the result, stands
/// still, or repeats the numbers of one block of channels.
struct elementwise_chain {
    struct operand {
        value_id value = 0;
        buffer constant;
        std::array<std::ptrdiff_t, 8> strides{};
    };
    struct planned {
        step what;
        std::size_t operand = 0;  // of `operands`; counts for operations alone
    };

    const kernel_table* table = nullptr;
    std::vector<operand> operands;  // the first is what the chain begins with
    std::vector<planned> steps;
    std::array<std::ptrdiff_t, 8> extents{};
    std::size_t rank = 1;

    [[nodiscard]] bool run(const run_arguments& a) const {
        std::array<const float*, kernel_epilogue::most_steps + 1> from{};
        for (std::size_t i = 0; i < operands.size(); ++i)
            from[i] = reinterpret_cast<const float*>(
                operands[i].constant.size() != 0 ? static_cast<const void*>(operands[i].constant.data()) : a.inputs[operands[i].value]);
        auto* to = static_cast<float*>(a.results[0]);
        const auto inner = static_cast<std::size_t>(extents[rank - 1]);
        std::size_t outer = 1;
        for (std::size_t i = 0; i + 1 < rank; ++i) outer *= static_cast<std::size_t>(extents[i]);
        // Long runs are cut, so that one tensor is work for all threads.
        const std::size_t pieces = outer >= 64 ? 1 : (inner + 8191) / 8192;
        const std::size_t length = ((inner + pieces - 1) / pieces + 63) / 64 * 64;
        const double work = static_cast<double>(std::min(length, inner)) * 4 * static_cast<double>(steps.size() + 2);
        share(a.executor, outer * pieces, work, [&](std::size_t begin, std::size_t end) {
            for (std::size_t u = begin; u < end; ++u) {
                const std::size_t row = u / pieces, first = u % pieces * length;
                if (first < inner) one_run(from.data(), to, row, first, std::min(length, inner - first), inner);
            }
        });
        return true;
    }

private:
    void one_run(const float* const* from, float* to, std::size_t row, std::size_t first, std::size_t count, std::size_t inner) const {
        std::array<std::ptrdiff_t, kernel_epilogue::most_steps + 1> at{};
        std::size_t rest = row;
        for (std::size_t i = rank - 1; i-- > 0;) {
            const auto extent = static_cast<std::size_t>(extents[i]);
            const auto index = static_cast<std::ptrdiff_t>(rest % extent);
            rest /= extent;
            for (std::size_t o = 0; o < operands.size(); ++o) at[o] += index * operands[o].strides[i];
        }
        std::array<step, kernel_epilogue::most_steps> ready;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            ready[s] = steps[s].what;
            if (steps[s].what.where == step::place::none) continue;
            const std::size_t o = steps[s].operand;
            ready[s].other = from[o] + at[o];
            if (ready[s].where == step::place::same) ready[s].where = step::place::column;
        }
        chain_job j;
        float* y = to + row * inner;
        j.x = from[0] + at[0] + first;
        j.y = y + first;
        j.count = count;
        j.steps = ready.data();
        j.step_count = steps.size();
        j.c_begin = y;
        j.column = first;
        table->chain(j);
    }
};

/// Chains of element-wise functions and operations as the third part of composites.
struct elementwise_entry {
    struct planned {
        step what;
        std::optional<value_id> other{};
        std::vector<double> line{};  // in place of another value: one number for each place along `axis`
        std::size_t axis = 0;
    };
    struct plan {
        value_id x = 0;
        std::vector<planned> steps;  // in order
        std::vector<std::int64_t> extents;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        return read_region(m.region());
    }

    [[nodiscard]] static outcome<plan> read_region(const region_view& r) {
        if (auto fine = detail::check_float_region(r, 8); !fine) return fine.failure();
        auto chain = detail::read_anchored_chain(r, r.results[0], [](const region_value&) { return false; });
        if (!chain) return chain.failure();
        plan p;
        p.x = chain->anchor;
        if (r[p.x].kind != region_value::role::input) return error{"the chain begins with a constant"};
        p.extents = static_shape(r.type(r.results[0]));
        std::vector<std::int64_t> now = static_shape(r.type(p.x));
        for (std::size_t i = 0; i < chain->steps.size(); ++i) {
            const detail::chain_step& s = chain->steps[i];
            const std::string op(r[s.call].op);
            if (const std::size_t taken = now == p.extents ? take_lines(r, *chain, i, p) : 0; taken != 0) {
                i += taken - 1;
                continue;
            }
            if (s.kind == detail::chain_step::form::batch_norm)
                return error{op + " has statistics that are no constants of one number per channel, or computes new ones"};
            if (s.kind == detail::chain_step::form::function) {
                auto list = steps_of(s.function);
                if (!list) return list.failure();
                for (const step& one : *list) p.steps.push_back({one});
                continue;
            }
            const bool known = r[s.other].kind == region_value::role::input || detail::float_constant(r, s.other) != nullptr;
            if (!known || !r[s.other].type->is_tensor() || r.type(s.other).element != element_type::float32)
                return error{op + " takes another tensor of type " + to_string(*r[s.other].type) +
                             ", which is no float32 input or constant"};
            value_id other = s.other;
            if (now != static_shape(r.type(s.call))) {
                // The tensor that is stretched goes second, where the order of both does not count.
                const bool either = s.how != detail::chain_step::combination::subtract && s.how != detail::chain_step::combination::divide;
                if (!either || !p.steps.empty() || static_shape(r.type(other)) != p.extents || r[other].kind != region_value::role::input)
                    return error{op + " stretches what stands before it from " + to_string(r.type(p.x)) + " to " +
                                 to_string(*r[s.call].type)};
                std::swap(p.x, other);
                now = p.extents;
            }
            p.steps.push_back({{form_of(s.how), step::place::same}, other});
        }
        if (now != p.extents) return error{"the chain stretches what it begins with"};
        if (p.steps.empty() || p.steps.size() > kernel_epilogue::most_steps)
            return error{"a chain of " + std::to_string(p.steps.size()) + " steps; the kernels take 1 to " +
                         std::to_string(kernel_epilogue::most_steps)};
        return p;
    }

    /// One layout for all tensors of the result's rank; those of fewer axes stand row-major, where that does not matter.
    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan& p, const region_view& r) const {
        std::vector<border_formats> list;
        if (self.table() == nullptr) return list;
        const layout blocked = blocks_for(self.table()->lanes);
        list.push_back(plain_borders(r));
        if (p.extents.size() < 4) return list;
        for (const layout& l : {layout::channels_last(), blocked}) {
            bool fits = true;
            for (const region_value& v : r.inputs()) fits = fits && (v.type->of_tensor.rank() == p.extents.size());
            for (const planned& s : p.steps)
                if (s.other && r[*s.other].kind == region_value::role::constant)
                    fits = fits && (r.type(*s.other).rank() == p.extents.size() || r[*s.other].value->count() == 1);
            // Between blocks, an operand has one channel for all or as many as the result, and what fills blocks up stays zero.
            if (l.kind == layout::form::channels_blocked) {
                fits = fits && p.extents[1] % l.block == 0;
                for (const planned& s : p.steps) fits = fits && (s.line.empty() || s.axis == 1);
                for (const region_value& v : r.values)
                    if ((v.kind == region_value::role::input || v.kind == region_value::role::constant) && v.type->is_tensor() &&
                        v.type->of_tensor.rank() == p.extents.size())
                        fits = fits && static_shape(v.type->of_tensor)[1] == p.extents[1];
            }
            if (fits) list.push_back(detail::borders_in(r, l));
        }
        return list;
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        const layout order = r.result_formats[0].order;
        elementwise_chain k;
        k.table = self.table();
        std::vector<std::vector<std::int64_t>> strides;
        const auto add = [&](value_id v, std::vector<std::int64_t> e, const void* numbers) -> outcome<std::size_t> {
            elementwise_chain::operand o;
            o.value = v;
            e.insert(e.begin(), p.extents.size() - e.size(), 1);
            if (numbers != nullptr) {
                const format to{{}, order, element_type::float32};
                o.constant = buffer(stored_bytes(e, to));
                if (o.constant.size() == 0) return error{"there is no memory for the constants of a chain"};
                const auto* from = static_cast<const std::byte*>(numbers);
                if (auto done = convert(e, plain_format(element_type::float32), to, from, o.constant.data()); !done) return done.failure();
            }
            strides.push_back(strides_in(e, p.extents, order));
            k.operands.push_back(std::move(o));
            return k.operands.size() - 1;
        };
        if (auto first = add(p.x, static_shape(r.type(p.x)), nullptr); !first) return first.failure();
        for (const planned& s : p.steps) {
            elementwise_chain::planned one{s.what, 0};
            if (s.other || !s.line.empty()) {
                const std::vector<float> line(s.line.begin(), s.line.end());
                std::vector<std::int64_t> along(p.extents.size(), 1);
                if (!line.empty()) along[s.axis] = static_cast<std::int64_t>(line.size());
                const bool is_constant = s.other && r[*s.other].kind == region_value::role::constant;
                auto at = s.other ? add(*s.other, static_shape(r.type(*s.other)), is_constant ? r[*s.other].value->data() : nullptr)
                                  : add(0, along, line.data());
                if (!at) return at.failure();
                one.operand = *at;
            }
            k.steps.push_back(one);
        }
        merge(k, in_order(p.extents, order), strides);
        return self.finish(std::move(k), "chain");
    }

private:
    /// What a factor and a term for each place along an axis are done by: one step where all places have the same, else two at most.
    [[nodiscard]] static std::vector<planned> steps_of_line(const detail::channel_line& line, std::size_t axis) {
        const auto is_one_number = [](const std::vector<double>& each) {
            return std::all_of(each.begin(), each.end(), [&](double n) { return n == each[0]; });
        };
        if (is_one_number(line.scale) && is_one_number(line.shift))
            return {{{step::form::linear, step::place::none, static_cast<float>(line.scale[0]), static_cast<float>(line.shift[0])}}};
        std::vector<planned> made;
        if (!is_one_number(line.scale) || line.scale[0] != 1)
            made.push_back({{step::form::multiply, step::place::same}, {}, line.scale, axis});
        if (!is_one_number(line.shift) || line.shift[0] != 0) made.push_back({{step::form::add, step::place::same}, {}, line.shift, axis});
        return made;
    }

    /// Joins what a chain does from step `first` on with constants that have one number for each place along one axis, batch normalisation
    /// among it, and adds it to the plan. How many steps were taken; none where they are better done one by one.
    [[nodiscard]] static std::size_t take_lines(const region_view& r, const detail::anchored_chain& chain, std::size_t first, plan& p) {
        std::size_t most = 0;
        std::vector<planned> joined;
        if (static_shape(r.type(chain.anchor)) != p.extents) return most;
        for (const std::size_t axis : {std::size_t{1}, p.extents.size() - 1}) {
            if (axis >= p.extents.size() || p.extents[axis] == 0) continue;
            detail::anchored_chain rest{chain.anchor, {chain.steps.begin() + static_cast<std::ptrdiff_t>(first), chain.steps.end()}};
            const detail::channel_line line = detail::take_line(r, rest, axis);
            const std::size_t taken = chain.steps.size() - first - rest.steps.size();
            if (taken <= most) continue;
            std::vector<planned> made = steps_of_line(line, axis);
            if (taken <= made.size() && chain.steps[first].kind != detail::chain_step::form::batch_norm) continue;
            most = taken;
            joined = std::move(made);
        }
        std::move(joined.begin(), joined.end(), std::back_inserter(p.steps));
        return most;
    }

    /// The result's extents in the order in which they lie.
    [[nodiscard]] static std::vector<std::int64_t> in_order(const std::vector<std::int64_t>& e, const layout& l) {
        if (e.size() < 2 || l.kind == layout::form::plain) return e;
        std::vector<std::int64_t> made{e[0]};
        if (l.kind == layout::form::channels_blocked) made.push_back(e[1] / l.block);
        made.insert(made.end(), e.begin() + 2, e.end());
        made.push_back(l.kind == layout::form::channels_blocked ? l.block : e[1]);
        return made;
    }
    /// An operand's strides along these axes; 0 where it is stretched.
    [[nodiscard]] static std::vector<std::int64_t> strides_in(const std::vector<std::int64_t>& mine,
                                                              const std::vector<std::int64_t>& result, const layout& l) {
        const bool one = std::all_of(mine.begin(), mine.end(), [](std::int64_t n) { return n == 1; });
        std::vector<std::int64_t> extents = in_order(result, l),
                                  own = one ? std::vector<std::int64_t>(extents.size(), 1) : in_order(mine, l);
        std::vector<std::int64_t> strides(own.size(), 0);
        std::int64_t at = 1;
        for (std::size_t i = own.size(); i-- > 0;) {
            if (own[i] != 1) strides[i] = at;
            at *= own[i];
        }
        return strides;
    }
    /// Makes axes one that all operands walk alike, and says how each stands along the innermost one.
    static void merge(elementwise_chain& k, std::vector<std::int64_t> extents, std::vector<std::vector<std::int64_t>>& strides) {
        for (std::size_t i = 0; i < extents.size() && extents.size() > 1;) {
            if (extents[i] != 1) {
                ++i;
                continue;
            }
            extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(i));
            for (auto& s : strides) s.erase(s.begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (std::size_t i = extents.size(); i-- > 1;) {
            const bool alike = std::all_of(strides.begin(), strides.end(), [&](const auto& s) { return s[i - 1] == s[i] * extents[i]; });
            if (!alike) continue;
            extents[i - 1] *= extents[i];
            extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(i));
            for (auto& s : strides) s.erase(s.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
        if (extents.empty()) {
            extents = {1};
            for (auto& s : strides) s = {0};
        }
        // A block of channels over many places is a run of its own, which every operand either walks or repeats.
        const std::size_t n = extents.size();
        const std::int64_t block = extents[n - 1];
        const bool repeats = n > 1 && block == static_cast<std::int64_t>(k.table->lanes) &&
                             std::all_of(strides.begin(), strides.end(),
                                         [&](const auto& s) { return s[n - 1] == 1 && (s[n - 2] == block || s[n - 2] == 0); });
        std::vector<char> repeated(strides.size(), 0);
        if (repeats) {
            for (std::size_t o = 0; o < strides.size(); ++o) {
                repeated[o] = strides[o][n - 2] == 0;
                strides[o].erase(strides[o].begin() + static_cast<std::ptrdiff_t>(n - 2));
            }
            extents[n - 2] *= block;
            extents.pop_back();
        }
        k.rank = extents.size();
        for (std::size_t i = 0; i < k.rank; ++i) k.extents[i] = static_cast<std::ptrdiff_t>(extents[i]);
        for (std::size_t o = 0; o < strides.size(); ++o)
            for (std::size_t i = 0; i < k.rank; ++i) k.operands[o].strides[i] = static_cast<std::ptrdiff_t>(strides[o][i]);
        for (auto& s : k.steps)
            if (s.what.where == step::place::same) {
                if (repeated[s.operand])
                    s.what.where = step::place::block;
                else if (k.operands[s.operand].strides[k.rank - 1] == 0)
                    s.what.where = step::place::number;
            }
    }
};

}  // namespace inlay::simd

#endif
