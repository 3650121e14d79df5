// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_SAMPLE_TERM_SIZES_HPP
#define INLAY_OPS_SAMPLE_TERM_SIZES_HPP

namespace inlay {

/// What is known of the terms of sums. Sums that are made one after the other are off by about the root of their count where terms are of
/// random sizes, and by a quarter of it, in steps of rounding, where they are of one size, since each addition then rounds the same way.
enum class term_sizes : unsigned char { random, any };

}  // namespace inlay

#endif
