// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CANDIDATE_LIFTED_REGION_HPP
#define INLAY_CANDIDATE_LIFTED_REGION_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay {

/// A region whose constants are inputs behind its own, in the order in which they stood. Of the values behind them only the numbers change;
/// operands that are left out stay what they are. Types and attributes are those of the region that was lifted, which must outlive it.
class lifted_region {
public:
    /// Linear in the region. Where formats are chosen, constants get the plain one.
    explicit lifted_region(const region_view& r)
        : input_formats_(r.input_formats.begin(), r.input_formats.end()), result_formats_(r.result_formats) {
        const std::size_t outside = r.input_count + r.constant_count;
        std::vector<value_id> number(r.values.size());
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t v = 0; v < outside; ++v) {
                const bool is_input = v < r.input_count || r.values[v].kind == region_value::role::constant;
                if (is_input != (pass == 0)) continue;
                number[v] = static_cast<value_id>(values_.size());
                values_.push_back(r.values[v]);
                if (v < r.input_count || !is_input) continue;
                region_value& lifted = values_.back();
                if (lifted.value != nullptr) constants_.push_back(*lifted.value);
                lifted.kind = region_value::role::input;
                lifted.value = nullptr;
                if (!r.result_formats.empty()) input_formats_.push_back(plain_format(lifted.type->of_tensor.element));
            }
        input_count_ = r.input_count + constants_.size();
        for (std::size_t v = outside; v < r.values.size(); ++v) {
            number[v] = static_cast<value_id>(v);
            values_.push_back(r.values[v]);
        }
        std::size_t count = 0;
        for (const region_value& v : values_) count += v.operands.size();
        operands_.reserve(count);
        for (region_value& v : values_) {
            const std::size_t first = operands_.size();
            for (const value_id o : v.operands) operands_.push_back(number[o]);
            v.operands = {operands_.data() + first, operands_.size() - first};
        }
        for (const value_id v : r.results) results_.push_back(number[v]);
    }

    lifted_region(lifted_region&&) noexcept = default;
    lifted_region& operator=(lifted_region&&) noexcept = default;
    lifted_region(const lifted_region&) = delete;
    lifted_region& operator=(const lifted_region&) = delete;

    [[nodiscard]] region_view view() const {
        const std::size_t outside = values_.size() - call_count();
        return {values_, input_count_, outside - input_count_, results_, input_formats_, result_formats_};
    }
    /// The values of the inputs that were constants.
    [[nodiscard]] const std::vector<tensor>& constants() const { return constants_; }

private:
    [[nodiscard]] std::size_t call_count() const {
        std::size_t count = 0;
        for (const region_value& v : values_)
            count += v.kind == region_value::role::call || v.kind == region_value::role::projection ? 1 : 0;
        return count;
    }

    std::vector<region_value> values_;
    std::vector<value_id> operands_, results_;
    std::vector<format> input_formats_;
    std::span<const format> result_formats_;
    std::vector<tensor> constants_;
    std::size_t input_count_ = 0;
};

}  // namespace inlay

#endif
