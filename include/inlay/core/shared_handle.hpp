// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_SHARED_HANDLE_HPP
#define INLAY_CORE_SHARED_HANDLE_HPP

#include <cstddef>
#include <utility>

namespace inlay {

/// How many handles own something; the one for which it was made does from the start.
struct owner_count {
    std::size_t owners = 1;
};

/// Owns something together with its copies; the last of them calls `Owned::release(owned)`. `Owned` is an `owner_count`. Counting is safe
/// across threads, what is owned is the users' to guard.
///
/// The owners are counted with the atomic operations that compilers have built in: <atomic> weighs as much as this whole folder.
template <class Owned>
class shared_handle {
public:
    shared_handle() = default;
    /// Takes what was made just now, or nothing.
    explicit shared_handle(Owned* made) : owned_(made) {}

    shared_handle(const shared_handle& other) : owned_(other.owned_) {
        if (owned_ != nullptr) __atomic_add_fetch(&owned_->owners, 1, __ATOMIC_RELAXED);
    }
    shared_handle(shared_handle&& other) noexcept : owned_(std::exchange(other.owned_, nullptr)) {}
    shared_handle& operator=(shared_handle other) noexcept {
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~shared_handle() {
        if (owned_ != nullptr && __atomic_sub_fetch(&owned_->owners, 1, __ATOMIC_ACQ_REL) == 0) Owned::release(owned_);
    }

    [[nodiscard]] Owned* get() const { return owned_; }
    [[nodiscard]] Owned* operator->() const { return owned_; }
    [[nodiscard]] explicit operator bool() const { return owned_ != nullptr; }
    /// Whether there is something that no other handle owns.
    [[nodiscard]] bool is_alone() const { return owned_ != nullptr && __atomic_load_n(&owned_->owners, __ATOMIC_ACQUIRE) == 1; }

private:
    Owned* owned_ = nullptr;
};

}  // namespace inlay

#endif
