// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/target/read_target.hpp>

#include <ctime>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sample_targets.hpp"

using namespace inlay;

namespace {

/// What a text reads as, printed; or the error.
std::string read(std::string_view text) {
    const auto list = read_target_list(text, sample_schemas());
    return list ? target_text(*list) : list.failure().message;
}

}  // namespace

TEST_CASE("a target is its kind and options '-name=value', as many dashes as one likes [target.text.options]") {
    CHECK(read("accel") == "accel");
    CHECK(read("  accel   -rows=8\t--spin=true ---heat=2.5\n") == "accel -rows=8 -spin=true -heat=2.5");
    CHECK(read("accel -name=a=b") == "accel -name=a=b");
    CHECK(read("accel -rows=-5 -sizes=-1,-2") == "accel -rows=-5 -sizes=-1,-2");
    CHECK(read("accel -level=4 -rows=3") == "accel -rows=3 -level=4");
    CHECK(read("accel -rows=16") == "accel");
}

TEST_CASE("a value may stand behind a blank, unless it begins with a dash [target.text.blank-value]") {
    CHECK(read("accel -rows 8 -name x") == "accel -rows=8 -name=x");
    CHECK(read("accel -sizes 1,2, c") == "accel -sizes=1,2, c");
    CHECK(read("accel -name '-x'") == "accel -name=-x");
    CHECK(read("accel -rows -5") ==
          "target text at 12, '-5': target 'accel' has no option '5' (known: 'rows', 'spin', 'heat', 'name', 'parts', 'sizes', 'level', "
          "'keys', ...)");
    CHECK(read("accel -rows 8 9") == "target text at 14, '9': it stands where an option '-name=value' is expected");
    CHECK(read("accel 8") == "target text at 6, '8': it stands where an option '-name=value' is expected");
}

TEST_CASE("a flag alone is true, or 1, and nothing else [target.text.flag]") {
    CHECK(read("accel -spin -rows") == "accel -rows=1 -spin=true");
    CHECK(read("accel -spin, c") == "accel -spin=true, c");
    CHECK(read("accel -name") ==
          "target text at 6, '-name': option '-name' of target 'accel' stands without a value; write '-name=' and a value of type string");
    CHECK(read("accel -heat").find("stands without a value") != std::string::npos);
    CHECK(read("accel -sizes").find("stands without a value") != std::string::npos);
}

TEST_CASE("a key given twice is an error [target.text.key-twice]") {
    CHECK(read("accel -rows=1 -rows=1") == "target text at 14, '-rows=1': option '-rows' of target 'accel' stands twice; give it once");
    CHECK(read("accel -keys=a -keys=b").find("'-keys'") != std::string::npos);
    CHECK(read("cuda -compiler=cutlass -compiler=cutlass").find("'-compiler' of target 'cutlass' stands twice") != std::string::npos);
}

TEST_CASE("a key that is empty, or all dashes, is an error [target.text.key-empty]") {
    CHECK(read("accel -=1") == "target text at 6, '-=1': it has no name before its '='; write '-name=value'");
    CHECK(read("accel --") == "target text at 6, '--': it has no name behind its dashes; write '-name=value'");
    CHECK(read("accel -").find("no name behind its dashes") != std::string::npos);
}

TEST_CASE("an unknown key is an error with the nearest names [target.text.key-unknown]") {
    CHECK(read("accel -rwos=2") == "target text at 6, '-rwos=2': target 'accel' has no option 'rwos' (did you mean 'rows'?)");
    CHECK(read("cuda -arhc=sm_80").find("(did you mean 'arch'?)") != std::string::npos);
    CHECK(read("cuda -compilre=x").find("(did you mean 'compiler'?)") != std::string::npos);
    CHECK(read("accel -a'b=c").find("never closed") != std::string::npos);
    CHECK(read("accel -a'b'=c").find("an option's name has letters") != std::string::npos);
}

TEST_CASE("an empty value is an error but for a list [target.text.value-empty]") {
    CHECK(read("accel -name=") ==
          "target text at 6, '-name=': option '-name' of target 'accel' has an empty value; write '' for the empty text");
    CHECK(read("accel -rows=").find("write a value of type int") != std::string::npos);
    CHECK(read("accel -name=''") == "accel -name=''");
    CHECK(read("accel -parts= -rows=2") == "accel -rows=2 -parts=");
    CHECK(read("accel -parts=, c") == "accel -parts=, c");
}

