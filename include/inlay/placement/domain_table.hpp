// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_DOMAIN_TABLE_HPP
#define INLAY_PLACEMENT_DOMAIN_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/node_type.hpp>

namespace inlay {

/// A run of placement variables: those of one value. A value that is no function has one. A function has those of its parameters and then
/// those of its result, so that its last one is the place of what it gives in the end. Such a domain is what `fn(D1, D2) : D` is in the
/// literature, laid out flat.
struct place_domain {
    std::uint32_t begin = 0, width = 0;

    [[nodiscard]] std::uint32_t last() const { return begin + width - 1; }
    [[nodiscard]] bool is_function() const { return width > 1; }
};

/// How many variables a value of this type has. O(size of the type).
[[nodiscard]] inline std::uint32_t domain_width(const node_type& type) {
    if (!type.is_function()) return 1;
    std::uint32_t width = 0;
    for (const node_type& f : type.fields) width += in_force<"placement.domain.flat">() ? domain_width(f) : 1;
    return width;
}

/// The domains of a function's parameters and then of its result, one after the other. A function without a known type has one variable for
/// all of it.
class function_domains {
public:
    function_domains(const place_domain& function, const node_type& type) : whole_(function), type_(type), field_{function.begin, 0} {}

    [[nodiscard]] place_domain next() {
        if (!type_.is_function() || whole_.width == 1) return whole_;
        field_.begin += field_.width;
        field_.width = next_ < type_.fields.size() ? domain_width(type_.fields[next_]) : 1;
        ++next_;
        return field_;
    }

private:
    place_domain whole_;
    const node_type& type_;
    place_domain field_;
    std::size_t next_ = 0;
};

/// The domain of parameter i of a function, or with i the number of parameters, of its result.
[[nodiscard]] inline place_domain field_of(const place_domain& function, const node_type& type, std::size_t i) {
    function_domains fields(function, type);
    for (; i > 0; --i) static_cast<void>(fields.next());
    return fields.next();
}

/// The domains of a program's nodes, one behind the other. `on_device` and `device_copy` have two of equal width: of what comes in, and of
/// what goes out.
class domain_table {
public:
    void reserve(std::size_t nodes) {
        begin_.reserve(nodes);
        width_.reserve(nodes);
    }
    /// Adds the next node's domains, `count` of this width.
    void add(std::uint32_t width, std::uint32_t count = 1) {
        begin_.push_back(size_);
        width_.push_back(width);
        size_ += width * count;
    }
    /// Of what node n is; of a node with two, of what comes in.
    [[nodiscard]] place_domain of(std::uint32_t n) const { return {begin_[n], width_[n]}; }
    /// Of what goes out of a node that has two.
    [[nodiscard]] place_domain out_of(std::uint32_t n) const { return {begin_[n] + width_[n], width_[n]}; }
    [[nodiscard]] std::uint32_t variables() const { return size_; }

private:
    std::vector<std::uint32_t> begin_, width_;
    std::uint32_t size_ = 0;
};

}  // namespace inlay

#endif
