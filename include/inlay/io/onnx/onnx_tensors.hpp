// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_TENSORS_HPP
#define INLAY_IO_ONNX_ONNX_TENSORS_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/io/onnx/external_data.hpp>
#include <inlay/io/onnx/onnx_types.hpp>

namespace inlay::detail {

static_assert(std::endian::native == std::endian::little, "raw data of ONNX is little-endian, and is copied as it stands");

/// Whether inlay's tensors can hold it: not strings, and no element type without a counterpart.
inline bool can_hold(const onnx::TensorProto& proto) { return size_of(known_element(proto.data_type())) != 0; }

/// An error about a tensor of a file.
inline error about_tensor(const std::string& where, const std::string& what) { return error{"tensor " + where + " " + what}; }

/// Copies the numbers of a typed field, which must be as many as the tensor has elements, and fit its element type.
template <class T, class Field>
outcome<tensor> typed(tensor_type type, std::int64_t elements, const Field& field, const std::string& where) {
    if (static_cast<std::int64_t>(field.size()) != elements)
        return about_tensor(where, "has " + std::to_string(field.size()) + " elements where its shape " + to_string(type) + " asks for " +
                                       std::to_string(elements));
    tensor made(type.element, static_shape(type));
    if (!made.ok()) return about_tensor(where, "does not fit into memory");
    const auto out = made.template as<T>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto value = field[static_cast<int>(i)];
        if constexpr (std::numeric_limits<T>::is_integer) {
            // The 16-bit floats stand in this field as their bits, which the unsigned type holds.
            if (static_cast<decltype(value)>(static_cast<T>(value)) != value)
                return about_tensor(where,
                                    "has the element " + std::to_string(value) + ", which is no " + std::string(name_of(type.element)));
        }
        out[i] = static_cast<T>(value);
    }
    return made;
}

inline outcome<std::vector<std::int64_t>> extents_of(const onnx::TensorProto& proto, const std::string& where) {
    if (proto.dims_size() > most_axes)
        return about_tensor(where, "has " + std::to_string(proto.dims_size()) + " axes, more than " + std::to_string(most_axes));
    return std::vector<std::int64_t>(proto.dims().begin(), proto.dims().end());
}

/// Whether the bytes of a message stay where they are after reading: function bodies are read once per call.
enum class after_reading : bool { discard, keep };

/// The value of a tensor in a file. Its raw bytes are discarded on request, so that a large model does not stand in memory twice.
/// Nothing is allocated before the bytes or numbers that the file holds are as many as the shape claims.
/// Precondition: `can_hold(proto)`.
inline outcome<tensor> take_tensor(onnx::TensorProto& proto, const std::string& where, const external_folder& folder,
                                   after_reading bytes_then = after_reading::keep) {
    const element_type element = known_element(proto.data_type());
    auto extents = extents_of(proto, where);
    if (!extents) return extents.failure();
    const auto elements = element_count(*extents);
    for (const std::int64_t e : *extents)
        if (e < 0) return about_tensor(where, "has the negative extent " + std::to_string(e));
    const tensor_type type(element, shape(extents->begin(), extents->end()));
    if (!elements || *elements > INT64_MAX / 16)
        return about_tensor(where, "has the shape " + to_string(type) + ", more than any memory holds");
    if (proto.has_segment()) return about_tensor(where, "is one segment of a larger one, which is not supported; save it whole");

    const std::size_t bytes = static_cast<std::size_t>(*elements) * size_of(element);
    if (proto.data_location() == onnx::TensorProto_DataLocation_EXTERNAL) {
        external_place place;
        for (const auto& entry : proto.external_data()) {
            if (entry.key() == "location") place.location = entry.value();
            if (entry.key() == "offset") place.offset = entry.value();
            if (entry.key() == "length") place.length = entry.value();
        }
        tensor made;
        const auto read = read_external(folder, place, bytes, [&] {
            made = tensor(element, *extents);
            return made.ok() ? made.data() : nullptr;
        });
        if (!read) return about_tensor(where, read.failure().message);
        if (!made.ok()) made = tensor(element, *extents);
        return made;
    }
    if (proto.has_raw_data()) {
        if (proto.raw_data().size() != bytes)
            return about_tensor(where, "has " + std::to_string(proto.raw_data().size()) + " bytes where its shape " + to_string(type) +
                                           " asks for " + std::to_string(bytes));
        tensor made(element, *std::move(extents));
        if (!made.ok()) return about_tensor(where, "does not fit into memory");
        if (bytes != 0) std::memcpy(made.data(), proto.raw_data().data(), bytes);
        // A byte of neither 0 nor 1 read as bool is undefined behaviour in every reader.
        if (element == element_type::boolean)
            for (std::size_t i = 0; i < bytes; ++i) made.data()[i] = made.data()[i] == std::byte{0} ? std::byte{0} : std::byte{1};
        if (bytes_then == after_reading::discard) delete proto.release_raw_data();
        return made;
    }
    switch (element) {
        case element_type::float32:
            return typed<float>(type, *elements, proto.float_data(), where);
        case element_type::float64:
            return typed<double>(type, *elements, proto.double_data(), where);
        case element_type::int64:
            return typed<std::int64_t>(type, *elements, proto.int64_data(), where);
        case element_type::uint64:
            return typed<std::uint64_t>(type, *elements, proto.uint64_data(), where);
        case element_type::uint32:
            return typed<std::uint32_t>(type, *elements, proto.uint64_data(), where);
        case element_type::int32:
            return typed<std::int32_t>(type, *elements, proto.int32_data(), where);
        case element_type::int16:
            return typed<std::int16_t>(type, *elements, proto.int32_data(), where);
        case element_type::int8:
            return typed<std::int8_t>(type, *elements, proto.int32_data(), where);
        case element_type::uint8:
            return typed<std::uint8_t>(type, *elements, proto.int32_data(), where);
        case element_type::boolean:
            return typed<bool>(type, *elements, proto.int32_data(), where);
        case element_type::float8_e4m3fn:
        case element_type::float8_e4m3fnuz:
        case element_type::float8_e5m2:
        case element_type::float8_e5m2fnuz:
            return typed<std::uint8_t>(type, *elements, proto.int32_data(), where);
        default:
            return typed<std::uint16_t>(type, *elements, proto.int32_data(), where);
    }
}

