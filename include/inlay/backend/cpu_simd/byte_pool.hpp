// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CPU_SIMD_BYTE_POOL_HPP
#define INLAY_BACKEND_CPU_SIMD_BYTE_POOL_HPP

#include <cstdint>
#include <string>
#include <vector>

#include <inlay/backend/cpu_simd/byte_image.hpp>
#include <inlay/backend/cpu_simd/kernel_table.hpp>
#include <inlay/backend/float_region.hpp>
#include <inlay/backend/image_axes.hpp>
#include <inlay/backend/only_call.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/codegen/kernel/kernel.hpp>

namespace inlay::simd {

/// The largest bytes of windows over images with channels last. The state of a kernel.
struct byte_pool {
    const kernel_table* table = nullptr;
    byte_image image;

    [[nodiscard]] bool run(const run_arguments& a) const {
        image.for_each<byte_maximum_job>(a, 0.25, [&](const byte_maximum_job& j, auto&&...) { table->maximum_of_bytes(j); });
        return true;
    }
};

/// MaxPool of bytes as the third part of a composite.
struct byte_pool_entry {
    struct plan {
        byte_pool kernel;
    };

    template <class B, class Match>
    [[nodiscard]] outcome<plan> read(const B&, const Match& m) const {
        const region_view& r = m.region();
        const region_value* call = detail::only_call(r);
        if (call == nullptr || r.input_count != 1 || call->operands[0] != 0) return error{"the region is no pooling of an input"};
        if (!call->type->is_tensor() || !call->type->is_static() || !r[0].type->is_static())
            return error{"the shape of a value is not known before the run, or there are several"};
        const element_type e = r.type(0).element;
        if (!is_byte(e)) return error{"the input is none of bytes"};
        const std::vector<std::int64_t> in = static_shape(r.type(0));
        const auto axes = detail::image_axes_of(r, *call, std::vector<std::int64_t>(in.size() - 2, -1));
        if (!axes) return axes.failure();
        plan p;
        p.kernel.image = {in[0], in[1], axes->y, axes->x, e == element_type::int8};
        if (byte_image::has_empty_window(axes->y) || byte_image::has_empty_window(axes->x))
            return error{"a window has no place in the image"};
        return p;
    }

    template <class B>
    [[nodiscard]] std::vector<border_formats> formats(const B& self, const plan&, const region_view& r) const {
        return self.channels_last(r);
    }

    template <class B>
    [[nodiscard]] outcome<kernel> emit(const B& self, const plan& p, const region_view& r) const {
        if (auto ready = self.check(r, formats(self, p, r)); !ready) return ready.failure();
        byte_pool k = p.kernel;
        k.table = self.table();
        return self.finish(k, "pool of bytes");
    }
};

}  // namespace inlay::simd

#endif
