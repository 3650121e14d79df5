// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/lower.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/lower/attention.hpp>
#include <inlay/loops/lower/elementwise.hpp>
#include <inlay/loops/lower/generation.hpp>
#include <inlay/loops/lower/movement.hpp>
#include <inlay/loops/lower/normalizations.hpp>
#include <inlay/loops/lower/products.hpp>
#include <inlay/loops/lower/quantization.hpp>
#include <inlay/loops/lower/reductions.hpp>
#include <inlay/loops/lower/resizing.hpp>
#include <inlay/loops/lower/windows.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/task_text.hpp>

#include "lowered_alike.hpp"

using namespace inlay;

TEST_CASE("a small network comes out of one nest as out of the interpreter [loops.lower.network]") {
    const bool holds = rc::check([] {
        const tensor x = lowered::random_floats({1, 3, 8, 8}), w = lowered::random_floats({4, 3, 3, 3}),
                     v = lowered::random_floats({4, 1, 3, 3}), d = lowered::random_floats({4, 5});
        RC_ASSERT(lowered::difference(
                      {x, w, v, d},
                      [](ir_builder& g, const std::vector<node_id>& in) {
                          const attribute_map pads{{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}};
                          attribute_map grouped = pads;
                          grouped.set("group", std::int64_t{4});
                          const node_id first = g.call("onnx.Relu", {g.call("onnx.Conv", {in[0], in[1]}, pads)});
                          const node_id second =
                              g.call("onnx.Add", {g.call("onnx.HardSwish", {g.call("onnx.Conv", {first, in[2]}, grouped)}), first});
                          const node_id flat = g.call("onnx.Flatten", {g.call("onnx.GlobalAveragePool", {second})});
                          return g.call("onnx.Softmax", {g.call("onnx.Gemm", {flat, in[3]})});
                      },
                      nullptr, 1e-3) == "");
    });
    CHECK(holds);
}

TEST_CASE("what has no nest is said by operator [loops.lower.refused]") {
    const auto of = [](const char* op, const std::vector<tensor>& inputs) {
        return lowered::difference(inputs, [&](ir_builder& g, const std::vector<node_id>& in) { return g.call(op, in); });
    };
    CHECK(of("onnx.NonZero", {tensor(element_type::float32, {2})}).find("no loop nest") != std::string::npos);
    CHECK(of("onnx.Gather", {tensor(element_type::float32, {2}), tensor(element_type::int64, {2})}) ==
          "onnx.Gather: elements whose places are computed have no loop nest");
    CHECK(of("onnx.Hardmax", {tensor(element_type::float32, {2})}) ==
          "the operator 'onnx.Hardmax' has no loop nest: they sort, or choose among equals by their order");
    CHECK(lowering_of("onnx.Conv") != nullptr);
    CHECK(lowering_of("Conv") == nullptr);
}

TEST_CASE("a value that stages hand on and read again does not double either [loops.lower.doubling]") {
    tensor x(element_type::float32, {2, 2}), w(element_type::float32, {2, 2});
    x.as<float>()[1] = 1;
    for (float& v : w.as<float>()) v = 0.25f;
    CHECK(lowered::difference({x, w}, [](ir_builder& g, const std::vector<node_id>& in) {
              node_id now = in[0];
              for (int i = 0; i < 26; ++i)
                  now = g.call("onnx.Tanh", {g.call("onnx.Add", {g.call("onnx.MatMul", {now, in[1]}), g.call("onnx.Sub", {now, in[0]})})});
              return now;
          }) == "");
}

