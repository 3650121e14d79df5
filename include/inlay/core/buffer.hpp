// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_BUFFER_HPP
#define INLAY_CORE_BUFFER_HPP

#include <cstddef>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// A shared block of bytes, aligned to 64, zero when made. Copies share the block; the last one frees it. Counting is safe across
/// threads, the bytes are the users' to guard. An empty buffer has no block.
class buffer {
public:
    static constexpr std::size_t alignment = 64;

    /// Bytes behind the last one that may be read too, which are zero when made: vector loops of some libraries do so.
    static constexpr std::size_t slack = 64;

    /// The bytes of a huge page.
    static constexpr std::size_t huge_page = std::size_t{2} << 20;

    buffer() = default;

    /// A block of `size` zero bytes; an empty buffer where there is not so much memory (`size() != size` tells). One of `huge_page` bytes
    /// and more stands on huge pages where the system has them: what is read once in a run is not in the caches, and each 4 KiB of it
    /// would cost a walk through the page tables beside the access.
    explicit buffer(std::size_t size) {
        if (size == 0 || size > static_cast<std::size_t>(-1) / 4) return;
        const std::size_t all = sizeof(block) + size + slack;
        void* memory = ::operator new(all, block::alignment_of(size), std::nothrow);
        if (memory == nullptr) return;
#if defined(MADV_HUGEPAGE)
        if (size >= huge_page) (void)::madvise(memory, all / huge_page * huge_page, MADV_HUGEPAGE);  // advice: it may be refused
#endif
        block_ = shared_handle<head>(new (memory) block);
        block_->size = size;
        std::memset(data(), 0, size + slack);
    }

    /// A block in memory that another one gave: the first `alignment` bytes of it are this block's own, `size` bytes and `slack` zeros
    /// follow. `give_back(memory, size)` is called when the last copy goes. Precondition: `memory` is aligned to a block.
    [[nodiscard]] static buffer in(void* memory, std::size_t size, void (*give_back)(void*, std::size_t)) {
        buffer made;
        made.block_ = shared_handle<head>(new (memory) block);
        made.block_->size = size;
        made.block_->give_back = give_back;
        return made;
    }

    /// Bytes of somebody else, which stay there and as they are longer than every copy of this. Precondition: they are aligned as a block's
    /// are, and `slack` bytes behind them may be read.
    [[nodiscard]] static buffer around(const void* data, std::size_t size) {
        buffer made;
        auto* const own = new (std::nothrow) head;
        if (own == nullptr) return made;
        own->size = size;
        own->data = static_cast<std::byte*>(const_cast<void*>(data));
        own->give_back = [](void* memory, std::size_t) { delete static_cast<head*>(memory); };
        made.block_ = shared_handle<head>(own);
        return made;
    }

    /// Whether there are bytes that no other buffer shares.
    [[nodiscard]] bool is_alone() const { return block_.is_alone(); }
    [[nodiscard]] std::size_t size() const { return block_ ? block_->size : 0; }
    [[nodiscard]] std::byte* data() { return block_ ? block_->data : nullptr; }
    [[nodiscard]] const std::byte* data() const { return block_ ? block_->data : nullptr; }

private:
    /// What is known of the bytes.
    struct head : owner_count {
        std::size_t size = 0;
        std::byte* data = nullptr;
        void (*give_back)(void*, std::size_t) = nullptr;  // null: the memory is this class's

        static void release(head* h) {
            if (h->give_back != nullptr) return h->give_back(h, h->size);
            ::operator delete(h, block::alignment_of(h->size));
        }
    };
    /// A head before bytes of its own.
    struct alignas(alignment) block : head {
        block() { data = reinterpret_cast<std::byte*>(this + 1); }

        static constexpr std::align_val_t alignment_of(std::size_t size) {
            return std::align_val_t{size >= huge_page ? huge_page : alignment};
        }
    };
    static_assert(sizeof(block) == alignment);

    shared_handle<head> block_;
};

}  // namespace inlay

#endif
