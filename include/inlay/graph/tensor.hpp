// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_TENSOR_HPP
#define INLAY_GRAPH_TENSOR_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/core/buffer.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/graph/tensor_type.hpp>

namespace inlay {

/// A tensor's value: element type, extents, and the elements row after row in a shared buffer. Copies share the elements.
class tensor {
public:
    tensor() = default;

    /// Zeros. Where the memory cannot be had, or the extents are no shape, the result is not `ok()`.
    tensor(element_type element, std::vector<std::int64_t> extents) : element_(element), extents_(std::move(extents)) {
        const auto elements = element_count(extents_);
        const std::size_t width = size_of(element_);
        if (!elements || width == 0 || static_cast<std::uint64_t>(*elements) > (std::uint64_t{1} << 62) / width) return;
        count_ = static_cast<std::size_t>(*elements);
        data_ = buffer(count_ * width);
        ok_ = data_.size() == count_ * width;
    }

    /// A tensor of the given elements, in row-major order. Precondition: as many values as the extents have elements.
    template <class T>
    [[nodiscard]] static tensor of(std::vector<std::int64_t> extents, std::span<const T> values) {
        tensor t(element_type_of<T>, std::move(extents));
        if (t.ok_ && t.count_ == values.size() && t.count_ != 0) std::memcpy(t.data_.data(), values.data(), values.size_bytes());
        return t;
    }
    template <class T>
    [[nodiscard]] static tensor of(std::vector<std::int64_t> extents, const std::vector<T>& values) {
        return of(std::move(extents), std::span<const T>(values));
    }
    /// A tensor whose elements stand in that buffer. Where it has not as many bytes as they take, the result is not `ok()`.
    [[nodiscard]] static tensor in(element_type element, std::vector<std::int64_t> extents, buffer elements) {
        tensor t;
        t.element_ = element;
        t.extents_ = std::move(extents);
        const auto count = element_count(t.extents_);
        const std::size_t width = size_of(element);
        if (!count || width == 0 || elements.size() / width != static_cast<std::size_t>(*count) || elements.size() % width != 0) return t;
        t.count_ = static_cast<std::size_t>(*count);
        t.data_ = std::move(elements);
        t.ok_ = true;
        return t;
    }
    /// A tensor of rank 0.
    template <class T>
    [[nodiscard]] static tensor scalar(T value) {
        return of(std::vector<std::int64_t>{}, std::span<const T>(&value, 1));
    }

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] element_type element() const { return element_; }
    [[nodiscard]] const std::vector<std::int64_t>& extents() const { return extents_; }
    [[nodiscard]] std::size_t rank() const { return extents_.size(); }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t bytes() const { return count_ * size_of(element_); }
    [[nodiscard]] const std::byte* data() const { return data_.data(); }
    /// The buffer in which the elements stand, shared.
    [[nodiscard]] const buffer& storage() const { return data_; }
    [[nodiscard]] std::byte* data() { return data_.data(); }

    /// The elements as scalars of type T. Precondition: `element_type_of<T>` is the element type, or T has its size.
    template <class T>
    [[nodiscard]] std::span<const T> as() const {
        return {reinterpret_cast<const T*>(data_.data()), count_};
    }
    template <class T>
    [[nodiscard]] std::span<T> as() {
        return {reinterpret_cast<T*>(data_.data()), count_};
    }

    /// The same elements under other extents. Precondition: the count stays.
    [[nodiscard]] tensor reshaped(std::vector<std::int64_t> extents) const {
        tensor t = *this;
        t.extents_ = std::move(extents);
        return t;
    }

    [[nodiscard]] tensor_type type() const {
        tensor_type t(element_, shape(extents_.size()));
        for (std::size_t i = 0; i < extents_.size(); ++i) t.extents[i].size = extents_[i];
        return t;
    }

    /// The digest of type and elements.
    [[nodiscard]] digest content() const {
        digest_builder b;
        b.add(static_cast<std::uint64_t>(element_)).add(static_cast<std::uint64_t>(extents_.size()));
        for (const std::int64_t e : extents_) b.add(e);
        return b.add_bytes(data(), bytes()).finish();
    }

private:
    element_type element_ = element_type::none;
    bool ok_ = false;
    std::vector<std::int64_t> extents_;
    std::size_t count_ = 0;
    buffer data_;
};

/// The elements of an integer tensor as 64-bit numbers: shapes, axes, pads. Nothing for other element types.
template <std::same_as<tensor> T>  // so that it is compiled where it is called
[[nodiscard]] std::optional<std::vector<std::int64_t>> integers_of(const T& t) {
    std::vector<std::int64_t> values;
    values.reserve(t.count());
    if (t.element() == element_type::int64)
        for (const auto v : t.template as<std::int64_t>()) values.push_back(v);
    else if (t.element() == element_type::int32)
        for (const auto v : t.template as<std::int32_t>()) values.push_back(v);
    else
        return std::nullopt;
    return values;
}

}  // namespace inlay

#endif
