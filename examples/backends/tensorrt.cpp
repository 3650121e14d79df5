// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
// TensorRT as a back end that arrives as a library: its kind, options and patterns, so that `cuda -compiler=tensorrt` reads, `inlay
// targets` lists it and `inlay why` says of each node whether it would be claimed. It makes no code: NVIDIA's library is closed, and who
// has it writes `emit` with its builder. Where libnvinfer is missing, which `usable` finds out, it takes no part.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>

#include <inlay/backend/plugin/export_backend.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/candidate/match_view.hpp>
#include <inlay/codegen/declare/backend.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/target/option.hpp>

namespace {

using namespace inlay;

/// Whether all tensors of a match are of an element type that the precision allows, and have at most five axes behind the batch.
struct of_precision {
    template <class B, class Match>
    verdict operator()(const B& self, const Match& m) const {
        for (const region_value& v : m.region().values) {
            if (v.kind == region_value::role::absent || !v.type->is_tensor()) continue;
            const tensor_type& t = v.type->of_tensor;
            if (t.extents.size() > 6) return verdict::no("TensorRT takes at most five axes behind the batch, not " + to_string(t));
            const bool fits = t.element == element_type::float32 || t.element == element_type::int32 || t.element == element_type::int64 ||
                              (t.element == element_type::float16 && self.precision != "float32");
            if (!fits) return verdict::no("with -precision=" + self.precision + " it takes no " + to_string(t));
        }
        return verdict::yes();
    }
};

struct tensorrt {
    static constexpr std::string_view kind = "tensorrt", refines = "cuda";
    static constexpr device_type device = device_type::cuda;

    std::string precision = "float32", library = "libnvinfer.so.10";
    std::int64_t workspace_mb = 1024;
    bool sparse = false;
    using options = option_list<option<"precision", &tensorrt::precision, "float32, float16 or int8: the least that layers may run in">,
                                option<"workspace_mb", &tensorrt::workspace_mb, "megabytes of the device that layers may use">,
                                option<"sparse", &tensorrt::sparse, "look for weights of which two in four are zero">,
                                option<"library", &tensorrt::library, "the file of TensorRT's library">>;

    [[nodiscard]] static std::string version() { return "declared"; }
    [[nodiscard]] outcome<void> usable() const {
        if (precision != "float32" && precision != "float16" && precision != "int8")
            return error{"option '-precision' takes float32, float16 or int8, not " + quoted_text(precision)};
        void* const found = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (found == nullptr) return error{"TensorRT's library " + quoted_text(library) + " is not installed"};
        ::dlclose(found);
        return error{"this library declares what TensorRT takes and makes no code; build it with TensorRT's headers and an `emit`"};
    }

    [[nodiscard]] static constexpr auto patterns() {
        using namespace dsl;
        constexpr of_precision when{};
        constexpr auto linear = op<"onnx.Conv", "onnx.ConvTranspose", "onnx.Gemm", "onnx.MatMul">;
        constexpr auto activation = op<"onnx.Relu", "onnx.Clip", "onnx.LeakyRelu", "onnx.Sigmoid", "onnx.Tanh">;
        return pattern_table(
            composite<"linear_add_activation">(activation(commutative<"onnx.Add">(linear, any)), when),
            composite<"linear_activation">(activation(linear), when), composite<"linear">(linear, when),
            composite<"activation">(activation, when),
            composite<"elementwise">(op<"onnx.Add", "onnx.Sub", "onnx.Mul", "onnx.Div", "onnx.Max", "onnx.Min", "onnx.Pow", "onnx.Exp",
                                        "onnx.Log", "onnx.Sqrt", "onnx.Erf", "onnx.HardSwish", "onnx.HardSigmoid">,
                                     when),
            composite<"pool">(op<"onnx.MaxPool", "onnx.AveragePool", "onnx.GlobalAveragePool">, when),
            composite<"rows">(op<"onnx.Softmax", "onnx.ReduceMean", "onnx.ReduceSum", "onnx.LayerNormalization">, when),
            composite<"move">(op<"onnx.Reshape", "onnx.Transpose", "onnx.Concat", "onnx.Slice", "onnx.Flatten">, when));
    }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
    [[nodiscard]] outcome<kernel> emit(const region_view&) const { return usable().failure(); }
};

}  // namespace

INLAY_EXPORT_BACKEND(tensorrt)
