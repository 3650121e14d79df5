// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#if defined(INLAY_SIMD_STEPS) == defined(HWY_TARGET_TOGGLE)
#ifdef INLAY_SIMD_STEPS
#undef INLAY_SIMD_STEPS
#else
#define INLAY_SIMD_STEPS
#endif

#include <inlay/backend/cpu_simd/target/functions.ipp>

HWY_BEFORE_NAMESPACE();
namespace inlay::simd::HWY_NAMESPACE {

template <step::form Form>
void function_over(const float* x, float* y, std::size_t n, float a, float b) {
    const vector alpha = of(a), beta = of(b);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) store(function<Form>(load(x + i), alpha, beta), y + i);
    if (i < n) store_some(function<Form>(load_some(x + i, n - i), alpha, beta), y + i, n - i);
}

template <step::form Form>
void operation_over(const float* x, float* y, std::size_t n, const float* other, step::place where) {
    std::size_t i = 0;
    if (where == step::place::number || where == step::place::block) {
        const vector number = where == step::place::number ? of(*other) : load(other);
        for (; i + lanes <= n; i += lanes) store(operation<Form>(load(x + i), number), y + i);
        if (i < n) store_some(operation<Form>(load_some(x + i, n - i), number), y + i, n - i);
        return;
    }
    for (; i + lanes <= n; i += lanes) store(operation<Form>(load(x + i), load(other + i)), y + i);
    if (i < n) store_some(operation<Form>(load_some(x + i, n - i), load_some(other + i, n - i)), y + i, n - i);
}

/// One step over n elements from x to y, which may be equal. `at` is y's place in the result, `column` that of its first channel.
inline void run_step(const step& s, const float* x, float* y, std::size_t n, std::ptrdiff_t at, std::size_t column) {
    using form = step::form;
    using place = step::place;
    const float* other = s.where == place::same ? s.other + at : s.where == place::column ? s.other + column : s.other;
#define INLAY_SIMD_FUNCTION(f) \
    case form::f:              \
        return function_over<form::f>(x, y, n, s.alpha, s.beta);
#define INLAY_SIMD_OPERATION(f) \
    case form::f:               \
        return operation_over<form::f>(x, y, n, other, s.where);
    switch (s.what) {
        INLAY_SIMD_FUNCTION(linear)
        INLAY_SIMD_FUNCTION(relu)
        INLAY_SIMD_FUNCTION(clip)
        INLAY_SIMD_FUNCTION(reciprocal)
        INLAY_SIMD_FUNCTION(hard_swish)
        INLAY_SIMD_FUNCTION(elu)
        INLAY_SIMD_FUNCTION(sigmoid)
        INLAY_SIMD_FUNCTION(swish)
        INLAY_SIMD_FUNCTION(tanh)
        INLAY_SIMD_FUNCTION(gelu)
        INLAY_SIMD_FUNCTION(gelu_tanh)
        INLAY_SIMD_FUNCTION(softplus)
        INLAY_SIMD_FUNCTION(mish)
        INLAY_SIMD_FUNCTION(abs)
        INLAY_SIMD_FUNCTION(square)
        INLAY_SIMD_FUNCTION(sqrt)
        INLAY_SIMD_FUNCTION(exp)
        INLAY_SIMD_FUNCTION(log)
        INLAY_SIMD_FUNCTION(erf)
        INLAY_SIMD_OPERATION(add)
        INLAY_SIMD_OPERATION(multiply)
        INLAY_SIMD_OPERATION(maximum)
        INLAY_SIMD_OPERATION(minimum)
        INLAY_SIMD_OPERATION(subtract)
        INLAY_SIMD_OPERATION(divide)
    }
#undef INLAY_SIMD_FUNCTION
#undef INLAY_SIMD_OPERATION
}

/// All steps over n elements in place, `c` being their place in a result that begins at `begin`.
inline void run_steps(const step* steps, std::size_t count, float* c, std::size_t n, const float* begin, std::size_t column) {
    for (std::size_t s = 0; s < count; ++s) run_step(steps[s], c, c, n, c - begin, column);
}

inline void chain(const chain_job& j) {
    // Few enough elements to stay in the first cache from step to step.
    constexpr std::size_t most = 2048;
    for (std::size_t i = 0; i < j.count; i += most) {
        const std::size_t n = j.count - i < most ? j.count - i : most;
        for (std::size_t s = 0; s < j.step_count; ++s)
            run_step(j.steps[s], s == 0 ? j.x + i : j.y + i, j.y + i, n, j.y + i - j.c_begin, j.column + i);
    }
}

/// What follows a run of `places` results of up to one vector of channels each, `c_place` apart, once they are stored: steps, and zeros
/// behind the channels that exist.
template <class Job>
void finish_places(const Job& j, float* c, std::ptrdiff_t c_place, std::size_t places, std::size_t columns, std::size_t column) {
    if (j.step_count != 0) {
        bool by_column = columns < lanes && !j.fills;
        for (std::size_t s = 0; s < j.step_count; ++s) by_column = by_column || j.steps[s].where == step::place::column;
        if (c_place == static_cast<std::ptrdiff_t>(lanes) && !by_column) {
            run_steps(j.steps, j.step_count, c, places * lanes, j.c_begin, column);
        } else {
            for (std::size_t p = 0; p < places; ++p)
                run_steps(j.steps, j.step_count, c + static_cast<std::ptrdiff_t>(p) * c_place, columns < lanes ? columns : lanes, j.c_begin,
                          column);
        }
    }
    if (j.fills && columns < lanes)
        for (std::size_t p = 0; p < places; ++p) {
            float* at = c + static_cast<std::ptrdiff_t>(p) * c_place;
            store(first_lanes(load(at), columns), at);
        }
}

}  // namespace inlay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
