// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_AFFINE_HPP
#define INLAY_LOOPS_NEST_AFFINE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace inlay {

/// The number of a loop's variable in its nest: dense, from 0.
using variable_id = std::uint32_t;

/// A whole number that follows loops: a constant, and loop variables each times a constant. Coefficients wrap around at 64 bits; `range`
/// tells where a value would.
class affine {
public:
    struct term {
        variable_id variable = 0;
        std::int64_t factor = 0;  // never 0 in an affine

        friend bool operator==(const term&, const term&) = default;
    };

    affine() = default;
    affine(std::int64_t constant) : constant_(constant) {}

    /// A variable times a factor.
    [[nodiscard]] static affine of(variable_id v, std::int64_t factor = 1) {
        affine a;
        if (factor != 0) a.terms_.push_back({v, factor});
        return a;
    }

    [[nodiscard]] std::int64_t constant() const { return constant_; }
    /// By variable, ascending.
    [[nodiscard]] std::span<const term> terms() const { return terms_; }
    [[nodiscard]] bool is_constant() const { return terms_.empty(); }
    /// 0 for a variable that it does not follow.
    [[nodiscard]] std::int64_t factor_of(variable_id v) const {
        for (const term& t : terms_)
            if (t.variable == v) return t.factor;
        return 0;
    }

    affine& operator+=(const affine& other) {
        constant_ = wrapped(constant_, other.constant_, [](auto x, auto y) { return x + y; });
        std::vector<term> sum;
        std::size_t i = 0, j = 0;
        while (i < terms_.size() || j < other.terms_.size()) {
            if (j == other.terms_.size() || (i < terms_.size() && terms_[i].variable < other.terms_[j].variable)) {
                sum.push_back(terms_[i++]);
            } else if (i == terms_.size() || other.terms_[j].variable < terms_[i].variable) {
                sum.push_back(other.terms_[j++]);
            } else {
                const std::int64_t factor = wrapped(terms_[i].factor, other.terms_[j].factor, [](auto x, auto y) { return x + y; });
                if (factor != 0) sum.push_back({terms_[i].variable, factor});
                ++i;
                ++j;
            }
        }
        terms_ = std::move(sum);
        return *this;
    }
    affine& operator*=(std::int64_t factor) {
        const auto times = [](auto x, auto y) { return x * y; };
        constant_ = wrapped(constant_, factor, times);
        for (term& t : terms_) t.factor = wrapped(t.factor, factor, times);
        std::erase_if(terms_, [](const term& t) { return t.factor == 0; });
        return *this;
    }
    friend affine operator+(affine a, const affine& b) { return a += b; }
    friend affine operator-(affine a, const affine& b) { return a += b * -1; }
    friend affine operator*(affine a, std::int64_t factor) { return a *= factor; }
    friend bool operator==(const affine&, const affine&) = default;

    /// The same with another number in a variable's place.
    [[nodiscard]] affine with(variable_id v, const affine& value) const {
        const std::int64_t factor = factor_of(v);
        if (factor == 0) return *this;
        affine rest = *this;
        std::erase_if(rest.terms_, [&](const term& t) { return t.variable == v; });
        return rest + value * factor;
    }

    /// Its value where each variable has one. Precondition: `values` has all of its variables.
    [[nodiscard]] std::int64_t at(std::span<const std::int64_t> values) const {
        auto sum = static_cast<std::uint64_t>(constant_);
        for (const term& t : terms_) sum += static_cast<std::uint64_t>(t.factor) * static_cast<std::uint64_t>(values[t.variable]);
        return static_cast<std::int64_t>(sum);
    }

    /// Its least and its largest value where each variable goes from 0 to less than its extent; nothing where 64 bits do not hold them, or
    /// a variable takes no value. Precondition: `extents` has all of its variables.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> range(std::span<const std::int64_t> extents) const {
        std::int64_t low = constant_, high = constant_;
        for (const term& t : terms_) {
            std::int64_t last = 0, reach = 0;
            if (extents[t.variable] < 1 || __builtin_sub_overflow(extents[t.variable], std::int64_t{1}, &last) ||
                __builtin_mul_overflow(t.factor, last, &reach))
                return std::nullopt;
            std::int64_t& end = reach < 0 ? low : high;
            if (__builtin_add_overflow(end, reach, &end)) return std::nullopt;
        }
        return std::pair(low, high);
    }

private:
    template <class F>
    static std::int64_t wrapped(std::int64_t a, std::int64_t b, F f) {
        return static_cast<std::int64_t>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    }

    std::int64_t constant_ = 0;
    std::vector<term> terms_;
};

/// Whether a number lies between two others: `low <= value < high`.
struct affine_bound {
    std::int64_t low = 0;
    affine value;
    std::int64_t high = 0;

    [[nodiscard]] bool holds(std::span<const std::int64_t> values) const {
        const std::int64_t v = value.at(values);
        return low <= v && v < high;
    }
    friend bool operator==(const affine_bound&, const affine_bound&) = default;
};

}  // namespace inlay

#endif
