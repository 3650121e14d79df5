// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_LOWER_BOUND_REF_HPP
#define INLAY_COST_LOWER_BOUND_REF_HPP

#include <concepts>
#include <type_traits>

#include <inlay/candidate/region_view.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// It gives seconds that no price is below: `b(region)` for a region in its formats, and `b(type, from, to)` for a conversion of a tensor.
/// Zero is always one. Models: `roofline_bounds`.
template <class B>
concept lower_bound = requires(B& b, const region_view& region, const tensor_type& type, const format& f) {
    { b(region) } -> std::convertible_to<double>;
    { b(type, f, f) } -> std::convertible_to<double>;
};

/// Lower bounds behind one indirect call, so that planning with several is compiled once. Refers to the callable, which must outlive it.
class lower_bound_ref {
public:
    template <lower_bound B>
    requires(!std::same_as<std::remove_cvref_t<B>, lower_bound_ref>) lower_bound_ref(B& b)
        : bound_(&b),
          of_region_([](const void* self, const region_view& region) -> double { return as<B>(self)(region); }),
          of_conversion_([](const void* self, const tensor_type& type, const format& from, const format& to) -> double {
              return as<B>(self)(type, from, to);
          }) {}

    [[nodiscard]] double operator()(const region_view& region) const { return of_region_(bound_, region); }
    [[nodiscard]] double operator()(const tensor_type& type, const format& from, const format& to) const {
        return of_conversion_(bound_, type, from, to);
    }

private:
    template <class B>
    static B& as(const void* self) {
        return *static_cast<B*>(const_cast<void*>(self));
    }

    const void* bound_;
    double (*of_region_)(const void*, const region_view&);
    double (*of_conversion_)(const void*, const tensor_type&, const format&, const format&);
};

}  // namespace inlay

#endif
