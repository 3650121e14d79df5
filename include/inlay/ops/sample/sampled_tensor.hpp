// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_SAMPLED_TENSOR_HPP
#define INLAY_OPS_SAMPLE_SAMPLED_TENSOR_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/graph/tensor.hpp>
#include <inlay/ops/loops/float8.hpp>
#include <inlay/ops/loops/half_float.hpp>

namespace inlay {

/// Returns the distance from 1 to the next number of a floating element type; 0 for other types.
[[nodiscard]] constexpr double spacing_of(element_type e) {
    switch (e) {
        case element_type::float64:
            return 0x1p-52;
        case element_type::float32:
            return 0x1p-23;
        case element_type::float16:
            return 0x1p-10;
        case element_type::bfloat16:
            return 0x1p-7;
        case element_type::float8_e4m3fn:
        case element_type::float8_e4m3fnuz:
            return 0x1p-3;
        case element_type::float8_e5m2:
        case element_type::float8_e5m2fnuz:
            return 0x1p-2;
        default:
            return 0;
    }
}

/// Returns the largest finite number of an element type, of float32 for those without fractions.
[[nodiscard]] constexpr double largest_of(element_type e) {
    return e == element_type::float16 ? 65504 : e == element_type::float64 ? 1.7976931348623157e308 : 3.4028234663852886e38;
}
/// Returns the least normal number of a floating element type: what may be lost where smaller ones become zero; 0 for other types.
[[nodiscard]] constexpr double least_normal_of(element_type e) {
    return e == element_type::float16 ? 0x1p-14 : e == element_type::float64 ? 0x1p-1022 : is_floating(e) ? 0x1p-126 : 0;
}

/// Returns element `i` of a tensor's memory as a double; integers beyond 2^53 are rounded. Precondition: a number or a truth value.
[[nodiscard]] inline double element_as_double(const std::byte* data, element_type element, std::int64_t i) {
    const auto at = [&]<class T>(std::type_identity<T>) { return reinterpret_cast<const T*>(data)[i]; };
    switch (element) {
        case element_type::float32:
            return static_cast<double>(at(std::type_identity<float>()));
        case element_type::float64:
            return at(std::type_identity<double>());
        case element_type::float16:
            return float16_bits{at(std::type_identity<std::uint16_t>())}.widened();
        case element_type::bfloat16:
            return bfloat16_bits{at(std::type_identity<std::uint16_t>())}.widened();
        case element_type::int8:
            return at(std::type_identity<std::int8_t>());
        case element_type::int16:
            return at(std::type_identity<std::int16_t>());
        case element_type::int32:
            return at(std::type_identity<std::int32_t>());
        case element_type::int64:
            return static_cast<double>(at(std::type_identity<std::int64_t>()));
        case element_type::uint8:
        case element_type::boolean:
            return at(std::type_identity<std::uint8_t>());
        case element_type::uint16:
            return at(std::type_identity<std::uint16_t>());
        case element_type::uint32:
            return at(std::type_identity<std::uint32_t>());
        case element_type::uint64:
            return static_cast<double>(at(std::type_identity<std::uint64_t>()));
        default: {
            double value = 0;
            visit_float8(element, [&](auto scalar) { value = at(scalar).widened(); });
            return value;
        }
    }
}

/// One tensor of which some elements are wanted: first they are marked, then each gets its value and a bound of the error that a right
/// kernel may make. A tensor that is known as a whole has all its elements, without error.
///
/// Marks are bits, with a count before each word, so that an element is found in O(1).
class sampled_tensor {
public:
    sampled_tensor() = default;

    /// A tensor of which nothing is known yet. Precondition: `extents` have a count.
    sampled_tensor(element_type element, std::vector<std::int64_t> extents)
        : element_(element), extents_(std::move(extents)), count_(element_count(extents_).value_or(0)) {}
    /// A tensor that is known, each of its elements to within that error.
    explicit sampled_tensor(tensor whole, double error = 0)
        : element_(whole.element()),
          extents_(whole.extents()),
          count_(static_cast<std::int64_t>(whole.count())),
          whole_(std::move(whole)),
          known_error_(error),
          floats_(element_ == element_type::float32 ? reinterpret_cast<const float*>(std::as_const(whole_).data()) : nullptr) {}

    [[nodiscard]] element_type element() const { return element_; }
    [[nodiscard]] const std::vector<std::int64_t>& extents() const { return extents_; }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] bool is_known() const { return whole_.ok(); }
    /// The tensor. Precondition: `is_known()`.
    [[nodiscard]] const tensor& whole() const { return whole_; }
    /// The elements where it is known without error and of float32, else null.
    [[nodiscard]] const float* floats() const { return known_error_ == 0 ? floats_ : nullptr; }

    /// Marks element `i`. A known tensor needs no marks.
    void want(std::int64_t i) {
        if (is_known()) return;
        if (marks_.empty()) marks_.resize(static_cast<std::size_t>(count_ / 64 + 1), 0);
        marks_[static_cast<std::size_t>(i >> 6)] |= std::uint64_t{1} << (i & 63);
        sealed_ = false;
    }
    void want_all() {
        if (is_known() || count_ == 0) return;
        marks_.assign(static_cast<std::size_t>(count_ / 64 + 1), ~std::uint64_t{0});
        marks_.back() &= (std::uint64_t{1} << (count_ & 63)) - 1;
        sealed_ = false;
    }
    /// Returns the marked elements in ascending order, and makes room for their values. Linear in the tensor's count / 64.
    [[nodiscard]] const std::vector<std::int64_t>& wanted() {
        if (sealed_) return wanted_;
        sealed_ = true;
        wanted_.clear();
        before_.assign(marks_.size(), 0);
        for (std::size_t w = 0; w < marks_.size(); ++w) {
            before_[w] = static_cast<std::uint32_t>(wanted_.size());
            for (std::uint64_t left = marks_[w]; left != 0; left &= left - 1)
                wanted_.push_back(static_cast<std::int64_t>(w) * 64 + std::countr_zero(left));
        }
        values_.assign(wanted_.size(), 0);
        errors_.assign(wanted_.size(), 0);
        return wanted_;
    }

    /// Sets the k-th wanted element.
    void set(std::size_t k, double value, double error) {
        values_[k] = value;
        errors_[k] = error;
    }
    /// Returns element `i`. Precondition: it is known or was marked, and has been set.
    [[nodiscard]] double value(std::int64_t i) const {
        if (floats_ != nullptr) return static_cast<double>(floats_[i]);
        return is_known() ? element_as_double(whole_.data(), element_, i) : values_[place(i)];
    }
    [[nodiscard]] double error(std::int64_t i) const { return is_known() ? known_error_ : errors_[place(i)]; }

private:
    [[nodiscard]] std::size_t place(std::int64_t i) const {
        const auto w = static_cast<std::size_t>(i >> 6);
        return before_[w] + static_cast<std::size_t>(std::popcount(marks_[w] & ((std::uint64_t{1} << (i & 63)) - 1)));
    }

    element_type element_ = element_type::none;
    std::vector<std::int64_t> extents_;
    std::int64_t count_ = 0;
    tensor whole_;
    double known_error_ = 0;
    const float* floats_ = nullptr;
    std::vector<std::uint64_t> marks_;
    std::vector<std::uint32_t> before_;  // how many elements are marked in the words before
    std::vector<std::int64_t> wanted_;
    std::vector<double> values_, errors_;
    bool sealed_ = false;
};

}  // namespace inlay

#endif
