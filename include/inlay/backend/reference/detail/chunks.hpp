// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_DETAIL_CHUNKS_HPP
#define INLAY_BACKEND_REFERENCE_DETAIL_CHUNKS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <inlay/core/executor.hpp>

namespace inlay::detail::on_eigen {

/// Elements below which a memory-bound loop is not worth a second thread: waking one costs some microseconds.
inline constexpr std::int64_t worth_a_thread = 1 << 15;

/// Calls `f(begin, end, piece)` over [0, count), in as many pieces as the executor has threads, but with at least `grain` in each.
/// Pieces are numbered from 0, below `executor.threads()`.
template <class F>
void in_numbered_chunks(const executor_ref& executor, std::int64_t count, std::int64_t grain, F&& f) {
    if (count <= 0) return;
    const std::int64_t most = std::max<std::int64_t>(1, count / std::max<std::int64_t>(1, grain));
    const std::int64_t pieces = std::min(most, static_cast<std::int64_t>(executor.threads()));
    if (pieces <= 1) {
        f(std::int64_t{0}, count, std::size_t{0});
        return;
    }
    const std::int64_t size = count / pieces, longer = count % pieces;
    executor.run(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
        const auto i = static_cast<std::int64_t>(piece);
        const std::int64_t begin = i * size + std::min(i, longer);
        f(begin, begin + size + (i < longer ? 1 : 0), piece);
    });
}

/// The same for an `f(begin, end)` that does not ask for the piece.
template <class F>
void in_chunks(const executor_ref& executor, std::int64_t count, std::int64_t grain, F&& f) {
    in_numbered_chunks(executor, count, grain, [&](std::int64_t begin, std::int64_t end, std::size_t) { f(begin, end); });
}

/// How many units of `elements` each make a chunk worth a thread.
[[nodiscard]] inline std::int64_t grain_of(std::int64_t elements) {
    return std::max<std::int64_t>(1, worth_a_thread / std::max<std::int64_t>(1, elements));
}

}  // namespace inlay::detail::on_eigen

#endif
