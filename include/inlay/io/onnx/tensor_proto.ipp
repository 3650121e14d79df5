// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_TENSOR_PROTO_IPP
#define INLAY_IO_ONNX_TENSOR_PROTO_IPP

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <inlay/io/onnx/tensor_proto.hpp>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/io/onnx/onnx_tensors.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/io/write_file.hpp>

namespace inlay {

outcome<tensor> read_tensor_proto(std::string_view bytes, std::string* name) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        return error{"the file has more than 2 GB, and a tensor file ends there"};
    onnx::TensorProto proto;
    if (bytes.empty() || !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return error{"the file is no ONNX tensor: it is empty, damaged or cut off"};
    if (name != nullptr) *name = proto.name();
    if (!detail::can_hold(proto)) {
        const bool is_string = proto.data_type() == onnx::TensorProto_DataType_STRING;
        return error{"the file holds " +
                     (is_string ? std::string("strings") : "element type " + std::to_string(proto.data_type()) + " or is no tensor") +
                     ", which is unsupported"};
    }
    return detail::take_tensor(proto, quoted_text(proto.name()), std::nullopt);
}

outcome<std::string> write_tensor_proto(const tensor& t, std::string_view name) {
    if (!t.ok() || size_of(t.element()) == 0)
        return error{"a tensor of " + std::string(name_of(t.element())) + " cannot be written as an ONNX tensor"};
    if (t.bytes() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) - 4096)
        return error{"the tensor has 2 GB or more, and a tensor file ends there"};
    onnx::TensorProto proto;
    proto.set_name(std::string(name));
    detail::write_tensor(t, proto);
    return proto.SerializeAsString();
}

outcome<tensor> load_tensor_proto(const std::string& path, std::string* name) {
    const auto bytes = read_file(path);
    if (!bytes) return bytes.failure();
    auto made = read_tensor_proto(*bytes, name);
    if (!made) return error{quoted_text(path, 400) + ": " + made.failure().message};
    return made;
}

outcome<void> save_tensor_proto(const std::string& path, const tensor& t, std::string_view name) {
    const auto bytes = write_tensor_proto(t, name);
    if (!bytes) return error{quoted_text(path, 400) + ": " + bytes.failure().message};
    return write_file(path, *bytes);
}

}  // namespace inlay

#endif
