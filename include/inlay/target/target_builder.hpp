// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_TARGET_BUILDER_HPP
#define INLAY_TARGET_TARGET_BUILDER_HPP

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/target_instance.hpp>
#include <inlay/target/target_schema.hpp>

namespace inlay {

/// Puts a target together, one option after the other, by the rules that its text and its JSON share. Errors name the target and the
/// option; where it stood is added by who knows. Options of a kind's own come before the common ones of their name.
///
/// With a `compiler`, the target is of that kind and refines the plain kind that was named: options that it has are its own, the others the
/// plain target's, which is then part of the result.
class target_builder {
public:
    /// What an option takes: a value of a type, or a target.
    struct slot {
        option_type type = option_type::text;
        integer_range range = {};
        bool is_host = false;
    };

    [[nodiscard]] static outcome<target_builder> begin(std::string_view kind, std::optional<std::string_view> compiler,
                                                       const target_schemas& known) {
        target_builder b;
        b.named_ = known.find(kind);
        if (b.named_ == nullptr && !in_force<"target.text.kind">()) b.named_ = &known.all().front();
        if (b.named_ == nullptr) return error{"there is no target " + quoted_text(kind) + name_hint(kind, known.kinds())};
        b.plain_ = b.named_->bare();
        b.own_ = b.plain_;
        b.schema_ = b.named_;
        if (!compiler) return b;
        if (!b.named_->is_plain())
            return error{"'-compiler' names what refines a plain target, and '" + b.named_->kind + "' refines '" + b.named_->refines +
                         "' itself; leave it out"};
        b.schema_ = known.find(*compiler);
        if (b.schema_ == nullptr)
            return error{"'-compiler' of target '" + b.named_->kind + "' names no target with " + quoted_text(*compiler) +
                         name_hint(*compiler, known.kinds())};
        if (in_force<"target.compiler.refines">() && !refines(b.schema_->record(), b.named_->record()))
            return error{"'-compiler' of target '" + b.named_->kind + "' names " + quoted_text(*compiler) +
                         ", which does not refine it; name a back end of device type " + std::string(name_of(b.named_->device))};
        b.plain_->origin = target_origin::implied;
        if (in_force<"target.compiler.kind">()) b.own_ = b.schema_->bare();
        return b;
    }

    /// What the option of that name takes; an error where there is none, or it was given before.
    [[nodiscard]] outcome<slot> take(std::string_view name) {
        for (const std::string& g : given_)
            if (in_force<"target.text.key-twice">() && g == name)
                return error{"option '-" + g + "' of target '" + own_->kind + "' stands twice; give it once"};
        slot s;
        if (const option_schema* o = option_of(name)) {
            s = {o->type(), o->range, false};
        } else if (in_force<"target.text.common">() && name == "keys") {
            s.type = option_type::texts;
        } else if (in_force<"target.text.common">() && name == "host") {
            s.is_host = true;
        } else if (in_force<"target.text.key-unknown">() && name != "tag" && name != "device" && name != "compiler") {
            return unknown(name);
        }
        given_.emplace_back(name);
        return s;
    }

    /// Gives an option its value, which is of the type that `take` told.
    void set(std::string_view name, option_value value) {
        if (schema_->find(name) != nullptr) {
            schema_->set(*own_, name, std::move(value));
        } else if (named_->find(name) != nullptr) {
            named_->set(*plain_, name, std::move(value));
            plain_has_options_ = true;
        } else if (name == "keys") {
            keys_ = std::get<std::vector<std::string>>(std::move(value));
        } else if (name == "tag") {
            own_->tag = std::get<std::string>(std::move(value));
        } else if (name == "device") {
            own_->note(name, value);
            device_ = std::get<std::string>(std::move(value));
        }
    }

    [[nodiscard]] outcome<void> set_host(target_instance host) {
        if (in_force<"target.host.no-host">() && !host.host.empty())
            return error{"the host of target '" + own_->kind + "' has a host itself, which means nothing; leave that one out"};
        own_->host.assign(1, std::move(host));
        return {};
    }

    /// The target, behind the plain one that it refines where that was given options.
    [[nodiscard]] outcome<std::vector<target_instance>> finish() {
        std::vector<std::string> keys;
        const auto label = [&](const std::vector<std::string>& more) {
            for (const std::string& k : more)
                if (!in_force<"target.keys.order">() || std::find(keys.begin(), keys.end(), k) == keys.end()) keys.push_back(k);
        };
        label(keys_);
        if (!device_.empty()) label({device_});
        if (keys_.empty()) label(schema_->keys);
        if (keys != schema_->keys) own_->keys = std::move(keys);
        if (schema_->check != nullptr)
            if (auto fits = schema_->check(*own_); !fits) return fits.failure();
        std::vector<target_instance> made;
        if (in_force<"target.compiler.options">() && named_ != schema_ && plain_has_options_) {
            if (named_->check != nullptr)
                if (auto fits = named_->check(*plain_); !fits) return fits.failure();
            plain_->host = own_->host;
            made.push_back(*std::move(plain_));
        }
        made.push_back(*std::move(own_));
        return made;
    }

private:
    [[nodiscard]] const option_schema* option_of(std::string_view name) const {
        const option_schema* own = schema_->find(name);
        return own != nullptr ? own : named_->find(name);
    }
    [[nodiscard]] error unknown(std::string_view name) const {
        std::string what = "target '" + own_->kind + "' has no option " + quoted_text(name);
        if (in_force<"target.common.left-out">() && name == "libs")
            return error{what + ", since a library is a target of its own here; name it beside this one"};
        if (name == "from_device")
            return error{what + ", since a target's text means the same on every machine; write the options themselves"};
        if (name == "target_device_type") return error{what + ", since a kind has one device type; name a kind of that device type"};
        std::vector<std::string_view> names;
        for (const target_schema* s : {schema_, named_})
            for (const option_schema& o : s->options)
                if (std::find(names.begin(), names.end(), o.name) == names.end()) names.push_back(o.name);
        for (const std::string_view common : {"keys", "tag", "device", "host"}) names.push_back(common);
        if (named_->is_plain()) names.push_back("compiler");
        return error{what + name_hint(name, names)};
    }

    const target_schema* named_ = nullptr;   // the kind that was written
    const target_schema* schema_ = nullptr;  // the kind that the target is of
    std::optional<target_instance> plain_, own_;
    std::vector<std::string> given_, keys_;
    std::string device_;
    bool plain_has_options_ = false;
};

}  // namespace inlay

#endif
