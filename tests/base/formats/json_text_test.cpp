// JSON from outside: what is taken, and the sentence for everything else.
#include "npq/base/formats/json_text.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "npq/base/files/json_file.h"
#include "npq/base/formats/json_value.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refused_json(const std::string& text, const JsonOptions& options = {}) {
  const auto said = error_text([&] { parse_json_object(text, "'x.json'", options); });
  EXPECT_THAT(said, Not(HasSubstr("json.exception")));
  return said;
}

std::string nested_lists(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonText, MalformedTextIsNamedWithLineAndColumn) {
  EXPECT_THAT(refused_json("{\"a\": 1,\n \"b\": }"),
              HasSubstr("'x.json' is malformed JSON at line 2, column 7: unexpected '}'"));
  EXPECT_THAT(refused_json(""),
              HasSubstr("malformed JSON at line 1, column 1: unexpected end of input"));
  EXPECT_THAT(refused_json("{\"a\": NaN}"), HasSubstr("malformed JSON at line 1, column"));
  EXPECT_THAT(refused_json("{\"\xff\": 1}"), HasSubstr("malformed JSON at line 1, column 3"));
  EXPECT_THAT(refused_json("{} {}"), HasSubstr("malformed JSON at line 1, column 4"));
}

TEST(JsonText, ANumberBeyondDoubleIsNamedWithItsPlace) {
  EXPECT_THAT(
      refused_json("{\"a\":\n 1e999}"),
      HasSubstr("'x.json' has the number 1e999 at line 2, column 6, which is out of range"));
  EXPECT_EQ(parse_json("1e308", "x"), 1e308);
}

TEST(JsonText, WhatIsNoObjectIsSaid) {
  EXPECT_THAT(refused_json("[1]"), HasSubstr("'x.json' is a list instead of a JSON object"));
  EXPECT_THAT(refused_json("7"), HasSubstr("is the value 7 instead of a JSON object"));
}

TEST(JsonText, NestingIsLimitedBeforeAnythingIsKept) {
  EXPECT_EQ(parse_json("{\"a\": " + nested_lists(31) + "}", "x").size(), 1u);
  EXPECT_THAT(refused_json("{\"a\": " + nested_lists(32) + "}"),
              HasSubstr("'x.json' is nested more than 32 deep at line 1, column 38"));
  EXPECT_THAT(refused_json(std::string(500'000, '[')), HasSubstr("nested more than 32 deep"));
  EXPECT_THAT(refused_json("{\"a\":\n{\"b\": {}}}", {.depth = 2}),
              HasSubstr("deep at line 2, column 7"));
}

TEST(JsonText, BracketsInsideStringsDoNotNest) {
  const std::string text = "\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"";
  EXPECT_EQ(parse_json(text, "x").get<std::string>().size(), 201u);
}

TEST(JsonText, MoreBytesThanAllowedAreRefused) {
  EXPECT_THAT(refused_json("{\"a\":  1}", {.bytes = 8}),
              HasSubstr("has 9 bytes; expected at most 8"));
  EXPECT_NO_THROW(parse_json("{\"a\": 1}", "x", {.bytes = 8}));
}

TEST(JsonText, MembersToSkipTakeNoMemoryAndNamesMayBeAskedToDiffer) {
  EXPECT_EQ(parse_json(R"({"a": [1, 2], "b": 3})", "x", {.skip = "a"}).dump(), R"({"b":3})");
  EXPECT_THAT(refused_json(R"({"a": {"b": 1, "b": 2}})", {.unique_names = true}),
              HasSubstr("'b' is there twice in one object"));
  EXPECT_NO_THROW(parse_json(R"([{"b": 1}, {"b": 2}])", "x", {.unique_names = true}));
}

TEST(JsonText, AdviceEndsEveryMessage) {
  for (const std::string text : {"{", "[]", "[1e999]", "[[[", "{\"aaaaaaaaaaa\":1}"})
    EXPECT_THAT(refused_json(text, {.bytes = 12, .depth = 2, .advice = "remove it"}),
                ::testing::EndsWith("; remove it"));
}

TEST(JsonText, JsonOrNullThrowsNothing) {
  const std::string deep(100, '[');
  for (const auto& text : {std::string("{"), std::string("1e999"), std::string(), deep})
    EXPECT_TRUE(json_or_null(text).is_null()) << text;
  EXPECT_EQ(json_or_null("[1]").size(), 1u);
}

TEST(JsonText, TheLibrarysReasonComesWithoutTheNameOfItsException) {
  try {
    nlohmann::json(1).get<std::string>();
    FAIL();
  } catch (const nlohmann::json::exception& error) {
    EXPECT_EQ(json_reason(error.what()), "type must be string, but is number");
  }
}

TEST(JsonFile, ATextMayComeThroughAPipeButNotFromAFolder) {
  const TemporaryFolder folder;
  put_file(folder / "x", "12345");
  EXPECT_EQ(read_text(folder / "x", 5), "12345");
  EXPECT_THAT(error_text([&] { read_text(folder / "x", 4); }), HasSubstr("more than 4 bytes"));
  EXPECT_THAT(error_text([&] { read_text(folder.path(), 4); }),
              HasSubstr("Is a directory; expected a file"));
  EXPECT_THAT(error_text([&] { read_text("/dev/zero", 4); }), HasSubstr("more than 4 bytes"));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "{}", 2), 2);
  close(ends[1]);
  EXPECT_EQ(read_text("/dev/fd/" + std::to_string(ends[0]), 5), "{}");
  close(ends[0]);
}

TEST(JsonValue, ReadsExactlyOrSaysWhatWasExpected) {
  const auto object = parse_json(
      R"({"n": 5, "x": 1.5, "big": 5000000000, "t": "a", "list": [1, 2], "map": {"k": "v"}})", "x");
  EXPECT_EQ(json_member<int>(object, "n"), 5);
  EXPECT_EQ(json_member<double>(object, "n"), 5.0);
  EXPECT_EQ(json_member<std::vector<int>>(object, "list"), (std::vector{1, 2}));
  EXPECT_EQ((json_member<std::map<std::string, std::string>>(object, "map").at("k")), "v");
  EXPECT_EQ(json_member_or<int>(object, "none", 3), 3);
  const auto wrong = [&]<class Value>(const char* key, Value) {
    return error_text([&] { json_member<Value>(object, key); });
  };
  EXPECT_EQ(wrong("none", 0), "'none' is missing");
  EXPECT_EQ(wrong("x", 0), "'x' is 1.5; expected a whole number in range");
  EXPECT_EQ(wrong("big", 0), "'big' is 5000000000; expected a whole number in range");
  EXPECT_EQ(wrong("t", 0.5), "'t' is \"a\"; expected a number");
  EXPECT_EQ(wrong("n", true), "'n' is 5; expected true or false");
  EXPECT_EQ(wrong("map", std::string()), "'map' is {\"k\":\"v\"}; expected a text");
  EXPECT_EQ(wrong("n", std::vector<int>()),
            "'n' is 5; expected a list, each entry a whole number in range");
}

}  // namespace
}  // namespace npq
