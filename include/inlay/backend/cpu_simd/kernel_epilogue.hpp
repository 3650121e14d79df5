// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_KERNEL_EPILOGUE_HPP
#define INLAY_BACKEND_CPU_SIMD_KERNEL_EPILOGUE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/runtime/convert.hpp>
#include <inlay/target/format.hpp>

namespace inlay::simd {

/// The steps that a function of one number is. Error: a power that is none of -1, 0.5, 1, 2 and 3.
[[nodiscard]] inline outcome<std::vector<step>> steps_of(const detail::elementwise_function& f) {
    using from = detail::elementwise_function::form;
    using to = step::form;
    const auto number = [](double n) { return static_cast<float>(n); };
    const auto one = [](to what, float alpha = 0, float beta = 0) {
        return std::vector<step>{{what, step::place::none, alpha, beta, nullptr}};
    };
    switch (f.kind) {
        case from::linear:
            return one(to::linear, number(f.alpha), number(f.beta));
        case from::relu:
            return one(to::relu, number(f.alpha));
        case from::clip:
            return one(to::clip, number(f.alpha), number(f.beta));
        case from::power: {
            std::vector<step> list;
            if (f.beta == -1) return one(to::reciprocal, number(f.alpha));
            if (f.beta == 0.5) list = one(to::sqrt);
            if (f.beta == 2) list = one(to::square);
            if (f.beta != 0.5 && f.beta != 1 && f.beta != 2)
                return error{"a power of " + std::to_string(f.beta) + " is not computed by these kernels, which take -1, 0.5, 1 and 2"};
            if (f.alpha != 1 || list.empty()) list.push_back(one(to::linear, number(f.alpha))[0]);
            return list;
        }
        case from::hard_swish:
            return one(to::hard_swish, number(f.alpha), number(f.beta));
        case from::elu:
            return one(to::elu, number(f.alpha));
        case from::sigmoid:
            return one(to::sigmoid);
        case from::swish:
            return one(to::swish);
        case from::tanh:
            return one(to::tanh);
        case from::gelu:
            return one(to::gelu);
        case from::gelu_tanh:
            return one(to::gelu_tanh);
        case from::softplus:
            return one(to::softplus);
        case from::mish:
            return one(to::mish);
        case from::abs:
            return one(to::abs);
        case from::square:
            return one(to::square);
        case from::sqrt:
            return one(to::sqrt);
        case from::exp:
            return one(to::exp);
        case from::log:
            return one(to::log);
    }
    return error{"a function that these kernels do not know"};
}

[[nodiscard]] inline step::form form_of(detail::chain_step::combination how) {
    using to = step::form;
    constexpr to forms[] = {to::add, to::multiply, to::maximum, to::minimum, to::subtract, to::divide};
    return forms[static_cast<std::size_t>(how)];
}

/// What follows the sums of a kernel: another tensor that is added, a range, and then any steps. A value; ready once `bind` gave it its
/// constants.
class kernel_epilogue {
public:
    static constexpr std::size_t most_steps = 12;
    static constexpr float infinity = std::numeric_limits<float>::infinity();

    /// Reads steps of a chain. `extents` are the result's, whose channels lie along `axis`; `adds` says whether the kernel adds another
    /// tensor before it cuts to a range. Error: a step that these kernels do not take.
    [[nodiscard]] static outcome<kernel_epilogue> read(const region_view& r, const std::vector<detail::chain_step>& chain,
                                                       const std::vector<std::int64_t>& extents, std::size_t axis, bool adds = true) {
        using form = detail::chain_step::form;
        kernel_epilogue e;
        for (const detail::chain_step& s : chain) {
            const std::string op(r[s.call].op);
            if (s.kind == form::batch_norm)
                return error{op + " does not follow the first operator directly, or its statistics are no constants"};
            if (s.kind == form::function) {
                auto list = steps_of(s.function);
                if (!list) return list.failure();
                for (const step& one : *list) e.steps_.push_back({one, std::nullopt});
                continue;
            }
            const bool known = r[s.other].kind == region_value::role::input || detail::float_constant(r, s.other) != nullptr;
            if (!known || !r[s.other].type->is_tensor() || r.type(s.other).element != element_type::float32)
                return error{op + " takes another tensor of type " + to_string(*r[s.other].type) +
                             ", which is no float32 input or constant"};
            planned p{{form_of(s.how)}, s.other};
            if (static_shape(r.type(s.other)) == extents && static_shape(r.type(s.call)) == extents)
                p.what.where = step::place::same;
            else if (axis < extents.size() &&
                     detail::per_channel(r, s.other, extents.size(), axis, static_cast<std::size_t>(extents[axis])))
                p.what.where = step::place::column;
            else
                return error{op + " takes another tensor of type " + to_string(*r[s.other].type) +
                             ", which is neither of the result's shape nor a constant with one number for each channel"};
            e.steps_.push_back(std::move(p));
        }
        if (e.steps_.size() > most_steps)
            return error{std::to_string(e.steps_.size()) + " steps follow; the kernels take " + std::to_string(most_steps)};
        e.take_first(adds);
        return e;
    }

