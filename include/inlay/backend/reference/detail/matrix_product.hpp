// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_MATRIX_PRODUCT_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_MATRIX_PRODUCT_HPP

#include <cstdint>

#include <Eigen/Core>

namespace inlay::detail::on_eigen {

/// A row-major matrix in memory: rows start `stride` elements apart. With `turned`, the memory holds the transpose.
struct matrix_place {
    const float* data = nullptr;
    std::int64_t stride = 0;
    bool turned = false;

    /// The place from row r and column c on.
    [[nodiscard]] matrix_place from(std::int64_t r, std::int64_t c) const {
        return {data + (turned ? c * stride + r : r * stride + c), stride, turned};
    }
};

/// `c = a b` for an a of m x k that is not turned and a b of k x n; `c` has rows `c_stride` apart. Eigen's blocked product on the calling
/// thread; Eigen takes memory for its panels from the heap.
inline void multiply(float* c, std::int64_t c_stride, const matrix_place& a, const matrix_place& b, std::int64_t m, std::int64_t n,
                     std::int64_t k) {
    using row_major = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using column_major = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
    using stride = Eigen::OuterStride<>;
    Eigen::Map<row_major, 0, stride> to(c, m, n, stride(c_stride));
    if (k == 0) {
        to.setZero();
        return;
    }
    const Eigen::Map<const row_major, 0, stride> left(a.data, m, k, stride(a.stride));
    if (b.turned)
        to.noalias() = left * Eigen::Map<const column_major, 0, stride>(b.data, k, n, stride(b.stride));
    else
        to.noalias() = left * Eigen::Map<const row_major, 0, stride>(b.data, k, n, stride(b.stride));
}

}  // namespace inlay::detail::on_eigen

#endif
