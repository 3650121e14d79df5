// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_ARENA_HPP
#define INLAY_CORE_ARENA_HPP

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace inlay {

/// Memory that is given out piece by piece and taken back all at once: for many small arrays that live and die together.
///
/// Pieces do not move, also not when the arena does. Nothing in them is destroyed, so they hold trivial types only. A piece costs a few
/// instructions, a block of many pieces one call of `operator new`, which throws where there is no memory.
class arena {
public:
    arena() = default;
    /// With a first block of so many bytes; `bytes_of` says what a piece takes.
    explicit arena(std::size_t bytes) { add_block(bytes + sizeof(block)); }
    arena(arena&& other) noexcept
        : last_(std::exchange(other.last_, nullptr)), at_(std::exchange(other.at_, nullptr)), end_(std::exchange(other.end_, nullptr)) {}
    arena& operator=(arena&& other) noexcept {
        std::swap(last_, other.last_);
        std::swap(at_, other.at_);
        std::swap(end_, other.end_);
        return *this;
    }
    arena(const arena&) = delete;
    arena& operator=(const arena&) = delete;
    ~arena() {
        while (last_ != nullptr) ::operator delete(std::exchange(last_, last_->before));
    }

    /// What a piece of `count` objects takes of a block.
    template <class T>
    [[nodiscard]] static constexpr std::size_t bytes_of(std::size_t count) {
        return (count * sizeof(T) + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
    }

    /// Room for `count` objects, not initialised.
    template <class T>
    requires std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>
    [[nodiscard]] std::span<T> take(std::size_t count) {
        static_assert(alignof(T) <= alignof(std::max_align_t));
        const std::size_t bytes = bytes_of<T>(count);
        if (static_cast<std::size_t>(end_ - at_) < bytes) grow(bytes);
        T* const first = reinterpret_cast<T*>(at_);
        at_ += bytes;
        return {first, count};
    }
    /// The same, each equal to `value`.
    template <class T>
    [[nodiscard]] std::span<T> take(std::size_t count, const T& value) {
        const std::span<T> made = take<T>(count);
        std::fill(made.begin(), made.end(), value);
        return made;
    }
    /// A copy of a list.
    template <class T>
    [[nodiscard]] std::span<T> copy(std::span<const T> from) {
        const std::span<T> made = take<T>(from.size());
        std::copy(from.begin(), from.end(), made.begin());
        return made;
    }

    /// Takes all pieces back, and keeps the last block for the next ones.
    void clear() {
        if (last_ == nullptr) return;
        while (last_->before != nullptr) ::operator delete(std::exchange(last_->before, last_->before->before));
        at_ = reinterpret_cast<std::byte*>(last_ + 1);
    }

private:
    struct alignas(std::max_align_t) block {
        block* before;
    };

    void grow(std::size_t bytes) {
        // What allocators give at once: larger blocks many of them look for among what was freed.
        constexpr std::size_t smallest = std::size_t{1} << 10;
        constexpr std::size_t largest = std::size_t{1} << 20;
        const auto now = last_ == nullptr ? 0 : static_cast<std::size_t>(end_ - reinterpret_cast<std::byte*>(last_));
        add_block(std::max(std::clamp(now * 2, smallest, largest), bytes + sizeof(block)));
    }
    void add_block(std::size_t size) {
        auto* const made = static_cast<block*>(::operator new(size));
        made->before = last_;
        last_ = made;
        at_ = reinterpret_cast<std::byte*>(made + 1);
        end_ = reinterpret_cast<std::byte*>(made) + size;
    }

    block* last_ = nullptr;
    std::byte* at_ = nullptr;
    std::byte* end_ = nullptr;
};

}  // namespace inlay

#endif
