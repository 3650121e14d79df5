// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_CUDNN_SESSION_HPP
#define INLAY_BACKEND_CUDNN_CUDNN_SESSION_HPP

#include <mutex>
#include <string>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/library_object.hpp>
#include <inlay/backend/cuda/opened_once.hpp>
#include <inlay/backend/cudnn/cudnn_library.hpp>
#include <inlay/backend/cudnn/cudnn_shape.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// cuDNN made ready for the device `here` and its stream. `opened_once` opens one for a process.
class cudnn_session {
public:
    /// Error: there is no device or no library, or the library does not start.
    [[nodiscard]] static outcome<cudnn_session> open(const std::string& file) {
        const outcome<cuda_device>& d = cuda_device::here();
        if (!d) return d.failure();
        const outcome<cudnn_library>& library = opened_once<cudnn_library>(file);
        if (!library) return library.failure();
        cudnn_session made;
        made.library_ = &*library;
        const int wrong = d->use() ? library->create(&made.handle_) : 1;
        if (wrong != 0) return error{"NVIDIA's cuDNN does not start on the CUDA device " + d->name() + ": " + library->said(wrong)};
        return made;
    }

    [[nodiscard]] const cudnn_library& library() const { return *library_; }

    /// Calls `work(library, handle)`, which gives a status, with the device in use; one thread at a time, since the library's handle is for
    /// one. Gives the status.
    template <class Work>
    [[nodiscard]] int call(Work&& work) const {
        const std::lock_guard held(guard());
        const cuda_device& d = *cuda_device::here();
        if (!d.use()) return 1;
        // Who records has another stream.
        const int wrong = library_->set_stream(handle_, d.stream());
        return wrong == 0 ? work(*library_, handle_) : wrong;
    }
    /// The same. Whether all went well: the body of a kernel's start.
    template <class Work>
    [[nodiscard]] bool start(Work&& work) const {
        return call(work) == 0;
    }

    /// Has the library describe a row-major tensor. 0, or the status.
    [[nodiscard]] int describe(library_object& to, const cudnn_shape& shape) const {
        to = library_object(library_->destroy_tensor);
        const int wrong = library_->create_tensor(to.made());
        if (wrong != 0) return wrong;
        return library_->set_tensor(to.get(), library_->element_float32, shape.axes(), shape.extents.data(), shape.strides().data());
    }

private:
    // One for all that is called.
    [[nodiscard]] static std::mutex& guard() {
        static std::mutex one;
        return one;
    }

    const cudnn_library* library_ = nullptr;
    void* handle_ = nullptr;  // to the end of the process
};

}  // namespace inlay::detail

#endif
