// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_TARGET_SAMPLE_TARGETS_HPP
#define INLAY_TESTS_TARGET_SAMPLE_TARGETS_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include <inlay/target/target_schema.hpp>

/// An accelerator's back end with an option of every type.
struct sample_accel {
    static constexpr std::string_view kind = "accel", refines = "ext_dev";
    static constexpr inlay::device_type device = inlay::device_type::ext_dev;

    int rows = 16;
    bool spin = false;
    double heat = 0.5;
    std::string name = "first";
    std::vector<std::string> parts{"a", "b"};
    std::vector<std::int16_t> sizes{4, -1};
    std::uint8_t level = 3;

    using options = inlay::option_list<
        inlay::option<"rows", &sample_accel::rows, "of the array">, inlay::option<"spin", &sample_accel::spin, "wait actively">,
        inlay::option<"heat", &sample_accel::heat, "in degrees">, inlay::option<"name", &sample_accel::name, "of the board">,
        inlay::option<"parts", &sample_accel::parts, "what it is made of">, inlay::option<"sizes", &sample_accel::sizes, "of memories">,
        inlay::option<"level", &sample_accel::level, "of speed">>;
    [[nodiscard]] static std::vector<std::string> keys() { return {"npu"}; }
};

template <inlay::fixed_string Kind, inlay::fixed_string Refines, inlay::device_type Device>
struct sample_backend {
    static constexpr std::string_view kind = Kind.view(), refines = Refines.view();
    static constexpr inlay::device_type device = Device;
    int threads = 1;
    using options = inlay::option_list<inlay::option<"threads", &sample_backend::threads, "how many">>;
};
using sample_simd = sample_backend<"cpu_simd", "llvm", inlay::device_type::cpu>;
using sample_cutlass = sample_backend<"cutlass", "cuda", inlay::device_type::cuda>;
using sample_tensorrt = sample_backend<"tensorrt", "cuda", inlay::device_type::cuda>;
using sample_cublas = sample_backend<"cublas", "cuda", inlay::device_type::cuda>;

[[nodiscard]] inline const inlay::target_schemas& sample_schemas() {
    static const inlay::target_schemas known =
        inlay::known_targets<sample_accel, sample_simd, sample_cutlass, sample_tensorrt, sample_cublas>();
    return known;
}

/// Texts of few letters, most of which mean something in a target text.
[[nodiscard]] inline rc::Gen<std::string> sample_text() {
    return rc::gen::container<std::string>(
        rc::gen::element('a', 'B', '0', '-', '=', ',', ' ', '\'', '"', '\\', '\t', '\n', '\0', '\x01', '{', '[', '/', '+', '.', '%'));
}

[[nodiscard]] inline rc::Gen<double> sample_double() {
    return rc::gen::oneOf(rc::gen::arbitrary<double>(),
                          rc::gen::element(0.0, -0.0, 0.5, 0.1, -1e300, 5e-324, std::numeric_limits<double>::infinity(),
                                           -std::numeric_limits<double>::infinity()));
}

[[nodiscard]] inline rc::Gen<sample_accel> sample_accels() {
    return rc::gen::exec([] {
        sample_accel t;
        if (*rc::gen::arbitrary<bool>()) t.rows = *rc::gen::arbitrary<int>();
        t.spin = *rc::gen::arbitrary<bool>();
        if (*rc::gen::arbitrary<bool>()) t.heat = *sample_double();
        if (*rc::gen::arbitrary<bool>()) t.name = *sample_text();
        if (*rc::gen::arbitrary<bool>()) t.parts = *rc::gen::container<std::vector<std::string>>(sample_text());
        if (*rc::gen::arbitrary<bool>()) t.sizes = *rc::gen::arbitrary<std::vector<std::int16_t>>();
        t.level = *rc::gen::arbitrary<std::uint8_t>();
        return t;
    });
}

/// Instances as `target_builder` makes them, with keys, tag and host.
[[nodiscard]] inline rc::Gen<inlay::target_instance> sample_instances() {
    return rc::gen::exec([] {
        inlay::target_instance t = inlay::instance_of(*sample_accels());
        if (*rc::gen::arbitrary<bool>()) t.keys = *rc::gen::unique<std::vector<std::string>>(sample_text());
        if (t.keys == sample_schemas().find("accel")->keys) t.keys.clear();
        if (*rc::gen::arbitrary<bool>()) t.tag = *sample_text();
        if (*rc::gen::arbitrary<bool>()) {
            inlay::llvm_target host;
            host.mcpu = *sample_text();
            t.host.push_back(inlay::instance_of(host));
            t.host.front().tag = *sample_text();
        }
        return t;
    });
}

#endif