TEST_CASE("a value of the wrong type says what is expected [target.text.value-type]") {
    CHECK(read("accel -rows=2x") == "target text at 6, '-rows=2x': option '-rows' of target 'accel' takes a value of type int, not '2x'");
    CHECK(read("accel -level=-1").find("takes a value of type int from 0 to 255, not '-1'") != std::string::npos);
    CHECK(read("accel -spin=True").find("takes a value of type bool, not 'True'") != std::string::npos);
    CHECK(read("accel -sizes=1,x").find("not '1,x', for 'x'") != std::string::npos);
}

TEST_CASE("a comma separates behind a bare kind, and where a blank or the end follows [target.text.comma]") {
    CHECK(read("cuda -keys=big,gpu -arch=sm_80, llvm") == "cuda -arch=sm_80 -keys=big,gpu, llvm");
    CHECK(read("c,accel,cuda") == "c, accel, cuda");
    CHECK(read("c , accel") == "c, accel");
    CHECK(read("c ,accel") == "c, accel");
    CHECK(read("accel -name=v,c") == "accel -name=v,c");
    CHECK(read("accel -name=v, c") == "accel -name=v, c");
    CHECK(read("accel -name='v, c'") == "accel -name='v, c'");
    CHECK(read("accel -name=v\\, c").find("it stands where an option") != std::string::npos);
    CHECK(read("accel -spin,c").find("a blank behind a comma that ends a target") != std::string::npos);
}

TEST_CASE("nothing between commas is an error, and so is an empty text [target.text.empty]") {
    CHECK(read("") == "target text at 0, '': it names no target; write KIND -name=value");
    for (const char* text : {"c,,c", "c,", ",c", ", ", " "}) CHECK(read(text).find("names no target") != std::string::npos);
    CHECK(read("c,, accel") == "target text at 2, ',': it names no target before or behind a comma; write KIND -name=value, KIND");
}

TEST_CASE("a target begins with a kind that is known [target.text.kind]") {
    CHECK(read("acel -rows=2") == "target text at 0, 'acel': there is no target 'acel' (did you mean 'accel'?)");
    CHECK(read("c, -rows=2") ==
          "target text at 3, '-rows=2': an option stands where a target begins with its kind; write KIND -name=value");
    CHECK(read("'accel'").find("a kind has no quotes") != std::string::npos);
    CHECK(read("{\"kind\": 1}").find("begins as JSON does") != std::string::npos);
}

TEST_CASE("an unbalanced quote is an error that says where [target.text.quote]") {
    CHECK(read("c, accel -name='a b") == "target text at 9, '-name='a b': it has a quote ' that is never closed; close it");
    CHECK(read("accel -name=a\\").find("ends with a backslash") != std::string::npos);
}

TEST_CASE("a plain target with a compiler reads as that kind [target.text.compiler]") {
    CHECK(read("cuda -compiler=cutlass") == "cutlass");
    CHECK(read("cuda -arch=sm_80 -compiler=cutlass, llvm") == "cuda -arch=sm_80, cutlass, llvm");
    CHECK(read("cuda -threads=4 -compiler=tensorrt") == "tensorrt -threads=4");
    CHECK(read("cuda -compiler=accel") ==
          "target text at 0, 'cuda': '-compiler' of target 'cuda' names 'accel', which does not refine it; name a back end of device type "
          "cuda");
}

TEST_CASE("a host is a target's text of its own [target.text.host]") {
    CHECK(read("accel -host=llvm") == "accel -host=llvm");
    CHECK(read("accel -host='llvm -mcpu=x', c") == "accel -host='llvm -mcpu=x', c");
    CHECK(read("accel -host=\"llvm -mcpu='a b'\"") == "accel -host='llvm -mcpu=\\'a b\\''");
    CHECK(read("accel -host='llvm -host=c'").find("the host of target 'accel' has a host itself") != std::string::npos);
    CHECK(read("accel -host='llvm, c'").find("names 2 targets where one is expected") != std::string::npos);
    CHECK(read("accel -host=lvm") ==
          "target text at 6, '-host=lvm': target text at 0, 'lvm': there is no target 'lvm' (did you mean 'llvm'?)");
}

