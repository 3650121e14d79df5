// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_BY_CUDA_LIBRARY_HPP
#define INLAY_BACKEND_CUDA_BY_CUDA_LIBRARY_HPP

#include <string>

#include <inlay/backend/cuda/on_cuda_device.hpp>
#include <inlay/backend/cuda/opened_once.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// What back ends have in common that have a library of NVIDIA's compute on the device. `Library` and `Session`, the library and the
/// library made ready for the device, are opened by a static `open(file)`.
///
/// `B`, which derives from it, has beside what `on_cuda_device` asks for a `library_name`, and members `library`, its file or empty, and
/// `precision`, `float32` or `tf32`.
template <class B, class Library, class Session>
struct by_cuda_library : on_cuda_device<B> {
    /// Part of the key of every measurement: the library, the device, and how things are computed.
    [[nodiscard]] std::string version() const {
        const outcome<Library>& found = opened_once<Library>(self().library);
        const std::string name(B::library_name);
        return "1 " + (found ? name + " " + std::to_string(found->version()) : "without " + name) + " in " + self().precision + " for " +
               this->made_for() + " on " + this->device_name();
    }
    /// Options that make sense.
    [[nodiscard]] outcome<void> check() const {
        if (auto fits = this->check_precision(); !fits) return fits;
        return this->check_arch();
    }
    [[nodiscard]] outcome<void> usable() const {
        if (auto fits = check(); !fits || self().model) return fits;
        const auto ready = session();
        return ready ? outcome<void>() : ready.failure();
    }

    /// The library, ready to compute a region in the formats that were chosen. Error: there is no device or no library, or other formats.
    [[nodiscard]] outcome<Session> session_for(const region_view& r) const {
        if (auto fine = this->check_formats(r, B::library_name); !fine) return fine.failure();
        return session();
    }

private:
    [[nodiscard]] outcome<Session> session() const {
        if (auto there = this->check_device(); !there) return there.failure();
        return opened_once<Session>(self().library);
    }
    [[nodiscard]] const B& self() const { return static_cast<const B&>(*this); }
};

}  // namespace inlay::detail

#endif