/// The places of a sparse tensor's values in the dense one, row-major. The error says which index leaves the shape or is out of order.
inline outcome<std::vector<std::size_t>> places_of_sparse(const tensor& indices, const std::vector<std::int64_t>& extents,
                                                          std::size_t count, const std::string& where) {
    const bool is_linear = indices.rank() == 1;
    const auto expected = static_cast<std::int64_t>(count), rank = static_cast<std::int64_t>(extents.size());
    if (indices.element() != element_type::int64 ||
        (is_linear ? indices.extents() != std::vector{expected} : indices.extents() != std::vector{expected, rank}))
        return about_tensor(where, "has indices of type " + to_string(indices.type()) + " for " + std::to_string(count) +
                                       " values, where int64 is expected, of one axis or of a row for each value");
    const std::int64_t elements = element_count(extents).value_or(0);
    const auto numbers = indices.as<std::int64_t>();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t place = is_linear ? numbers[i] : 0;
        bool is_inside = place >= 0 && place < elements;
        for (std::size_t a = 0; !is_linear && a < extents.size(); ++a) {
            const std::int64_t at = numbers[i * extents.size() + a];
            is_inside = is_inside && at >= 0 && at < extents[a];
            if (is_inside) place = place * extents[a] + at;
        }
        if (!is_inside || (i > 0 && static_cast<std::size_t>(place) <= places.back()))
            return about_tensor(where, "has an index " + std::to_string(i) +
                                           (is_inside ? " that is not above the one before it" : " outside of its shape"));
        places.push_back(static_cast<std::size_t>(place));
    }
    return places;
}

/// The dense form of a sparse tensor; elements that it leaves out are 0. Precondition: `can_hold(proto.values())`.
inline outcome<tensor> take_sparse(onnx::SparseTensorProto& proto, const std::string& where, const external_folder& folder,
                                   after_reading bytes_then = after_reading::keep) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 31;  // a dense tensor in a file has no more
    const auto values = take_tensor(*proto.mutable_values(), where, folder, bytes_then);
    if (!values) return values;
    const auto indices = take_tensor(*proto.mutable_indices(), where, folder, bytes_then);
    if (!indices) return indices;
    const std::vector<std::int64_t> extents(proto.dims().begin(), proto.dims().end());
    const auto count = element_count(extents);
    const bool has_shape = extents.size() <= static_cast<std::size_t>(most_axes) && count &&
                           std::all_of(extents.begin(), extents.end(), [](std::int64_t e) { return e >= 0; });
    const auto width = static_cast<std::int64_t>(size_of(values->element()));
    if (!has_shape || values->rank() != 1 || *count > most_bytes / width)
        return about_tensor(where,
                            "is sparse, with values of type " + to_string(values->type()) + " and a shape that no dense tensor here has");
    const auto places = places_of_sparse(*indices, extents, values->count(), where);
    if (!places) return places.failure();
    tensor dense(values->element(), extents);
    if (!dense.ok()) return about_tensor(where, "does not fit into memory");
    const auto bytes = static_cast<std::size_t>(width);
    if (dense.bytes() != 0) std::memset(dense.data(), 0, dense.bytes());
    for (std::size_t i = 0; i < places->size(); ++i) std::memcpy(dense.data() + (*places)[i] * bytes, values->data() + i * bytes, bytes);
    return dense;
}

/// Writes a tensor's type and bytes.
inline void write_tensor(const tensor& value, onnx::TensorProto& out) {
    out.set_data_type(static_cast<std::int32_t>(onnx_number_of(value.element())));
    for (const std::int64_t e : value.extents()) out.add_dims(e);
    out.set_raw_data(value.data() == nullptr ? "" : reinterpret_cast<const char*>(value.data()), value.bytes());
}

}  // namespace inlay::detail

#endif
