// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_LIBRARY_OBJECT_HPP
#define INLAY_BACKEND_CUDA_LIBRARY_OBJECT_HPP

#include <utility>

namespace inlay::detail {

/// Something that a C library makes and takes back, as a description of a tensor. Move-only.
class library_object {
public:
    library_object() = default;
    /// Not made yet; `destroy` is how the library takes it back.
    explicit library_object(int (*destroy)(void*)) : destroy_(destroy) {}
    library_object(library_object&& other) noexcept : destroy_(other.destroy_), at_(std::exchange(other.at_, nullptr)) {}
    library_object& operator=(library_object other) noexcept {
        std::swap(destroy_, other.destroy_);
        std::swap(at_, other.at_);
        return *this;
    }
    ~library_object() {
        if (at_ != nullptr) (void)destroy_(at_);
    }

    /// Where the library writes what it makes. Precondition: it has not made it yet.
    [[nodiscard]] void** made() { return &at_; }
    [[nodiscard]] void* get() const { return at_; }

private:
    int (*destroy_)(void*) = nullptr;
    void* at_ = nullptr;
};

}  // namespace inlay::detail

#endif
