// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_FENCED_MEMORY_HPP
#define INLAY_MEASURE_FENCED_MEMORY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include <inlay/core/buffer.hpp>

namespace inlay::detail {

/// Memory for the tensors of one kernel, each between guard bytes that show whether they were written to, and before a page that cannot be
/// touched where that is asked for: what a kernel reads beyond the slack that it may read then ends the process. Neither copied nor moved.
class fenced_memory {
public:
    /// Eight bytes that are repeated, each at the addresses that are its number modulo 8, so that elements of every width are whole.
    using pattern = std::array<std::byte, 8>;

    /// Guard bytes; four of them are no usual number in any element type.
    static constexpr pattern usual_guard = [] {
        pattern all{};
        all.fill(std::byte{0xFB});
        return all;
    }();

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

    /// Makes room for tensors of these sizes in place of earlier ones. `guards` has the guard bytes around each, or is empty for the usual
    /// ones. Returns false if there is no such memory.
    [[nodiscard]] bool make(const std::vector<std::size_t>& sizes, bool has_walls, std::vector<pattern> guards = {}) {
        std::size_t all = 0;
        for (const std::size_t bytes : sizes) all += room(bytes);
        // Walls of an earlier call may be anywhere in the old memory.
        if (memory_ != nullptr) ::munmap(memory_, size_);
        void* const got = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory_ = got == MAP_FAILED ? nullptr : static_cast<std::byte*>(got);
        if (memory_ == nullptr) return false;
        size_ = all;
        has_walls_ = has_walls;
        guards_ = std::move(guards);
        guards_.resize(sizes.size(), usual_guard);
        pieces_.clear();
        std::byte* at = memory_;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::byte* const wall = at + room(sizes[i]) - page;
            // The slack that every kernel may read ends at the wall.
            std::byte* const data = wall - buffer::slack - rounded(sizes[i], buffer::alignment);
            pieces_.push_back({data, sizes[i]});
            repeat(guards_[i], at, data);
            repeat(guards_[i], data + sizes[i], has_walls ? wall : wall + page);
            if (has_walls) (void)::mprotect(wall, page, PROT_NONE);
            at = wall + page;
        }
        return true;
    }

    /// Fills memory with a pattern.
    static void repeat(const pattern& p, std::byte* begin, std::byte* end) {
        const auto count = static_cast<std::size_t>(end - begin), first = std::min(count, p.size());
        for (std::size_t i = 0; i < first; ++i) begin[i] = p[phase(begin + i)];
        for (std::size_t done = first; done < count; done += std::min(done, count - done))
            std::memcpy(begin + done, begin, std::min(done, count - done));
    }

    [[nodiscard]] const std::vector<piece>& pieces() const { return pieces_; }

    /// The guard byte of a piece that was written to: the last one behind the piece, else the first one before it, as its distance from the
    /// piece's first byte. Returns nullopt if none was.
    [[nodiscard]] std::optional<std::ptrdiff_t> touched(std::size_t i) const {
        const piece& p = pieces_[i];
        const auto is_touched = [&](const std::byte* b) { return *b != guards_[i][phase(b)]; };
        const std::byte* const wall = p.data + rounded(p.bytes, buffer::alignment) + buffer::slack;
        for (const std::byte* b = has_walls_ ? wall : wall + page; b != p.data + p.bytes;)
            if (is_touched(--b)) return b - p.data;
        for (const std::byte* b = p.data - page; b != p.data; ++b)
            if (is_touched(b)) return b - p.data;
        return std::nullopt;
    }

    /// Says of a distance that `touched` returned where it is: "4 bytes beyond result 0".
    [[nodiscard]] std::string place_of(std::size_t i, std::ptrdiff_t at, const std::string& name) const {
        const std::ptrdiff_t bytes = at < 0 ? -at : at - static_cast<std::ptrdiff_t>(pieces_[i].bytes) + 1;
        return std::to_string(bytes) + (bytes == 1 ? " byte " : " bytes ") + (at < 0 ? "before " : "beyond ") + name;
    }

private:
    static constexpr std::size_t page = 4096;

    [[nodiscard]] static std::size_t phase(const std::byte* b) { return reinterpret_cast<std::uintptr_t>(b) % std::tuple_size_v<pattern>; }
    [[nodiscard]] static std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }
    /// A page of guard bytes at least, the piece with its slack, and the wall.
    [[nodiscard]] static std::size_t room(std::size_t bytes) {
        return page + rounded(bytes + buffer::alignment + buffer::slack, page) + page;
    }

    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
    bool has_walls_ = false;
    std::vector<pattern> guards_;
    std::vector<piece> pieces_;
};

}  // namespace inlay::detail

#endif
