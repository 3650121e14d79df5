// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_BUFFER_HPP
#define INLAY_CORE_BUFFER_HPP

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace inlay {

/// A shared block of bytes, aligned to 64, zero when made. Copies share the block; the last one frees it. Counting is safe across
/// threads, the bytes are the users' to guard. An empty buffer has no block.
///
/// The owners are counted with the atomic operations that compilers have built in: <atomic> weighs as much as this whole folder.
class buffer {
public:
    static constexpr std::size_t alignment = 64;

    /// Bytes behind the last one that may be read too, which are zero when made: vector loops of some libraries do so.
    static constexpr std::size_t slack = 64;

    buffer() = default;

    /// A block of `size` zero bytes; an empty buffer where there is not so much memory (`size() != size` tells).
    explicit buffer(std::size_t size) {
        if (size == 0 || size > static_cast<std::size_t>(-1) / 4) return;
        void* memory = ::operator new(sizeof(block) + size + slack, std::align_val_t{alignment}, std::nothrow);
        if (memory == nullptr) return;
        block_ = new (memory) block{};
        block_->size = size;
        std::memset(data(), 0, size + slack);
    }

    buffer(const buffer& other) : block_(other.block_) {
        if (block_ != nullptr) __atomic_add_fetch(&block_->owners, 1, __ATOMIC_RELAXED);
    }
    buffer(buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
    buffer& operator=(buffer other) noexcept {
        std::swap(block_, other.block_);
        return *this;
    }
    ~buffer() {
        if (block_ != nullptr && __atomic_sub_fetch(&block_->owners, 1, __ATOMIC_ACQ_REL) == 0)
            ::operator delete(block_, std::align_val_t{alignment});
    }

    [[nodiscard]] std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
    [[nodiscard]] std::byte* data() { return block_ == nullptr ? nullptr : reinterpret_cast<std::byte*>(block_ + 1); }
    [[nodiscard]] const std::byte* data() const { return block_ == nullptr ? nullptr : reinterpret_cast<const std::byte*>(block_ + 1); }

private:
    struct alignas(alignment) block {
        std::size_t owners = 1;
        std::size_t size = 0;
    };

    block* block_ = nullptr;
};

}  // namespace inlay

#endif
