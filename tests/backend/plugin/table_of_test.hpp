// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_PLUGIN_TABLE_OF_TEST_HPP
#define INLAY_TESTS_BACKEND_PLUGIN_TABLE_OF_TEST_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <inlay/backend/plugin/backend_abi.h>
#include <inlay/backend/plugin/abi_values.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>

namespace plugin_test {

/// What a library of the tests counts and is told to do.
struct counts {
    int opened = 0, described = 0, closed = 0, read = 0, released = 0, kernels = 0, kernels_released = 0, runs = 0;
    bool refuses = false, lies_about_formats = false, forgets_run = false, lies_about_constants = false, climbs = false;
};
inline counts told;

/// A table that doubles its one input, which the tests spoil here and there.
[[nodiscard]] inline inlay_backend doubling() {
    static const inlay_composite composite{{"double", 6}, {"my.Double(?x)", 13}, 0};
    inlay_backend t{};
    t.size = sizeof t;
    t.version = INLAY_BACKEND_ABI_VERSION;
    t.kind = {"doubling", 8};
    t.refines = {"llvm", 4};
    t.composites = &composite;
    t.composite_count = 1;
    t.open = [](const inlay_backend*, const inlay_option_value*, std::size_t, void** instance, inlay_reply why) {
        if (told.refuses) {
            inlay::detail::say(why, "it is shut");
            return INLAY_NO;
        }
        ++told.opened;
        *instance = &told;
        return INLAY_YES;
    };
    t.close = [](void*) { ++told.closed; };
    t.describe = [](void*, inlay_reply version) {
        ++told.described;
        inlay::detail::say(version, "2.1");
    };
    t.read = [](void*, std::uint32_t, const inlay_region* r, const std::uint32_t* captures, std::size_t count, void** plan,
                inlay_reply why) {
        if (count != 1 || captures[0] != 0) {
            inlay::detail::say(why, "x is not the input");
            return INLAY_NO;
        }
        ++told.read;
        std::size_t elements = 1;
        for (std::uint32_t i = 0; i < r->values[1].types->rank; ++i) elements *= static_cast<std::size_t>(r->values[1].types->extents[i]);
        *plan = new std::size_t(elements);
        return INLAY_YES;
    };
    t.release = [](void*, void* plan) {
        ++told.released;
        delete static_cast<std::size_t*>(plan);
    };
    t.formats = [](void*, void*, void* to, void (*take)(void*, const inlay_borders*)) {
        const inlay_format plain{INLAY_FLOAT32, INLAY_PLAIN, 1}, last{INLAY_FLOAT32, INLAY_CHANNELS_LAST, 1},
            wrong{INLAY_INT8, INLAY_PLAIN, 1};
        const inlay_borders as_it_is{&plain, &plain}, images{&last, &last}, lie{&plain, &wrong};
        take(to, &as_it_is);
        take(to, told.lies_about_formats ? &lie : &images);
    };
    t.emit = [](void*, void* plan, const inlay_borders* borders, inlay_kernel* made, inlay_reply why) {
        if (borders->inputs[0].layout != INLAY_PLAIN) {
            inlay::detail::say(why, "images are not built yet");
            return INLAY_FAILED;
        }
        ++told.kernels;
        made->state = new std::size_t(*static_cast<std::size_t*>(plan));
        if (!told.forgets_run)
            made->run = [](void* state, const inlay_run* how) {
                ++told.runs;
                const auto* x = static_cast<const float*>(how->inputs[0]);
                for (std::size_t i = 0; i < *static_cast<std::size_t*>(state); ++i) static_cast<float*>(how->results[0])[i] = 2 * x[i];
                return how->workspace != nullptr && how->executor->threads == 1 ? 0 : 1;
            };
        made->release = [](void* state) {
            ++told.kernels_released;
            delete static_cast<std::size_t*>(state);
        };
        made->workspace_bytes = 64;
        return INLAY_YES;
    };
    t.emit_c = [](void*, void*, const inlay_borders*, inlay_text name, const inlay_c_code* to, inlay_reply) {
        const std::string function = "static void " + std::string(name.data, name.size) + "(const float* x, float* y, const float* two);\n";
        const float two = 2;
        const std::int64_t one = 1;
        inlay_constant constant{{INLAY_FLOAT32, 1, &one}, &two, told.lies_about_constants ? 8u : 4u};
        to->needs(to->to, {"#include \"vendor.h\"", 19});
        to->header(to->to, {told.climbs ? "../h" : "vendor.h", told.climbs ? 4u : 8u}, {"/* vendor */", 12});
        to->source(to->to, {"vendor.c", 8}, {"int vendor;", 11});
        to->constant(to->to, &constant);
        to->workspace(to->to, 128);
        to->function(to->to, {function.data(), function.size()});
        return INLAY_YES;
    };
    return t;
}

/// A region of one input of four elements and the call that doubles it.
struct doubled_region {
    inlay::attribute_map none;
    inlay::node_type type = inlay::tensor_type(inlay::element_type::float32, {1, 4});
    std::vector<inlay::value_id> operands{0}, results{1};
    std::vector<inlay::region_value> values;
    std::vector<inlay::format> border{inlay::format{}};

    doubled_region() {
        values.push_back({inlay::region_value::role::input, {}, {}, &none, &type});
        values.push_back({inlay::region_value::role::call, "my.Double", operands, &none, &type});
    }
    [[nodiscard]] inlay::region_view view() const { return {values, 1, 0, results, border, border}; }
};

}  // namespace plugin_test

#endif
