// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_MODULE_HPP
#define INLAY_BACKEND_CUDA_CUDA_MODULE_HPP

#include <string>

#include <inlay/backend/cuda/cuda_device.hpp>
#include <inlay/backend/cuda/cuda_driver.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/core/shared_handle.hpp>

namespace inlay::detail {

/// Code that the device `here` has loaded. It stays as long as one of its copies does.
class cuda_module {
public:
    /// Error: what the driver says of the code.
    [[nodiscard]] static outcome<cuda_module> load(const std::string& code) {
        const outcome<cuda_device>& d = cuda_device::here();
        if (!d) return d.failure();
        void* module = nullptr;
        if (const int wrong = d->use() ? d->driver().load_module(&module, code.data()) : 1; wrong != 0)
            return error{"the CUDA device " + d->name() + " does not load its code: " + d->driver().said(wrong)};
        return cuda_module(module);
    }
    /// The kernel of that name, whose blocks have so many bytes to share. Error: there is none, or the device does not give a block so
    /// many.
    [[nodiscard]] outcome<void*> kernel(const std::string& name, unsigned shared_bytes) const {
        const cuda_device& d = *cuda_device::here();
        void* found = nullptr;
        if (d.driver().module_function(&found, owned_->module, name.c_str()) != 0)
            return error{"the compiled kernel " + quoted_text(name) + " has lost its function"};
        if (shared_bytes == 0) return found;
        if (const int wrong = d.driver().set_function_attribute(found, cuda_driver::dynamic_shared_bytes, static_cast<int>(shared_bytes));
            wrong != 0)
            return error{"the CUDA device " + d.name() + " does not give a block " + std::to_string(shared_bytes) +
                         " bytes to share: " + d.driver().said(wrong)};
        return found;
    }

private:
    struct loaded : owner_count {
        void* module = nullptr;

        static void release(loaded* l) {
            if (const cuda_device& d = *cuda_device::here(); d.use()) (void)d.driver().unload_module(l->module);
            delete l;
        }
    };
    explicit cuda_module(void* module) : owned_(new loaded) { owned_->module = module; }

    shared_handle<loaded> owned_;
};

}  // namespace inlay::detail

#endif
