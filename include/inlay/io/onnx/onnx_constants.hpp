// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_CONSTANTS_HPP
#define INLAY_IO_ONNX_ONNX_CONSTANTS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/attribute_proto.hpp>
#include <inlay/io/onnx/import_options.hpp>
#include <inlay/io/onnx/onnx_call.hpp>
#include <inlay/io/onnx/onnx_tensors.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/attributes/movement_attributes.hpp>

namespace inlay::detail {

/// Makes constants of what a model holds. What inlay's tensors cannot hold becomes a call that no operator set knows, so that it is named
/// with all that is not supported, and not alone.
class onnx_constants {
public:
    onnx_constants(onnx_emitter& emitter, const import_options& options) : emitter_(emitter), options_(options) {}

    node_id unsupported(const std::string& what, std::string_view name) {
        onnx_call c;
        c.op = "Constant";
        c.name = name;
        c.attributes.set(attribute_name<&constant_attributes::holds>, what);
        return emitter_.emit(std::move(c));
    }

    [[nodiscard]] outcome<node_id> of_tensor(onnx::TensorProto& t, std::string_view name, after_reading then) {
        if (!can_hold(t))
            return unsupported(
                t.data_type() == onnx::TensorProto_DataType_STRING ? "strings" : "element type " + std::to_string(t.data_type()), name);
        const auto value = take_tensor(t, quoted_text(name), options_.external_data, then);
        if (!value) return value.failure();
        return emitter_.builder().constant(*value, name);
    }

    /// A sparse tensor as a dense one.
    [[nodiscard]] outcome<node_id> of_sparse(onnx::SparseTensorProto& t, std::string_view name, after_reading then) {
        if (!can_hold(t.values()) || !in_force<"io.onnx.sparse">()) return unsupported("a sparse tensor", name);
        const auto value = take_sparse(t, quoted_text(name), options_.external_data, then);
        if (!value) return value.failure();
        return emitter_.builder().constant(*value, name);
    }

    /// What the one attribute of a Constant holds; nothing where it is no such attribute.
    [[nodiscard]] outcome<std::optional<node_id>> of_attribute(onnx::AttributeProto& a, const std::string& name, after_reading then) {
        using proto = onnx::AttributeProto;
        using made = std::optional<node_id>;
        ir_builder& builder = emitter_.builder();
        switch (form_of(a)) {
            case proto::TENSOR: {
                const auto constant = of_tensor(*a.mutable_t(), name, then);
                if (!constant) return constant.failure();
                return made(*constant);
            }
            case proto::FLOAT:
                return made(builder.constant(tensor::scalar(a.f()), name));
            case proto::INT:
                return made(builder.constant(tensor::scalar(static_cast<std::int64_t>(a.i())), name));
            case proto::FLOATS:
                return made(
                    builder.constant(tensor::of({a.floats_size()}, std::vector<float>(a.floats().begin(), a.floats().end())), name));
            case proto::INTS:
                return made(emitter_.integers({a.ints().begin(), a.ints().end()}, name));
            case proto::STRING:
            case proto::STRINGS:
                return made(unsupported("strings", name));
            case proto::SPARSE_TENSOR: {
                const auto constant = of_sparse(*a.mutable_sparse_tensor(), name, then);
                if (!constant) return constant.failure();
                return made(*constant);
            }
            default:
                return made();
        }
    }

private:
    onnx_emitter& emitter_;
    const import_options& options_;
};

}  // namespace inlay::detail

#endif
