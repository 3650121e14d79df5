// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_ONNX_OPS_IPP
#define INLAY_OPS_ONNX_ONNX_OPS_IPP

#include <span>
#include <string_view>

#include <inlay/ops/onnx/onnx_ops.hpp>

#include <inlay/ops/interpret/loop_run.hpp>
#include <inlay/ops/loops/stretching.hpp>
#include <inlay/ops/onnx/activation.hpp>
#include <inlay/ops/onnx/arg_reduction.hpp>
#include <inlay/ops/onnx/arithmetic.hpp>
#include <inlay/ops/onnx/attention.hpp>
#include <inlay/ops/onnx/cast.hpp>
#include <inlay/ops/onnx/clip_and_where.hpp>
#include <inlay/ops/onnx/convolution.hpp>
#include <inlay/ops/onnx/einsum.hpp>
#include <inlay/ops/onnx/gathering.hpp>
#include <inlay/ops/onnx/generation.hpp>
#include <inlay/ops/onnx/joining.hpp>
#include <inlay/ops/onnx/logic.hpp>
#include <inlay/ops/onnx/masking.hpp>
#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/onnx/matrix_product.hpp>
#include <inlay/ops/onnx/normalization.hpp>
#include <inlay/ops/onnx/padding.hpp>
#include <inlay/ops/onnx/plain_normalization.hpp>
#include <inlay/ops/onnx/pooling.hpp>
#include <inlay/ops/onnx/quantization.hpp>
#include <inlay/ops/onnx/quantized_products.hpp>
#include <inlay/ops/onnx/reduction.hpp>
#include <inlay/ops/onnx/reshaping.hpp>
#include <inlay/ops/onnx/resize.hpp>
#include <inlay/ops/onnx/scattering.hpp>
#include <inlay/ops/onnx/selection.hpp>
#include <inlay/ops/onnx/slicing.hpp>
#include <inlay/ops/onnx/softmax.hpp>
#include <inlay/ops/onnx/transposition.hpp>
#include <inlay/ops/onnx/variadic.hpp>
#include <inlay/ops/op_table.hpp>

namespace inlay {

namespace detail {

/// The families that `onnx_ops` is made of.
using onnx_families = op_table<onnx_activations<>,           //
                               onnx_arg_reductions<>,        //
                               onnx_arithmetic<>,            //
                               onnx_attentions<>,            //
                               onnx_casts<>,                 //
                               onnx_clip_and_where<>,        //
                               onnx_convolution<>,           //
                               onnx_einsum<>,                //
                               onnx_gathering<>,             //
                               onnx_generation<>,            //
                               onnx_joining<>,               //
                               onnx_logic<>,                 //
                               onnx_loops<>,                 //
                               onnx_masking<>,               //
                               onnx_math<>,                  //
                               onnx_matrix_product<>,        //
                               onnx_normalizations<>,        //
                               onnx_padding<>,               //
                               onnx_plain_normalizations<>,  //
                               onnx_pooling<>,               //
                               onnx_quantization<>,          //
                               onnx_quantized_products<>,    //
                               onnx_reductions<>,            //
                               onnx_reshaping<>,             //
                               onnx_resize<>,                //
                               onnx_scattering<>,            //
                               onnx_selection<>,             //
                               onnx_slicing<>,               //
                               onnx_softmaxes<>,             //
                               onnx_stretching<>,            //
                               onnx_transposition<>,         //
                               onnx_variadics<>>;

}  // namespace detail

INLAY_LAZY_DEFINITION const op_definition* onnx_ops::find(std::string_view name) { return detail::onnx_families::find(name); }

INLAY_LAZY_DEFINITION std::span<const op_definition> onnx_ops::all() { return detail::onnx_families::all(); }

}  // namespace inlay

#endif
