// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_IPP
#define INLAY_IO_ONNX_ONNX_IPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <inlay/io/onnx/onnx.hpp>

#include <fcntl.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/onnx/import_options.hpp>
#include <inlay/io/onnx/onnx_reader.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

namespace detail {

inline constexpr std::int64_t longest_message = std::numeric_limits<std::int32_t>::max();

/// Parses a message by `parse`, and reads the program that it holds. A small file can ask for more memory than there is.
template <class Parse>
outcome<ir_module> program_of(const import_options& options, Parse&& parse) {
    try {
        onnx::ModelProto model;
        if (!parse(model)) return error{"the file is no ONNX model: it is damaged, cut off, or nested too deep"};
        return onnx_reader(model, options).read();
    } catch (const std::bad_alloc&) {
        return error{"there is not enough memory for the model; read it on a larger machine, or cut it into parts"};
    } catch (const std::length_error&) {
        return error{"the model asks for a list longer than any memory holds; it is damaged"};
    }
}

inline error no_model(const char* why) { return error{std::string("the file is no ONNX model: ") + why}; }

}  // namespace detail

outcome<ir_module> import_onnx(std::span<const std::byte> bytes, const import_options& options) {
    if (bytes.empty()) return detail::no_model("it is empty");
    if (bytes.size() > static_cast<std::size_t>(detail::longest_message))
        return error{"the model has " + std::to_string(bytes.size()) + " bytes, and ONNX ends at 2 GB; save it with external data"};
    return detail::program_of(options,
                              [&](onnx::ModelProto& model) { return model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())); });
}

outcome<ir_module> load_onnx(const std::string& path, import_options options) {
    const auto failed = [&](const std::string& what) { return error{quoted_text(path, 400) + ": " + what}; };
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed("the file cannot be opened for reading");
    google::protobuf::io::FileInputStream stream(file, 1 << 20);
    stream.SetCloseOnDelete(true);
    struct stat facts {};
    if (::fstat(file, &facts) != 0 || S_ISDIR(facts.st_mode)) return failed("a folder stands where a file was expected");
    if (facts.st_size > detail::longest_message)
        return failed("the model has " + std::to_string(facts.st_size) + " bytes, and ONNX ends at 2 GB; save it with external data");
    if (S_ISREG(facts.st_mode) && facts.st_size == 0) return failed(detail::no_model("it is empty").message);
    if (!options.external_data) {
        const auto slash = path.rfind('/');
        options.external_data = slash == std::string::npos ? std::string(".") : path.substr(0, slash + 1);
    }
    auto program = detail::program_of(options, [&](onnx::ModelProto& model) { return model.ParseFromZeroCopyStream(&stream); });
    if (!program) return failed(program.failure().message);
    return program;
}

}  // namespace inlay

#endif
