// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/json/target_argument.hpp>
#include <inlay/io/relay/relay_document.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/placement/plan_devices.hpp>
#include <inlay/target/configuration.hpp>
#include <inlay/target/read_target.hpp>

#include "verbs.hpp"

namespace tool {

using namespace inlay;

namespace {

/// The targets that values may be placed on, as the options say.
outcome<configuration> configuration_of(const place_options& how) {
    const target_schemas known = known_targets<>();
    std::vector<target_instance> wanted;
    for (const std::string& argument : how.targets) {
        auto read = read_target_argument(argument, known);
        if (!read) return read.failure();
        for (target_instance& t : *read) wanted.push_back(std::move(t));
    }
    if (wanted.empty()) wanted.push_back(known.find("llvm")->bare());
    if (!how.host.empty()) {
        auto host = read_target(how.host, known);
        if (!host) return error{"'--host': " + host.failure().message};
        if (!host->host.empty()) return error{"'--host' is a target with a host of its own, which means nothing; leave that one out"};
        for (target_instance& t : wanted) t = with_host(std::move(t), *host);
    }
    configuration_options options;
    if (!how.fallback_device.empty()) {
        options.default_device = device_type_named(how.fallback_device);
        if (!options.default_device)
            return error{"'--fallback-device' is a device type, such as cpu, cuda or vulkan, and not " +
                         quoted_text(how.fallback_device, 80)};
    }
    return configuration::make(std::move(wanted), known, options);
}

}  // namespace

answer verb_place(const verb_options& o, const place_options& how) {
    const auto targets = configuration_of(how);
    if (!targets) return say(answer::wrong, targets.failure());
    const auto program = load_written(o.model);
    if (!program) return say(answer::wrong, program.failure());
    placement_options options;
    options.share_copies = how.share_copies;
    const auto planned = plan_devices(*program, *targets, options);
    if (!planned) return say(answer::no, planned.failure());
    const std::string text = relay_document(capture_places(*planned));
    if (o.json)
        std::cout << write_json(json_output{{"version", 1}, {"program", text}}, 2) << "\n";
    else
        std::cout << text;
    return answer::done;
}

}  // namespace tool