namespace {
using extents = std::vector<std::int64_t>;

/// One call: operands that are inputs of the program, or constants of it.
struct small_call {
    std::string op;
    std::vector<tensor> inputs;
    std::vector<tensor> constants = {};  // behind the inputs
    attribute_map attributes = {};
    std::size_t results = 1;  // taken together, each by a projection, if there are several
    node_type type = {};
};

tensor filled(element_type e, const extents& shape) {
    tensor t(e, shape);
    std::int64_t i = 0;
    const auto fill = [&](auto values) {
        for (auto& v : values) v = static_cast<std::remove_reference_t<decltype(v)>>(i++ % 5);
    };
    switch (e) {
        case element_type::float32:
            for (float& v : t.as<float>()) v = static_cast<float>(i++ % 7) / 8 + 0.125f;
            return t;
        case element_type::boolean:
            for (bool& v : t.as<bool>()) v = i++ % 2 == 0;
            return t;
        case element_type::int32:
            fill(t.as<std::int32_t>());
            return t;
        case element_type::int64:
            fill(t.as<std::int64_t>());
            return t;
        case element_type::int8:
            fill(t.as<std::int8_t>());
            return t;
        default:
            fill(t.as<std::uint8_t>());
            return t;
    }
}
tensor listed(const extents& values) { return tensor::of({static_cast<std::int64_t>(values.size())}, values); }
tensor whole(std::int64_t value) { return tensor::of<std::int64_t>({}, {value}); }

/// Calls of all operators that take a tensor of these extents.
class small_calls {
public:
    explicit small_calls(extents shape) : shape_(std::move(shape)), rank_(shape_.size()), x_(filled(f, shape_)) {}

    [[nodiscard]] std::vector<small_call> all() && {
        elementwise();
        moved();
        generated();
        reduced();
        if (rank_ > 0) products();
        if (rank_ > 1) normalized();
        if (rank_ > 2) windowed();
        quantized();
        return std::move(all_);
    }

private:
    static constexpr element_type f = element_type::float32;

    void add(std::string_view op, std::vector<tensor> inputs, std::vector<tensor> constants = {}, attribute_map attributes = {}) {
        all_.push_back({"onnx." + std::string(op), std::move(inputs), std::move(constants), std::move(attributes), 1, {}});
    }
    void add_several(std::string_view op, std::vector<tensor> inputs, std::vector<tensor> constants, attribute_map attributes,
                     std::vector<extents> shapes) {
        std::vector<node_type> fields;
        for (const extents& s : shapes) fields.emplace_back(tensor(f, s).type());
        all_.push_back({"onnx." + std::string(op), std::move(inputs), std::move(constants), std::move(attributes), shapes.size(),
                        node_type::tuple(std::move(fields))});
    }
    [[nodiscard]] extents with(std::size_t axis, std::int64_t extent) const {
        extents made = shape_;
        made[axis] = extent;
        return made;
    }
    [[nodiscard]] std::int64_t last() const { return shape_.back(); }

    void elementwise() {
        for (const char* op : {"Abs",        "Neg",       "Exp",       "Log",
                               "Sqrt",       "Sin",       "Cos",       "Tan",
                               "Asin",       "Acos",      "Atan",      "Sinh",
                               "Cosh",       "Asinh",     "Acosh",     "Tanh",
                               "Atanh",      "Erf",       "Floor",     "Ceil",
                               "Round",      "Sign",      "Relu",      "IsNaN",
                               "IsInf",      "Elu",       "Celu",      "Reciprocal",
                               "Identity",   "LeakyRelu", "HardSwish", "Mish",
                               "Gelu",       "Selu",      "Clip",      "Sum",
                               "Mean",       "Softplus",  "Softsign",  "Sigmoid",
                               "Shrink",     "Max",       "Min",       "ThresholdedRelu",
                               "HardSigmoid"})
            add(op, {x_});
        add("Not", {filled(element_type::boolean, shape_)});
        add("BitwiseNot", {filled(element_type::uint8, shape_)});
        add("Cast", {x_}, {}, {{"to", std::int64_t{7}}});
        add("CastLike", {x_, filled(element_type::int32, {1})});
        add_several("Dropout", {x_}, {}, {}, {shape_});
        const auto both = [&](std::initializer_list<const char*> ops, element_type e, const attribute_map& attributes = {}) {
            for (const char* op : ops) {
                add(op, {filled(e, shape_), filled(e, shape_)}, {}, attributes);
                add(op, {filled(e, shape_), filled(e, {})}, {}, attributes);
                add(op, {filled(e, {1, 1}), filled(e, shape_)}, {}, attributes);
                for (std::size_t axis = 0; axis < rank_; ++axis) add(op, {filled(e, with(axis, 1)), filled(e, shape_)}, {}, attributes);
            }
        };
        both({"Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual"},
             f);
        both({"And", "Or", "Xor"}, element_type::boolean);
        both({"BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mod"}, element_type::uint8);
        both({"BitShift"}, element_type::uint8, {{"direction", std::string("LEFT")}});
        add("PRelu", {x_, filled(f, {1})});
        add("Where", {filled(element_type::boolean, shape_), x_, filled(f, {1})});
    }

