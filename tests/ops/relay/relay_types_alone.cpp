// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/relay/relay_types_alone.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sample_relay_call.hpp"

using namespace inlay;
using namespace inlay_test;

namespace {

template <class Rule>
std::string type_of(Rule rule, std::string_view op, const std::vector<node_type>& operands, const attribute_map& how = {}) {
    std::vector<const node_type*> types;
    for (const node_type& t : operands) types.push_back(&t);
    const std::vector<const tensor*> constants(types.size());
    const auto made = rule(call_view{op, &how, types, constants, 1});
    return made ? to_string(*made) : made.failure().message;
}
const node_type image = tensor_type(element_type::float32, {1, 3, 4, 6});

}  // namespace

TEST_CASE("operators without a meaning have types [ops.relay.types]") {
    CHECK(type_of(detail::infer_relay_second, "nn.fifo_buffer", {tensor_type(element_type::float32, {1, 2}), image}) == to_string(image));
    CHECK(type_of(detail::infer_relay_loss, "nn.cross_entropy", {image, image}) == "float32[]");
    CHECK(type_of(detail::infer_relay_argwhere, "argwhere", {image}) == "int32[?,4]");
    CHECK(type_of(detail::infer_relay_requantized, "qnn.quantize", {image}) == "int8[1,3,4,6]");
    CHECK(type_of(detail::infer_relay_requantized, "qnn.dequantize", {tensor_type(element_type::uint8, {2})}) == "float32[2]");
    CHECK(type_of(detail::infer_relay_upsampled, "nn.upsampling", {image}, {{"scale_h", std::int64_t{2}}, {"scale_w", 1.5}}) ==
          "float32[1,3,8,9]");
    CHECK(type_of(detail::infer_relay_searchsorted, "searchsorted", {image, tensor_type(element_type::float32, {5})}) == "int32[5]");
}

TEST_CASE("quantised, random, sparse and vision operators have types [ops.relay.types]") {
    const auto of = [](std::string_view op, const std::vector<node_type>& operands, const attribute_map& how = {}) {
        return relay_type(op, operands, how);
    };
    using ints = std::vector<std::int64_t>;
    const node_type bytes = tensor_type(element_type::int8, {1, 3, 4, 6}), one = tensor_type(element_type::float32, shape()),
                    zero = tensor_type(element_type::int32, shape());
    CHECK(of("qnn.add", {bytes, tensor_type(element_type::int8, {5, 3, 1, 1}), one, zero, one, zero, one, zero}) == "int8[5,3,4,6]");
    CHECK(of("qnn.add", {bytes, tensor_type(element_type::int8, {2, 6}), one, zero, one, zero, one, zero}).find("do not broadcast") !=
          std::string::npos);
    CHECK(of("qnn.mul", {tensor_type(element_type::int8), bytes}) == "int8[*]");
    CHECK(of("qnn.tanh", {bytes, one, zero, one, zero}) == to_string(bytes));
    CHECK(of("qnn.dense", {tensor_type(element_type::int8, {2, 8}), tensor_type(element_type::int8, {5, 8}), zero, zero, one, one}) ==
          "int32[2,5]");
    CHECK(of("qnn.batch_matmul", {tensor_type(element_type::int8, {7, 2, 8}), tensor_type(element_type::int8, {7, 5, 8})},
             {{"out_dtype", std::string("int16")}}) == "int16[7,2,5]");
    CHECK(of("qnn.conv2d", {bytes, tensor_type(element_type::int8, {8, 3, 3, 3}), zero, zero, one, one},
             {{"padding", ints{1, 1}}, {"channels", std::int64_t{8}}, {"kernel_size", ints{3, 3}}, {"out_dtype", std::string("int32")}}) ==
          "int32[1,8,4,6]");
    const node_type key = tensor_type(element_type::uint64, {10});
    CHECK(of("random.threefry_generate", {key}, {{"out_shape", ints{2, 3}}}) == "(uint64[10], uint64[2,3])");
    CHECK(of("random.uniform", {key, one, one}, {{"out_shape", ints{}}, {"out_dtype", std::string("float64")}}) ==
          "(uint64[10], float64[])");
    CHECK(of("random.normal", {key, one, one}, {{"out_shape", ints{4}}}) == "(uint64[10], float32[4])");
    CHECK(of("random.threefry_split", {key}) == "(uint64[10], uint64[10])");
    CHECK(of("random.multinomial", {key, tensor_type(element_type::float32, {2, 9})}, {{"num_samples", std::int64_t{3}}}) ==
          "(uint64[10], int32[2,3])");
    const node_type dense = tensor_type(element_type::float32, {4, 16}), index = tensor_type(element_type::int32, {9}),
                    places = tensor_type(element_type::int32, {30});
    CHECK(of("nn.sparse_dense", {dense, tensor_type(element_type::float32, {30}), places, index}) == "float32[4,8]");
    CHECK(of("nn.sparse_dense", {dense, tensor_type(element_type::float32, {30, 2, 1}), places, index}) == "float32[4,16]");
    CHECK(of("nn.sparse_dense", {tensor_type(element_type::float32, {30}), places, index, dense}, {{"sparse_lhs", std::int64_t{1}}}) ==
          "float32[8,4]");
    CHECK(of("nn.sparse_transpose", {tensor_type(element_type::float32, {30}), places, index}) == "(float32[30], int32[30], int32[9])");
    CHECK(of("sparse_to_dense", {places, tensor_type(element_type::float32, {30}), one}, {{"output_shape", ints{40}}}) == "float32[40]");
    CHECK(of("sparse_reshape", {tensor_type(element_type::int64, {30, 2}), tensor_type(element_type::int64, {2}),
                                tensor_type(element_type::int64, {3})}) == "(int64[30,3], int64[3])");
    CHECK(of("vision.multibox_prior", {image}, {{"sizes", std::vector<double>{1, 2}}, {"ratios", std::vector<double>{1, 2, 0.5}}}) ==
          "float32[1,96,4]");
    CHECK(of("vision.multibox_transform_loc", {tensor_type(element_type::float32, {2, 21, 96}), dense, dense}) ==
          "(float32[2,96,6], int32[2])");
    const node_type boxes = tensor_type(element_type::float32, {2, 50, 6});
    CHECK(of("vision.get_valid_counts", {boxes, one}) == "(int32[2], float32[2,50,6], int32[2,50])");
    CHECK(of("vision.non_max_suppression", {boxes, zero, zero, zero, one}, {{"return_indices", std::int64_t{0}}}) == "float32[2,50,6]");
    CHECK(of("vision.non_max_suppression", {boxes, zero, zero, zero, one}) == "(int32[2,50], int32[2,1])");
    CHECK(of("vision.roi_align", {image, tensor_type(element_type::float32, {9, 5})}, {{"pooled_size", ints{7, 5}}}) == "float32[9,3,7,5]");
    CHECK(of("vision.yolo_reorg", {image}, {{"stride", std::int64_t{2}}}) == "float32[1,12,2,3]");
}
