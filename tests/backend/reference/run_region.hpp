// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_REFERENCE_RUN_REGION_HPP
#define INLAY_TESTS_BACKEND_REFERENCE_RUN_REGION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/candidate/region.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>

#include "../../core/executors.hpp"

namespace reference_test {

using namespace inlay;
namespace on_eigen = inlay::detail::on_eigen;
using shape64 = std::vector<std::int64_t>;

using inlay_test::thread_executor;

/// The seed of a test's random numbers; printed with whatever fails after it.
struct seeded {
    std::mt19937 engine;
    explicit seeded(unsigned seed) : engine(seed) {}

    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine); }
    std::int64_t integer(std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(engine); }
    bool coin() { return integer(0, 1) == 1; }

    tensor floats(shape64 shape, float low = -2.0f, float high = 2.0f) {
        tensor t(element_type::float32, std::move(shape));
        for (float& v : t.as<float>()) v = number(low, high);
        return t;
    }
    template <class T>
    tensor integers(shape64 shape, std::int64_t low, std::int64_t high) {
        tensor t(element_type_of<T>, std::move(shape));
        for (T& v : t.as<T>()) v = static_cast<T>(integer(low, high));
        return t;
    }
    shape64 shape(std::size_t rank, std::int64_t most) {
        shape64 s(rank);
        for (auto& e : s) e = integer(1, most);
        return s;
    }
};

template <class T>
tensor list(const std::vector<T>& values) {
    return tensor::of({static_cast<std::int64_t>(values.size())}, values);
}

/// An operand of a call under test: a tensor given at the run, one known before it, or one left out.
struct operand {
    tensor value;
    bool known = false;
};
inline operand given(tensor t) { return {std::move(t), false}; }
inline operand known(tensor t) { return {std::move(t), true}; }
inline operand absent() { return {}; }

/// A call of one operator as a call site. The names and attributes must outlive it.
inline on_eigen::call_site site(std::string_view op, const std::vector<operand>& operands, const attribute_map& attributes,
                                const std::vector<tensor_type>& results, std::size_t threads = 3) {
    on_eigen::call_site c;
    c.op = op;
    c.attributes = &attributes;
    c.threads = threads;
    for (const operand& o : operands) {
        on_eigen::site_value v;
        if (o.value.ok()) v = on_eigen::site_of(o.value.type());
        if (o.known) v.value = o.value;
        c.operands.push_back(std::move(v));
    }
    for (const tensor_type& t : results) c.results.push_back(on_eigen::site_of(t));
    return c;
}

inline tensor_type float_type(const shape64& s) { return tensor(element_type::float32, s).type(); }
template <class T>
tensor_type type_of(const shape64& s) {
    return tensor(element_type_of<T>, s).type();
}

/// Runs a kernel on tensors; results and workspace hold garbage beforehand.
inline std::vector<tensor> run(const kernel& k, const std::vector<const void*>& inputs, const std::vector<tensor_type>& results,
                               std::size_t threads) {
    std::vector<tensor> out;
    std::vector<void*> places;
    for (const tensor_type& t : results) {
        out.emplace_back(t.element, static_shape(t));
        std::fill(out.back().data(), out.back().data() + out.back().bytes(), std::byte{0x77});
        places.push_back(out.back().data());
    }
    buffer workspace(k.workspace_bytes + 64);
    std::fill(workspace.data(), workspace.data() + workspace.size(), std::byte{0xFF});
    thread_executor many{threads};
    run_arguments a;
    a.inputs = inputs.data();
    a.results = places.data();
    a.workspace = workspace.data();
    if (threads > 1) a.executor = executor_ref(many);
    REQUIRE(k(a));
    for (std::size_t i = k.workspace_bytes; i < workspace.size(); ++i) REQUIRE(workspace.data()[i] == std::byte{0xFF});
    return out;
}

/// Makes the kernel of a call by an entry and runs it on 1 and on 3 threads; both give the same bytes.
inline std::vector<tensor> run_call(const on_eigen::operator_entry& entry, const std::vector<operand>& operands,
                                    const attribute_map& attributes, const std::vector<tensor_type>& results) {
    const on_eigen::call_site c = site(entry.name, operands, attributes, results);
    const std::string refused = entry.refuse(c);
    INFO(refused);
    REQUIRE(refused.empty());
    const kernel k = entry.make(c);
    std::vector<const void*> inputs;
    for (const operand& o : operands) inputs.push_back(o.value.ok() ? o.value.data() : nullptr);
    auto alone = run(k, inputs, results, 1);
    const auto shared = run(k, inputs, results, 3);
    for (std::size_t i = 0; i < alone.size(); ++i)
        if (alone[i].element() == element_type::float32)
            for (std::size_t j = 0; j < alone[i].count(); ++j) {
                const float x = alone[i].as<float>()[j], y = shared[i].as<float>()[j];
                REQUIRE((std::abs(x - y) <= 1e-5f * std::max(1.0f, std::abs(x)) || x == y || (std::isnan(x) && std::isnan(y))));
            }
        else
            REQUIRE(std::equal(alone[i].data(), alone[i].data() + alone[i].bytes(), shared[i].data()));
    return alone;
}

template <std::size_t N>
const on_eigen::operator_entry& entry(const on_eigen::operator_entry (&table)[N], std::string_view name) {
    for (const auto& e : table)
        if (e.name == name) return e;
    FAIL("no entry of that name");
    return table[0];
}

/// Checks every element against `expected(flat index)`, a double, within a relative tolerance.
template <class F>
void check_floats(const tensor& got, F expected, double tolerance = 2e-6) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.count(); ++i) {
        const double want = expected(i), have = static_cast<double>(got.as<float>()[i]);
        const bool close =
            std::abs(want - have) <= tolerance * std::max(1.0, std::abs(want)) || want == have || (std::isnan(want) && std::isnan(have));
        if (!close && wrong++ == 0) {
            INFO("element " << i << ": expected " << want << ", got " << have);
            CHECK(close);
        }
    }
    CHECK(wrong == 0);
}

/// The place of a flat index in a shape.
inline shape64 index_of(std::size_t flat, const shape64& shape) {
    shape64 index(shape.size());
    auto rest = static_cast<std::int64_t>(flat);
    for (std::size_t i = shape.size(); i-- > 0;) {
        index[i] = rest % shape[i];
        rest /= shape[i];
    }
    return index;
}

/// The flat place in `shape` of an index into a wider shape that it is stretched to.
inline std::size_t stretched(const shape64& index, const shape64& shape) {
    std::int64_t flat = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::int64_t at = index[index.size() - shape.size() + i];
        flat = flat * shape[i] + (shape[i] == 1 ? 0 : at);
    }
    return static_cast<std::size_t>(flat);
}

}  // namespace reference_test

#endif
