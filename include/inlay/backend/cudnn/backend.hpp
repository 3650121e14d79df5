// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDNN_BACKEND_HPP
#define INLAY_BACKEND_CUDNN_BACKEND_HPP

#include <string>
#include <string_view>

#include <inlay/backend/anchored_convolution.hpp>
#include <inlay/backend/cuda/by_cuda_library.hpp>
#include <inlay/backend/cudnn/conv.hpp>
#include <inlay/backend/cudnn/cudnn_library.hpp>
#include <inlay/backend/cudnn/cudnn_session.hpp>
#include <inlay/backend/cudnn/pool.hpp>
#include <inlay/backend/cudnn/softmax.hpp>
#include <inlay/backend/pooling.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/pattern/dsl/composite.hpp>
#include <inlay/target/option.hpp>

namespace inlay {

/// NVIDIA's cuDNN: convolutions with what follows them, poolings and softmax on a CUDA device, float32. Tensors stand in the device's own
/// memory, row-major. The library and the driver are looked for when they are first asked for.
///
/// With `model` it plans without a device: prices are the roofline of the device that `arch` names, and no measurement; nothing runs then.
struct cudnn : detail::by_cuda_library<cudnn, detail::cudnn_library, detail::cudnn_session> {
    static constexpr std::string_view kind = "cudnn", library_name = "cuDNN";

    std::string arch, library, precision = "float32";
    bool model = false;

    using options =
        option_list<option<"arch", &cudnn::arch, "the architecture that -model plans for, as sm_80; empty: that of the device at hand">,
                    option<"library", &cudnn::library, "the library's file; empty: libcudnn.so.9, .8 or without a number">,
                    option<"precision", &cudnn::precision,
                           "float32: as written; tf32: operands of convolutions are rounded to 10 bits behind the point for tensor cores">,
                    option<"model", &cudnn::model, "prices are a model of the device that -arch names, and no measurement">>;

    static constexpr auto patterns() {
        using namespace detail;
        return pattern_table(composite<"convolution">(anchored_convolution::pattern_of_conv(), cudnn_conv<false>{}),
                             composite<"convolution_in_calls">(anchored_convolution::pattern_of_conv(), cudnn_conv<true>{}),
                             composite<"pool">(pattern_of_pooling, cudnn_pool{}),
                             composite<"softmax">(cudnn_softmax::pattern_of_softmax(), cudnn_softmax{}));
    }
};

static_assert(backend<cudnn> && owns_memory<cudnn>);

}  // namespace inlay

#endif
