// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_ACCELERATOR_PIECES_HPP
#define INLAY_ACCELERATOR_PIECES_HPP

#include <cstdint>
#include <vector>

namespace inlay {

/// Calls `use(size, count)` for the sizes of the pieces that an extent is cut into: those of `size`, and a smaller last one.
template <class Use>
constexpr void each_piece(std::int64_t whole, std::int64_t size, Use&& use) {
    if (whole / size != 0) use(size, whole / size);
    if (whole % size != 0) use(whole % size, std::int64_t{1});
}

/// The sizes of pieces that a search looks at: a whole, its half, its quarter and so on to 1, rounded up, each once.
[[nodiscard]] inline std::vector<std::int64_t> halves_of(std::int64_t whole) {
    std::vector<std::int64_t> made;
    for (std::int64_t parts = 1;; parts *= 2) {
        const std::int64_t size = (whole + parts - 1) / parts;
        if (made.empty() || made.back() != size) made.push_back(size);
        if (size <= 1) return made;
    }
}

}  // namespace inlay

#endif