    /// The inputs of the region that are read element by element beside the result.
    template <class F>
    void for_each_other(F&& f) const {
        if (add_) f(*add_);
        for (const planned& p : steps_)
            if (p.other) f(*p.other);
    }
    [[nodiscard]] bool reads(value_id v) const {
        bool found = false;
        for_each_other([&](value_id other) { found = found || other == v; });
        return found;
    }

    /// Brings constants into the order in which the result stands, `channels` of it (fill included) along `axis`.
    [[nodiscard]] outcome<void> bind(const region_view& r, const std::vector<std::int64_t>& extents, std::size_t axis,
                                     const layout& order) {
        if (add_ && r[*add_].kind == region_value::role::constant) {
            auto kept = whole(r, *add_, extents, order);
            if (!kept) return kept.failure();
            add_constant_ = *std::move(kept);
        }
        for (planned& p : steps_) {
            if (!p.other || r[*p.other].kind != region_value::role::constant) continue;
            if (p.what.where == step::place::column) {
                const auto numbers = *detail::per_channel(r, *p.other, extents.size(), axis, static_cast<std::size_t>(extents[axis]));
                p.constant = buffer((numbers.size() + 64) * sizeof(float));
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    reinterpret_cast<float*>(p.constant.data())[i] = static_cast<float>(numbers[i]);
            } else {
                auto kept = whole(r, *p.other, extents, order);
                if (!kept) return kept.failure();
                p.constant = *std::move(kept);
            }
        }
        return {};
    }

    /// The same in one run: pointers in place of values. Lives on the stack of a run.
    struct ready {
        const float* add = nullptr;
        float low = -infinity, high = infinity;
        std::array<step, most_steps> steps;
        std::size_t count = 0;

        /// Fills what a job has for it, `c` being its place in a result that begins at `begin`.
        template <class Job>
        void give(Job& j, const float* c, const float* begin, std::size_t column) const {
            if constexpr (requires { j.add; }) j.add = add == nullptr ? nullptr : add + (c - begin);
            j.low = low;
            j.high = high;
            j.steps = steps.data();
            j.step_count = count;
            j.c_begin = begin;
            j.column = column;
        }
    };
    [[nodiscard]] ready at(const run_arguments& a) const {
        ready made;
        const auto pointer = [&](value_id v, const buffer& constant) {
            return reinterpret_cast<const float*>(constant.size() != 0 ? static_cast<const void*>(constant.data()) : a.inputs[v]);
        };
        if (add_) made.add = pointer(*add_, add_constant_);
        made.low = low_;
        made.high = high_;
        for (const planned& p : steps_) {
            step s = p.what;
            if (p.other) s.other = pointer(*p.other, p.constant);
            made.steps[made.count++] = s;
        }
        return made;
    }

private:
    struct planned {
        step what;
        std::optional<value_id> other{};
        buffer constant{};
    };

    /// What the kernels do before they store: an addition that comes first, and a range behind it.
    void take_first(bool adds) {
        std::size_t taken = 0;
        if (adds && taken < steps_.size() && steps_[taken].what.what == step::form::add && steps_[taken].what.where == step::place::same)
            add_ = steps_[taken++].other;
        if (taken < steps_.size() && (steps_[taken].what.what == step::form::clip ||
                                      (steps_[taken].what.what == step::form::relu && steps_[taken].what.alpha == 0))) {
            const step& s = steps_[taken++].what;
            low_ = s.what == step::form::clip ? s.alpha : 0;
            high_ = s.what == step::form::clip ? s.beta : infinity;
        }
        steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(taken));
    }

    [[nodiscard]] static outcome<buffer> whole(const region_view& r, value_id v, const std::vector<std::int64_t>& extents,
                                               const layout& order) {
        const format from = plain_format(element_type::float32), to{{}, order, element_type::float32};
        buffer made(stored_bytes(extents, to));
        if (made.size() == 0) return error{"there is no memory for a constant of type " + to_string(*r[v].type)};
        if (auto done = convert(extents, from, to, r[v].value->data(), made.data()); !done) return done.failure();
        return made;
    }

    std::optional<value_id> add_;
    buffer add_constant_;
    float low_ = -infinity, high_ = infinity;
    std::vector<planned> steps_;
};

}  // namespace inlay::simd

#endif
