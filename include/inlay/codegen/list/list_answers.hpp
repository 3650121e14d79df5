// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_LIST_ANSWERS_HPP
#define INLAY_CODEGEN_LIST_LIST_ANSWERS_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// What every list of back ends answers of one by its number, by way of `visit(index, f)` of the list, which derives from this.
template <class List>
class list_answers {
public:
    [[nodiscard]] std::string_view kind(std::size_t index) const {
        return list().visit(index, [](const auto& b) { return std::string_view(b.kind); });
    }
    /// The instance as target text: kind and options.
    [[nodiscard]] std::string text(std::size_t index) const {
        return list().visit(index, [](const auto& b) { return target_text(b); });
    }
    /// The code of that back end for what a composite took, by `emit_composite`.
    [[nodiscard]] outcome<kernel> emit(std::size_t index, const composite_job& job) const {
        return list().visit(index, [&](const auto& b) { return emit_composite(b, job); });
    }
    /// The same for a region that no composite took: the region alone decides.
    [[nodiscard]] outcome<kernel> emit(std::size_t index, const region_view& region) const {
        return emit(index, composite_job{0, nullptr, region});
    }

private:
    [[nodiscard]] const List& list() const { return static_cast<const List&>(*this); }
};

}  // namespace inlay

#endif
