// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_NN_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_NN_RULES_HPP

#include <inlay/ops/relay/relay_nn_maps.hpp>
#include <inlay/passes/books/relay_site.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// Relay's operators of neural networks, as ONNX's, at inference.
[[nodiscard]] constexpr auto relay_nn_rules() {
    using namespace dsl;
    using namespace detail;
    return rule_book(
        rule<"convolution", exactness::bounded>(
            op<"nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose">,
            by_site<relay_convolution>{}),
        rule<"pool", exactness::bounded>(
            op<"nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d", "nn.global_max_pool2d",
               "nn.global_avg_pool2d", "nn.adaptive_max_pool1d", "nn.adaptive_max_pool2d", "nn.adaptive_max_pool3d",
               "nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d">,
            by_site<relay_pool>{}),
        rule<"bias_add", exactness::exact>(op<"nn.bias_add">, by_site<relay_bias_add>{}),
        rule<"product", exactness::bounded>(op<"nn.dense", "nn.batch_matmul", "nn.matmul">, by_site<relay_product>{}),
        rule<"softmax", exactness::bounded>(op<"nn.softmax", "nn.fast_softmax", "nn.log_softmax">, by_site<relay_softmax>{}),
        rule<"batch_flatten", exactness::exact>(op<"nn.batch_flatten">, by_site<relay_flatten>{}),
        rule<"batch_norm", overlap::duplicate, exactness::bounded>(any_field(op<"nn.batch_norm">(any_reached, rest)),
                                                                   by_site<relay_batch_norm>{}),
        rule<"normalization", exactness::bounded>(op<"nn.layer_norm", "nn.instance_norm", "nn.group_norm">, by_site<relay_normalization>{}),
        rule<"local_norm", exactness::bounded>(op<"nn.lrn", "nn.l2_normalize">, by_site<relay_local_norm>{}),
        rule<"blocks", exactness::exact>(op<"nn.depth_to_space", "nn.space_to_depth">, by_site<relay_blocks>{}),
        rule<"resize", exactness::bounded>(op<"image.resize1d", "image.resize2d", "image.resize3d">, by_site<relay_resize>{}));
}

}  // namespace inlay

#endif