TEST_CASE("keys, tag, device and host are common to all kinds [target.text.common]") {
    CHECK(read("accel -keys=a,b -tag=board") == "accel -keys=a,b -tag=board");
    CHECK(read("accel -device=big") == "accel -keys=big,npu");
    CHECK(read("accel -keys=npu") == "accel");
    for (const std::string_view kind : sample_schemas().kinds())
        CHECK(read(std::string(kind) + " -host=c -device=d -tag=b -keys=a") == std::string(kind) + " -keys=a,d -tag=b -host=c");
}

TEST_CASE("one target is one") {
    CHECK(read_target("accel", sample_schemas()).has_value());
    CHECK(read_target("accel, c", sample_schemas()).failure().message == "target text 'accel, c' names 2 targets where one is expected");
}

TEST_CASE("what is printed reads back: any instance of a type, alone and in a list [target.text.round-trip]") {
    CHECK(rc::check([] {
        const target_instance t = instance_of(*sample_accels());
        const auto back = read_target(target_text(t), sample_schemas());
        RC_ASSERT(back.has_value());
        RC_ASSERT(*back == t);
    }));
    CHECK(rc::check([] {
        const auto list = *rc::gen::scale(0.5, rc::gen::nonEmpty(rc::gen::container<std::vector<target_instance>>(sample_instances())));
        const auto back = read_target_list(target_text(list), sample_schemas());
        RC_ASSERT(back.has_value());
        RC_ASSERT(*back == list);
        RC_ASSERT(target_text(*back) == target_text(list));
    }));
}

TEST_CASE("any text is read or refused in one line [target.text.any]") {
    const auto one_line = [](const std::string& text) {
        const auto list = read_target_list(text, sample_schemas());
        if (list) return read_target_list(target_text(*list), sample_schemas()).has_value();
        for (const char c : list.failure().message)
            if (detail::is_control(c)) return false;
        return list.failure().message.size() < 4000;
    };
    CHECK(rc::check([&] { RC_ASSERT(one_line(*sample_text())); }));
    CHECK(rc::check([&] { RC_ASSERT(one_line("accel " + *sample_text() + "-name=" + *sample_text() + " -host=" + *sample_text())); }));
    CHECK(rc::check(
        [&] { RC_ASSERT(one_line(*rc::gen::container<std::string>(rc::gen::element('c', ',', ' ', '-', '=', '\'', '\\', 'x')))); }));
}

TEST_CASE("a hostile text is refused quickly [target.text.hostile]") {
    const std::clock_t start = std::clock();
    const auto repeated = [](const std::string& piece, std::size_t times) {
        std::string text;
        for (std::size_t i = 0; i < times; ++i) text += piece;
        return text;
    };
    CHECK(read(std::string(10'000'000, 'a')).find("a target text has at most 1048576 characters") == 0);
    CHECK(read(std::string(1'000'000, 'a')).size() < 400);
    CHECK(read("accel -name='" + std::string(1'000'000, 'a')).size() < 400);
    CHECK(read("accel" + repeated(" -rows=1", 100'000)).find("stands twice") != std::string::npos);
    CHECK(read("accel" + repeated(" -x", 300'000)).find("no option 'x'") != std::string::npos);
    CHECK(read("c" + repeated(",c", 500'000)).find("is one target too many") != std::string::npos);
    CHECK(read(repeated("accel -host=\\", 80'000)).size() < 400);
    CHECK(read(repeated("accel -host='", 80'000)).size() < 400);
    CHECK(read(repeated("accel -host=", 80'000)).find("there is no target") == std::string::npos);
    CHECK(read(std::string(500'000, '\'')).size() < 400);
    // Ten hosts in each other, where eight are the most; the text doubles with each.
    std::string deep = "llvm";
    for (int i = 0; i < 10; ++i) deep = "accel -host=" + written_value(deep);
    CHECK(read(deep).find("tags and hosts stand in each other more than 8 deep") != std::string::npos);
    CHECK(read(std::string("accel\0-rows=2", 13)) ==
          "target text at 0, 'accel\\x00': it holds a control character outside of quotes; take it out, or quote the value");
    CHECK(read(std::string("accel -name='a\0b'", 17)).size() == 17);
    // What is linear takes less than a second of the processor's time; what is quadratic, minutes. Sanitizers are slow.
    CHECK(std::clock() - start < 20 * CLOCKS_PER_SEC);
}
