// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_NORMALISED_PRODUCT_HPP
#define INLAY_BACKEND_NORMALISED_PRODUCT_HPP

#include <cstddef>
#include <utility>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/layer_normalization.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// A product of one matrix with a constant one, what follows it, and a layer normalisation of each row of that: how both halves of a
/// transformer's layer end.
struct normalised_product {
    anchored_product product;
    layer_normalization norm;

    static constexpr auto pattern() {
        using namespace dsl;
        constexpr auto product = anchored_product::pattern_of_matmul() | anchored_product::pattern_of_gemm();
        return op<"onnx.LayerNormalization">(product, rest) | pattern_of_written_layer_normalization(product);
    }

    /// Reads a region. Error: another region, or a product whose rows are not what is normalised.
    [[nodiscard]] static outcome<normalised_product> read(const region_view& r, std::size_t axes_allowed) {
        if (auto fine = check_float_region(r, axes_allowed); !fine) return fine.failure();
        auto norm = layer_normalization_at(r, r.results[0]);
        if (!norm) return norm.failure();
        auto product = anchored_product::ending_at(r, norm->x, norm->calls);
        if (!product) return product.failure();
        normalised_product p{*std::move(product), *std::move(norm)};
        if (p.product.extents.size() != 2 || float_constant(r, p.product.b.value) == nullptr)
            return error{"what is normalised is no product of one matrix with a constant one"};
        if (p.product.strides[1] != 1 || p.product.strides[0] != p.product.extents[1])
            return error{"what is normalised is a transposed product, whose rows do not lie one after the other"};
        if (p.product.a.extents[1] > 1 && p.product.a.strides[1] != 1)
            return error{"the product's first operand is transposed, so that its rows do not lie side by side"};
        if (p.norm.axes != axis_set::only(p.norm.extents.size() - 1))
            return error{"the layer normalisation of " + to_string(r.type(p.norm.x)) +
                         " is not over the rows of the product, its last axis"};
        return p;
    }
};

}  // namespace inlay::detail

#endif