    void moved() {
        add("Transpose", {x_});
        const auto count = static_cast<std::int64_t>(x_.count());
        add("Reshape", {x_}, {listed({1, count})}, {{"allowzero", std::int64_t{1}}});
        add("Reshape", {x_}, {listed({count})}, {{"allowzero", std::int64_t{1}}});
        for (std::size_t axis = 0; axis <= rank_; ++axis) add("Flatten", {x_}, {}, {{"axis", static_cast<std::int64_t>(axis)}});
        add("Unsqueeze", {x_}, {listed({0})});
        extents target{2}, times(rank_, 2);
        target.insert(target.end(), shape_.begin(), shape_.end());
        add("Expand", {x_}, {listed(target)});
        add("Tile", {x_}, {listed(times)});
        if (rank_ > 0) {
            times.front() = 0;
            add("Tile", {x_}, {listed(times)});
        }
        for (std::size_t d = 0; d < rank_; ++d) {
            const auto axis = static_cast<std::int64_t>(d);
            const attribute_map along{{"axis", axis}};
            if (shape_[d] == 1) add("Squeeze", {x_}, {listed({axis})});
            add("Concat", {x_}, {}, along);
            for (const std::int64_t other : {0, 1, 2})
                for (const bool is_first : {false, true}) {
                    const tensor part = filled(f, with(d, other));
                    add("Concat", {is_first ? part : x_, is_first ? x_ : part, filled(f, with(d, 1)), filled(f, with(d, 0))}, {}, along);
                }
            for (const std::int64_t step : {-2, -1, 1, 2})
                for (const auto& [first, end] : {std::pair<std::int64_t, std::int64_t>{0, 9}, {9, -9}, {1, 2}, {2, 1}, {-1, -9}, {0, 0}})
                    add("Slice", {x_}, {listed({first}), listed({end}), listed({axis}), listed({step})});
            add_several("Split", {x_}, {listed({0, shape_[d]})}, along, {with(d, 0), shape_});
            if (shape_[d] > 0) add_several("Split", {x_}, {listed({1, shape_[d] - 1})}, along, {with(d, 1), with(d, shape_[d] - 1)});
            for (const char* mode : {"constant", "edge", "reflect", "wrap"})
                for (const auto& [before, after] :
                     {std::pair<std::int64_t, std::int64_t>{0, 1}, {1, 0}, {1, 1}, {2, 3}, {-1, 2}, {0, -1}, {-1, -1}}) {
                    extents pads(2 * rank_, 0);
                    pads[d] = before;
                    pads[rank_ + d] = after;
                    add("Pad", {x_}, {listed(pads)}, {{"mode", std::string(mode)}});
                }
            add("Gather", {x_}, {tensor(element_type::int64, {0})}, along);
            add("Gather", {x_}, {tensor(element_type::int64, {2, 0})}, along);
            if (shape_[d] > 0) add("Gather", {x_}, {whole(-1)}, along);
            if (shape_[d] > 0) add("Gather", {x_}, {listed({-1, 0, 0})}, along);
            if (shape_[d] > 0) add("Gather", {x_}, {tensor::of<std::int64_t>({2, 1}, {shape_[d] - 1, 0})}, along);
            for (const std::int64_t extent : {1, 2, 4})
                for (const char* mode : {"nearest", "linear", "cubic"})
                    for (const char* coordinates : {"half_pixel", "align_corners"})
                        all_.push_back(resized(with(d, extent), mode, coordinates));
        }
        if (rank_ == 4)
            for (const char* mode : {"DCR", "CRD"}) {
                const tensor deep = filled(f, {shape_[0], 4 * shape_[1], shape_[2], shape_[3]});
                const tensor wide = filled(f, {shape_[0], shape_[1], 2 * shape_[2], 2 * shape_[3]});
                add("DepthToSpace", {deep}, {}, {{"blocksize", std::int64_t{2}}, {"mode", std::string(mode)}});
                add("DepthToSpace", {x_}, {}, {{"blocksize", std::int64_t{1}}, {"mode", std::string(mode)}});
                if (std::string(mode) == "DCR") add("SpaceToDepth", {wide}, {}, {{"blocksize", std::int64_t{2}}});
            }
    }
    [[nodiscard]] small_call resized(const extents& to, const char* mode, const char* coordinates) const {
        return {"onnx.Resize",
                {x_},
                {tensor(f, {0}), tensor(f, {0}), listed(to)},
                {{"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string(coordinates)}},
                1,
                {}};
    }

    void generated() {
        if (rank_ < 2) {
            for (const std::int64_t limit : {-1, 0, 1, 2}) add("Range", {}, {whole(0), whole(limit), whole(1)});
            add("Range", {}, {whole(2), whole(0), whole(-1)});
        }
        add("ConstantOfShape", {}, {listed(shape_)});
        add("OneHot", {filled(element_type::int64, shape_)}, {whole(0), filled(f, {2})});
        add("OneHot", {filled(element_type::int64, shape_)}, {whole(1), filled(f, {2})}, {{"axis", std::int64_t{0}}});
        add("OneHot", {filled(element_type::int64, shape_)}, {whole(3), filled(f, {2})});
        if (rank_ == 2)
            for (const std::int64_t k : {-3, -1, 0, 1, 3}) add("EyeLike", {x_}, {}, {{"k", k}});
        if (rank_ > 1)
            for (const std::int64_t k : {-3, -1, 0, 1, 3})
                for (const std::int64_t upper : {0, 1}) add("Trilu", {x_}, {whole(k)}, {{"upper", upper}});
    }

    void reduced() {
        for (const std::int64_t keepdims : {0, 1})
            for (const char* op : {"ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin", "ReduceSumSquare", "ReduceL1",
                                   "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"}) {
                add(op, {x_}, {}, {{"keepdims", keepdims}});
                for (std::size_t axis = 0; axis < rank_; ++axis)
                    add(op, {x_}, {listed({static_cast<std::int64_t>(axis)})}, {{"keepdims", keepdims}});
            }
        for (std::size_t d = 0; d < rank_; ++d) {
            const auto axis = static_cast<std::int64_t>(d);
            for (const std::int64_t keepdims : {0, 1})
                for (const std::int64_t takes_last : {0, 1})
                    for (const char* op : {"ArgMax", "ArgMin"})
                        add(op, {x_}, {}, {{"axis", axis}, {"keepdims", keepdims}, {"select_last_index", takes_last}});
            for (const std::int64_t exclusive : {0, 1})
                for (const std::int64_t reverse : {0, 1})
                    add("CumSum", {x_}, {whole(axis)}, {{"exclusive", exclusive}, {"reverse", reverse}});
            add("Softmax", {x_}, {}, {{"axis", axis}});
            add("LogSoftmax", {x_}, {}, {{"axis", axis}});
            add("LpNormalization", {x_}, {}, {{"axis", axis}, {"p", std::int64_t{1}}});
            add("LpNormalization", {x_}, {}, {{"axis", axis}});
        }
    }

    void products() {
        for (const std::int64_t n : {0, 1, 2}) add("MatMul", {x_, filled(f, {last(), n})});
        add("MatMul", {x_, filled(f, {last()})});
        if (rank_ == 2) {
            add("MatMul", {filled(f, {shape_[0]}), x_});
            add("Gemm", {x_, filled(f, {last(), 2}), filled(f, {2})});
            add("Gemm", {x_, filled(f, {1, last()}), filled(f, {})}, {}, {{"transB", std::int64_t{1}}});
            add("Gemm", {x_, filled(f, {0, last()})}, {}, {{"transB", std::int64_t{1}}});
            add("Gemm", {x_, filled(f, {shape_[0], 1}), filled(f, {last(), 1})}, {}, {{"transA", std::int64_t{1}}});
            add("Einsum", {x_, filled(f, {last(), 2})}, {}, {{"equation", std::string("ij,jk->ik")}});
            add("Einsum", {x_}, {}, {{"equation", std::string("ij->ji")}});
            add("Einsum", {x_}, {}, {{"equation", std::string("ij->")}});
        }
        if (rank_ == 3) add("MatMul", {x_, filled(f, {shape_[0], last(), 1})});
        if (rank_ == 4)
            for (const std::int64_t is_causal : {0, 1})
                for (const std::int64_t keys : {1, 2})
                    add("Attention",
                        {x_, filled(f, {shape_[0], shape_[1], keys, shape_[3]}), filled(f, {shape_[0], shape_[1], keys, shape_[3]})}, {},
                        {{"is_causal", is_causal}});
    }

    void normalized() {
        const extents by_channel{shape_[1]};
        const auto channels = [&] { return filled(f, by_channel); };
        add_several("BatchNormalization", {x_, channels(), channels(), channels(), channels()}, {}, {}, {shape_});
        if (shape_[1] > 0)
            for (const std::int64_t groups : {std::int64_t{1}, shape_[1]})
                add("GroupNormalization", {x_, channels(), channels()}, {}, {{"num_groups", groups}});
        add("InstanceNormalization", {x_, channels(), channels()});
        for (const std::int64_t size : {1, 2, 3, 5}) add("LRN", {x_}, {}, {{"size", size}});
        add("MeanVarianceNormalization", {x_}, {}, {{"axes", extents{0, 1}}});
        add_several("LayerNormalization", {x_, filled(f, {last()}), filled(f, {last()})}, {}, {}, {shape_});
        add_several("LayerNormalization", {x_, filled(f, {1})}, {}, {}, {shape_});
        add("RMSNormalization", {x_, filled(f, {last()})});
    }

    void windowed() {
        const std::size_t spatial = rank_ - 2;
        const std::int64_t channels = shape_[1];
        add("GlobalAveragePool", {x_});
        add("GlobalMaxPool", {x_});
        add("GlobalLpPool", {x_});
        for (const std::int64_t kernel : {1, 3})
            for (const std::int64_t pad : {0, 2})
                for (const std::int64_t step : {1, 2}) {
                    const extents sizes(spatial, kernel), pads(2 * spatial, pad), strides(spatial, step);
                    const attribute_map plain{{"pads", pads}, {"strides", strides}};
                    attribute_map pooled = plain;
                    pooled.set("kernel_shape", sizes);
                    for (const char* op : {"MaxPool", "AveragePool", "LpPool"}) {
                        add(op, {x_}, {}, pooled);
                        attribute_map round_up = pooled;
                        round_up.set("ceil_mode", std::int64_t{1});
                        add(op, {x_}, {}, round_up);
                    }
                    const auto weight = [&](std::int64_t out, std::int64_t in) {
                        extents made{out, in};
                        made.insert(made.end(), sizes.begin(), sizes.end());
                        return made;
                    };
                    if (rank_ > 4) continue;
                    for (const std::int64_t filters : {1, 2}) {
                        add("Conv", {x_, filled(f, weight(filters, channels)), filled(f, {filters})}, {}, plain);
                        add("ConvTranspose", {x_, filled(f, weight(channels, filters))}, {}, plain);
                        add("ConvInteger", {filled(element_type::uint8, shape_), filled(element_type::uint8, weight(filters, channels))},
                            {}, plain);
                        const tensor scale = filled(f, {}), zero = filled(element_type::uint8, {});
                        add("QLinearConv",
                            {filled(element_type::uint8, shape_), scale, zero, filled(element_type::uint8, weight(filters, channels)),
                             scale, zero, scale, zero},
                            {}, plain);
                    }
                }
    }

    void quantized() {
        const tensor scale = filled(f, {}), zero = filled(element_type::uint8, {}), bytes = filled(element_type::uint8, shape_);
        add("QuantizeLinear", {x_, scale, zero});
        add("DequantizeLinear", {bytes, scale, zero});
        for (std::size_t d = 0; d < rank_; ++d) {
            const attribute_map along{{"axis", static_cast<std::int64_t>(d)}};
            add("QuantizeLinear", {x_, filled(f, {shape_[d]}), filled(element_type::uint8, {shape_[d]})}, {}, along);
            add("DequantizeLinear", {bytes, filled(f, {shape_[d]}), filled(element_type::uint8, {shape_[d]})}, {}, along);
        }
        if (rank_ == 0) return;
        for (const std::int64_t n : {0, 1, 2}) {
            const tensor other = filled(element_type::uint8, {last(), n});
            add("MatMulInteger", {bytes, other, zero, zero});
            add("QLinearMatMul", {bytes, scale, zero, other, scale, zero, scale, zero});
        }
    }

    extents shape_;
    std::size_t rank_;
    tensor x_;
    std::vector<small_call> all_;
};

/// Each shape of rank up to 3 whose extents are 0, 1 and 2, and some of rank 4 and 5.
std::vector<extents> small_shapes() {
    std::vector<extents> all{{},
                             {9},
                             {9, 2},
                             {2, 9},
                             {3, 3},
                             {2, 2, 2, 2},
                             {1, 1, 1, 1},
                             {1, 2, 1, 3},
                             {2, 1, 3, 1},
                             {0, 1, 2, 2},
                             {1, 0, 2, 1},
                             {1, 1, 0, 2},
                             {2, 2, 1, 0},
                             {1, 1, 1, 1, 1},
                             {1, 2, 1, 2, 1},
                             {0, 1, 1, 2, 1},
                             {1, 1, 2, 0, 1}};
    for (std::int64_t a = 0; a < 3; ++a) {
        all.push_back({a});
        for (std::int64_t b = 0; b < 3; ++b) {
            all.push_back({a, b});
            for (std::int64_t c = 0; c < 3; ++c) all.push_back({a, b, c});
        }
    }
    return all;
}
}  // namespace

TEST_CASE("each lowering holds at extents of 0 and 1, and its C compiles [loops.lower.small]") {
    std::map<std::string, std::size_t> nests_of;
    std::vector<loop_nest> nests;
    for (const extents& shape : small_shapes())
        for (const small_call& call : small_calls(shape).all()) {
            const lowered::trial made = lowered::trial_of(call.inputs, [&](ir_builder& g, std::vector<node_id> operands) {
                for (const tensor& t : call.constants) operands.push_back(g.constant(t));
                const node_id whole = g.call(call.op, operands, call.attributes, call.type);
                if (call.type == node_type{}) return whole;
                std::vector<node_id> parts;
                for (std::size_t i = 0; i < call.results; ++i) parts.push_back(g.projection(whole, i));
                return parts.size() == 1 ? parts.front() : g.tuple(parts);
            });
            if (!made.is_lowered) continue;
            INFO(call.op << " on " << to_string(tensor(element_type::float32, shape).type()));
            CHECK(made.difference == "");
            // Of each operator, the compiler gets one nest in so many.
            constexpr std::size_t stride = 61;
            if (nests_of[call.op]++ % stride != 0 || !made.difference.empty()) continue;
            nests.push_back(made.nest);
            nests.back().name += "_" + std::to_string(nests.size());
        }
    const auto each_has_one = [&](std::span<const lowering_entry> table) {
        for (const lowering_entry& e : table) CHECK_MESSAGE(nests_of.count(std::string(e.op)) == 1, e.op);
    };
    each_has_one(detail::attention_lowerings());
    each_has_one(detail::elementwise_lowerings());
    each_has_one(detail::generation_lowerings());
    each_has_one(detail::movement_lowerings());
    each_has_one(detail::normalization_lowerings());
    each_has_one(detail::product_lowerings());
    each_has_one(detail::quantization_lowerings());
    each_has_one(detail::reduction_lowerings());
    each_has_one(detail::resizing_lowerings());
    each_has_one(detail::window_lowerings());
    const auto text = to_tasks(nests);
    REQUIRE(text);
    const auto code = compile({source_language::c99, text->text, {"-O1", "-Wall", "-Wextra", "-Werror"}, {}, {}, 120});
    CHECK_MESSAGE(code, code.failure().message);
}
