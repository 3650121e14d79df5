// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_LOWER_PRODUCTS_HPP
#define INLAY_LOOPS_LOWER_PRODUCTS_HPP

#include <cstddef>
#include <span>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/lower/lowered_call.hpp>

namespace inlay::detail {

/// Sums of `product(a's indices, b's indices)` over what batches of matrices have in common; axes before the last two are broadcast. A
/// vector is a row on the left and a column on the right, whose axis the result has not.
template <class Product>
[[nodiscard]] lowered_tensor matrix_sums(const lowered_call& c, const lowered_tensor& a, const lowered_tensor& b, element_type element,
                                         Product&& product) {
    const bool has_rows = a.extents.size() > 1, has_columns = b.extents.size() > 1;
    const std::size_t batch_axes = c.extents.size() - (has_rows ? 1 : 0) - (has_columns ? 1 : 0);
    const auto place = [batch_axes](const lowered_tensor& t, const std::vector<affine>& at, const std::vector<affine>& inside) {
        const std::size_t batches = t.extents.size() - inside.size(), skipped = batch_axes - batches;
        std::vector<affine> own;
        for (std::size_t d = 0; d < batches; ++d) own.push_back(t.extents[d] == 1 ? affine() : at[skipped + d]);
        own.insert(own.end(), inside.begin(), inside.end());
        return own;
    };
    return c.nest.reduced(c.extents, element, {a.extents.back()}, scalar_function::add, c.nest.number(0, element),
                          [&](const std::vector<affine>& at, const std::vector<affine>& k) {
                              const std::vector<affine> row = has_rows ? std::vector{at[batch_axes], k[0]} : k,
                                                        column = has_columns ? std::vector{k[0], at.back()} : k;
                              return product(place(a, at, row), place(b, at, column));
                          });
}

/// How calls of products are lowered.
[[nodiscard]] INLAY_FUNCTION std::span<const lowering_entry> product_lowerings();

}  // namespace inlay::detail

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/lower/products.ipp>
#endif

#endif
