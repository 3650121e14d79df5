// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_SHAPE_RULES_HPP
#define INLAY_PASSES_BOOKS_RELAY_SHAPE_RULES_HPP

#include <inlay/ops/relay/relay_shape_maps.hpp>
#include <inlay/passes/books/relay_site.hpp>
#include <inlay/pattern/dsl/dsl_node.hpp>
#include <inlay/rewrite/rule.hpp>

namespace inlay {

/// Relay's operators that move elements or reduce axes, as ONNX's.
[[nodiscard]] constexpr auto relay_shape_rules() {
    using namespace dsl;
    using namespace detail;
    return rule_book(
        rule<"reshape", exactness::exact>(op<"reshape", "contrib_reverse_reshape", "dyn.reshape">, by_site<relay_reshape>{}),
        rule<"broadcast_to", exactness::exact>(op<"broadcast_to", "broadcast_to_like", "dyn.broadcast_to">, by_site<relay_broadcast>{}),
        rule<"transpose", exactness::exact>(op<"transpose">, by_site<relay_transpose>{}),
        rule<"squeeze", exactness::exact>(op<"squeeze", "dyn.squeeze">, by_site<relay_squeeze>{}),
        rule<"expand_dims", exactness::exact>(op<"expand_dims", "dyn.expand_dims">, by_site<relay_expand_dims>{}),
        rule<"joined", overlap::duplicate, exactness::exact>(op<"concatenate", "stack">(tuple(any_reached, rest)), by_site<relay_joined>{}),
        rule<"split", overlap::duplicate, exactness::exact>(any_field(op<"split">(any_reached)), by_site<relay_split>{}),
        rule<"strided_slice", exactness::exact>(op<"strided_slice", "dyn.strided_slice">, by_site<relay_strided_slice>{}),
        rule<"pad", exactness::exact>(op<"nn.pad", "dyn.nn.pad", "nn.mirror_pad">, by_site<relay_pad>{}),
        rule<"reduction", exactness::bounded>(op<"sum", "mean", "max", "min", "prod", "all", "any", "variance">,
                                              by_site<relay_reduction>{}),
        rule<"arg_reduction", exactness::exact>(op<"argmax", "argmin">, by_site<relay_arg_reduction>{}),
        rule<"take", exactness::exact>(op<"take">, by_site<relay_take>{}),
        rule<"reshape_like", exactness::exact>(op<"reshape_like">, by_site<relay_reshape_like>{}),
        rule<"full", exactness::exact>(op<"full", "zeros", "ones", "dyn.full", "dyn.zeros", "dyn.ones">, by_site<relay_full>{}),
        rule<"arange", exactness::exact>(op<"arange">, by_site<relay_arange>{}),
        rule<"extents", exactness::exact>(op<"shape_of", "ndarray_size">, by_site<relay_extents>{}),
        rule<"gather", exactness::exact>(op<"gather", "gather_nd", "scatter_elements", "scatter_nd">, by_site<relay_gather>{}),
        rule<"repeated", exactness::exact>(op<"tile", "dyn.tile", "repeat", "reverse", "reverse_sequence">, by_site<relay_repeated>{}),
        rule<"slice_like", exactness::exact>(op<"slice_like">, by_site<relay_slice_like>{}),
        rule<"one_hot", exactness::exact>(op<"one_hot", "dyn.one_hot">, by_site<relay_one_hot>{}),
        rule<"running_sum", exactness::bounded>(op<"cumsum">, by_site<relay_running_sum>{}),
        rule<"sorted", overlap::duplicate, exactness::exact>(any_field(op<"topk", "dyn.topk">(any_reached, rest)), by_site<relay_sorted>{}),
        rule<"sorted_alone", exactness::exact>(op<"topk", "dyn.topk">, by_site<relay_sorted_alone>{}),
        rule<"sort", exactness::exact>(op<"argsort", "sort">, by_site<relay_sorted>{}),
        rule<"trilu", exactness::exact>(op<"trilu">, by_site<relay_trilu>{}),
        rule<"einsum", exactness::bounded>(op<"einsum">(tuple(any_reached, rest)), by_site<relay_einsum>{}),
        rule<"layout_transform", exactness::exact>(op<"layout_transform">, by_site<relay_layout_transform>{}));
}

}  // namespace inlay

#endif
