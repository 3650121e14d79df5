// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_FENCED_MEMORY_HPP
#define INLAY_MEASURE_FENCED_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include <inlay/core/buffer.hpp>

namespace inlay::detail {

/// Memory for the tensors of one kernel, each between bytes that show whether they were written to, and before a page that cannot be
/// touched where that is asked for: what a kernel reads beyond the slack that it may read then ends the process. Move-only.
class fenced_memory {
public:
    /// Room for one tensor.
    struct piece {
        std::byte* data = nullptr;
        std::size_t bytes = 0;
    };

    fenced_memory() = default;
    fenced_memory(const fenced_memory&) = delete;
    fenced_memory& operator=(const fenced_memory&) = delete;
    ~fenced_memory() {
        if (memory_ != nullptr) ::munmap(memory_, size_);
    }

    /// Makes room for tensors of these sizes in place of earlier ones. Returns false if there is no such memory.
    [[nodiscard]] bool make(const std::vector<std::size_t>& sizes, bool has_walls) {
        std::size_t all = 0;
        for (const std::size_t bytes : sizes) all += room(bytes);
        // Walls of an earlier call may be anywhere in the old memory.
        if (memory_ != nullptr) ::munmap(memory_, size_);
        void* const got = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory_ = got == MAP_FAILED ? nullptr : static_cast<std::byte*>(got);
        if (memory_ == nullptr) return false;
        size_ = all;
        pieces_.clear();
        std::byte* at = memory_;
        for (const std::size_t bytes : sizes) {
            std::byte* const wall = at + room(bytes) - page;
            // The slack that every kernel may read ends at the wall.
            std::byte* const data = wall - buffer::slack - rounded(bytes, buffer::alignment);
            pieces_.push_back({data, bytes});
            std::memset(at, guard, static_cast<std::size_t>(data - at));
            std::memset(data + bytes, guard, static_cast<std::size_t>(wall - data) - bytes);
            if (has_walls) (void)::mprotect(wall, page, PROT_NONE);
            at = wall + page;
        }
        return true;
    }

    [[nodiscard]] const std::vector<piece>& pieces() const { return pieces_; }

    /// The byte around a piece that is no longer as it was made: its distance from the piece's first byte. Nothing where all are.
    [[nodiscard]] std::optional<std::ptrdiff_t> touched(std::size_t i) const {
        const piece& p = pieces_[i];
        const std::byte* const before = p.data - page;
        for (const std::byte* b = p.data + p.bytes; b != p.data + rounded(p.bytes, buffer::alignment) + buffer::slack; ++b)
            if (*b != std::byte{guard}) return b - p.data;
        for (const std::byte* b = p.data; b-- != before;)
            if (*b != std::byte{guard}) return b - p.data;
        return std::nullopt;
    }

private:
    static constexpr std::size_t page = 4096;
    static constexpr unsigned char guard = 0xFB;  // four of them are no usual number in any element type

    [[nodiscard]] static std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }
    /// A page of guard bytes at least, the piece with its slack, and the wall.
    [[nodiscard]] static std::size_t room(std::size_t bytes) {
        return page + rounded(bytes + buffer::alignment + buffer::slack, page) + page;
    }

    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
    std::vector<piece> pieces_;
};

}  // namespace inlay::detail

#endif
