#include "npq/base/formats/safetensors.h"

#include <gmock/gmock.h>

#include "npq/base/formats/safetensors_writer.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The bytes of a file with this header and data.
std::string file_of(const std::string& header, const std::string& data, std::uint64_t length) {
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}
std::string file_of(const std::string& header, const std::string& data = "") {
  return file_of(header, data, header.size());
}

SafetensorsFile read(const std::string& content) {
  return SafetensorsFile::from_bytes(std::as_bytes(std::span(content)), "x.safetensors");
}

// Reading this header must fail; the text says why.
std::string refusal(const std::string& header, const std::string& data = "") {
  return error_text([&] { read(file_of(header, data)); });
}

// The header of one tensor 'w' of four bytes, U8, with one property replaced.
std::string header_with(const std::string& dtype, const std::string& shape,
                        const std::string& offsets) {
  return R"({"w":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

TEST(Safetensors, ReadsTensorsInTheOrderOfTheirBytesWithMetadata) {
  const std::string content = file_of(
      R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]},)"
      R"("__metadata__":{"step":"7"},"a":{"data_offsets":[0,2],"shape":[1,2],"dtype":"I8"}}  )",
      "\x01\xff\x03\x04");
  const auto file = read(content);
  ASSERT_EQ(file.tensors().size(), 2u);
  EXPECT_EQ(file.tensors()[0].name, "a");
  EXPECT_EQ(file.tensors()[1].name, "b");
  EXPECT_THAT(file.at("a").shape, ElementsAre(1, 2));
  EXPECT_THAT(file.values<std::int8_t>("a"), ElementsAre(1, -1));
  EXPECT_THAT(file.values<std::uint8_t>("b"), ElementsAre(3, 4));
  EXPECT_EQ(file.metadata().at("step"), "7");
  EXPECT_EQ(file.find("c"), nullptr);
}

TEST(Safetensors, ReadsScalarsEmptyTensorsAndEmptyFiles) {
  EXPECT_THAT(read(file_of("{}")).tensors(), IsEmpty());
  const std::string content = file_of(
      R"({"none":{"dtype":"F64","shape":[0,3],"data_offsets":[0,0]},"s":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})",
      "\x05");
  const auto file = read(content);
  EXPECT_THAT(file.values<double>("none"), IsEmpty());
  EXPECT_THAT(file.values<std::uint8_t>("s"), ElementsAre(5));
}

TEST(Safetensors, CopiesNumbersThatLieOffTheirAlignment) {
  const float number = 1.5f;
  const std::string content = file_of(
      R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]},"f":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})",
      "\x01" + std::string(reinterpret_cast<const char*>(&number), 4));
  EXPECT_THAT(read(content).values<float>("f"), ElementsAre(1.5f));
}

TEST(Safetensors, NamesFileTensorAndBothDtypesOfAMismatch) {
  const std::string content = file_of(header_with("\"U8\"", "[4]", "[0,4]"), "abcd");
  EXPECT_EQ(error_text([&] { read(content).values<float>("w"); }),
            "tensor 'w' of 'x.safetensors' has dtype U8; expected F32");
}

TEST(Safetensors, NamesTheNearestOfAMissingTensor) {
  const std::string content =
      file_of(R"({"encoder.weight":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})", "a");
  EXPECT_EQ(error_text([&] { read(content).at("encoder.wieght"); }),
            "'x.safetensors' has no tensor 'encoder.wieght', the nearest is 'encoder.weight'; it "
            "holds 1 tensors");
}

TEST(Safetensors, ChecksTheHeaderLengthBeforeAnythingElse) {
  EXPECT_THAT(error_text([] { read("{}"); }),
              HasSubstr("it has 2 bytes, fewer than its header length takes"));
  EXPECT_THAT(error_text([] { read(file_of("{}", "", 3)); }),
              HasSubstr("should have 3 bytes, but the file ends after 2"));
  EXPECT_THAT(error_text([] { read(file_of("{}", "", ~0ull)); }),
              HasSubstr("claims a header of 18446744073709551615 bytes"));
}

TEST(Safetensors, RefusesHeadersThatAreNotOneJsonObject) {
  EXPECT_THAT(refusal(""), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{]}"), HasSubstr("not valid JSON at byte 2"));
  EXPECT_THAT(refusal("{}{}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"\xff\":{}}"), HasSubstr("not valid JSON"));
}

TEST(Safetensors, AllowsOnlyBlanksAsPadding) {
  EXPECT_NO_THROW(read(file_of("{}      ")));
  EXPECT_THAT(refusal(" {}"), HasSubstr("padded with blanks"));
  EXPECT_THAT(refusal("{}\n"), HasSubstr("padded with blanks"));
  EXPECT_THAT(refusal(std::string("{}\0", 3)), HasSubstr("padded with blanks"));
}

TEST(Safetensors, EndsAtTheFirstNestingTheFormatDoesNotKnow) {
  EXPECT_THAT(refusal(R"({"w":[[[[)" + std::string(100'000, '[') + "}"),
              HasSubstr("tensor 'w' is a list, not an object"));
  EXPECT_THAT(refusal(R"({"w":{"dtype":{}}})"), HasSubstr("tensor 'w' has an object for a dtype"));
  EXPECT_THAT(refusal(R"({"w":{"shape":[[1]]}})"), HasSubstr("tensor 'w' has a list in its shape"));
}

TEST(Safetensors, RefusesANameThatComesTwice) {
  const std::string one = R"("w":{"dtype":"U8","shape":[],"data_offsets":[0,1]})";
  EXPECT_THAT(refusal("{" + one + "," + one + "}", "a"), HasSubstr("it names 'w' twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{},"__metadata__":{}})"),
              HasSubstr("'__metadata__' twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"a":"1","a":"1"}})"),
              HasSubstr("its metadata name 'a' twice"));
  EXPECT_THAT(refusal(R"({"w":{"dtype":"U8","dtype":"U8"}})"),
              HasSubstr("tensor 'w' has 'dtype' twice"));
}

TEST(Safetensors, RefusesNulInNames) {
  EXPECT_THAT(refusal(R"({"a\u0000b":{}})"), HasSubstr(R"(the name 'a\x00b' contains a NUL)"));
}

TEST(Safetensors, RefusesMetadataThatAreNotText) {
  for (const char* value : {"1", "null", "true", "[]", "{}", "1.5"}) {
    EXPECT_THAT(refusal(R"({"__metadata__":{"step":)" + std::string(value) + "}}"),
                HasSubstr("its metadata 'step' hold "));
  }
  EXPECT_THAT(refusal(R"({"__metadata__":[]})"), HasSubstr("metadata"));
}

TEST(Safetensors, RefusesIncompleteAndUnknownProperties) {
  EXPECT_THAT(refusal(R"({"w":{"dtype":"U8","shape":[]}})"), HasSubstr("tensor 'w' lacks one of"));
  EXPECT_THAT(refusal(R"({"w":{"order":"C"}})"),
              HasSubstr("tensor 'w' has the unknown property 'order'"));
  EXPECT_THAT(refusal(header_with("\"F8\"", "[4]", "[0,4]"), "abcd"),
              HasSubstr("unknown dtype 'F8'"));
  EXPECT_THAT(refusal(header_with("\"U8\"", "[4]", "[0]"), "abcd"),
              HasSubstr("needs two data_offsets"));
  EXPECT_THAT(refusal(header_with("\"U8\"", "[4]", "[0,4,4]"), "abcd"),
              HasSubstr("in its data_offsets"));
}

TEST(Safetensors, RefusesDimensionsThatAreNoCounts) {
  for (const char* shape :
       {"[-1]", "[4.0]", "[\"4\"]", "[null]", "[9223372036854775808]", "[99999999999999999999]"}) {
    EXPECT_THAT(refusal(header_with("\"U8\"", shape, "[0,4]"), "abcd"),
                AllOf(HasSubstr("tensor 'w' has "), HasSubstr("in its shape")));
  }
}

TEST(Safetensors, RefusesShapesWhoseProductOverflows) {
  // 2^32 * 2^32 * 4 bytes would wrap around to nothing.
  EXPECT_THAT(refusal(header_with("\"F32\"", "[4294967296,4294967296]", "[0,0]")),
              HasSubstr("too large for any memory"));
  EXPECT_THAT(refusal(header_with("\"F32\"", "[0,4294967296,4294967296]", "[0,0]")),
              HasSubstr("too large for any memory"));
}

TEST(Safetensors, RefusesShapesThatDoNotFillTheirRange) {
  EXPECT_THAT(refusal(header_with("\"F32\"", "[2]", "[0,4]"), "abcd"),
              HasSubstr("tensor 'w' needs 8 bytes for its shape and dtype, but its range holds 4"));
}

TEST(Safetensors, RefusesRangesOutsideTheDataOrBackwards) {
  EXPECT_THAT(refusal(header_with("\"U8\"", "[4]", "[0,4]"), "abc"),
              HasSubstr("ends at byte 4, but the file has only 3"));
  EXPECT_THAT(refusal(header_with("\"U8\"", "[0]", "[4,0]"), "abcd"),
              HasSubstr("begins at byte 4 and ends before it"));
}

TEST(Safetensors, RefusesGapsOverlapsAndTrailingBytes) {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
           R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}";
  };
  EXPECT_THAT(refusal(two("[0,2]", "[3,5]"), "abcde"),
              HasSubstr("tensor 'b' begins at byte 3, leaving a gap after 2"));
  EXPECT_THAT(refusal(two("[0,2]", "[1,3]"), "abc"),
              HasSubstr("tensor 'b' begins at byte 1, inside another tensor that ends at 2"));
  EXPECT_THAT(refusal(two("[0,2]", "[2,4]"), "abcde"), HasSubstr("1 bytes follow its last tensor"));
}

TEST(Safetensors, RefusesFoldersPipesAndMissingFiles) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { SafetensorsFile::open(folder.path()); }),
              HasSubstr("Is a directory; expected a file"));
  EXPECT_THAT(error_text([&] { SafetensorsFile::open(folder / "a"); }),
              HasSubstr("No such file or directory; check the path"));
  EXPECT_THAT(error_text([&] { SafetensorsFile::open("/dev/null"); }),
              HasSubstr("a pipe or a device"));
  put_file(folder / "empty", "");
  EXPECT_THAT(error_text([&] { SafetensorsFile::open(folder / "empty"); }),
              HasSubstr("it has 0 bytes"));
}

TEST(SafetensorsWriter, WritesWhatTheReaderReads) {
  const TemporaryFolder folder;
  const std::vector<float> weights{1, -2, 0.5f, 3, 4, 5};
  const std::vector<std::uint8_t> flags{1, 0, 1};
  SafetensorsWriter writer(folder / "a.safetensors", {{"names", R"(["ä","\n"])"}});
  writer.declare("flags", Dtype::Bool, {3});
  writer.declare("layer/weight \"w\"", Dtype::F32, {2, 3});
  writer.declare("none", Dtype::I64, {0});
  writer.begin();
  writer.append(std::as_bytes(std::span(flags)));
  writer.append(std::as_bytes(std::span(weights).first(2)));
  writer.append(std::as_bytes(std::span(weights).subspan(2)));
  writer.commit();
  const auto file = SafetensorsFile::open(folder / "a.safetensors");
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(file.tensors()[0].name, "flags");
  EXPECT_EQ(file.values<std::uint8_t>("flags"), flags);
  EXPECT_EQ(file.values<float>("layer/weight \"w\""), weights);
  EXPECT_THAT(file.at("layer/weight \"w\"").shape, ElementsAre(2, 3));
  EXPECT_EQ(file.metadata().at("names"), R"(["ä","\n"])");
}

TEST(SafetensorsWriter, StartsTheDataAtAMultipleOfEight) {
  const TemporaryFolder folder;
  for (const std::string name :
       {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"}) {
    write_safetensors(folder / "a", std::vector<NamedTensor>{{name, Dtype::U8, {0}, {}}});
    EXPECT_EQ(file_content(folder / "a").size() % 8, 0u) << name;
  }
}

TEST(SafetensorsWriter, RefusesNamesTheFormatCannotKeep) {
  const TemporaryFolder folder;
  SafetensorsWriter writer(folder / "a");
  writer.declare("w", Dtype::U8, {});
  EXPECT_THAT(error_text([&] { writer.declare("w", Dtype::U8, {}); }),
              HasSubstr("one of that name already"));
  EXPECT_THAT(error_text([&] { writer.declare(std::string("a\0b", 3), Dtype::U8, {}); }),
              HasSubstr("contains a NUL"));
  EXPECT_THAT(error_text([&] { writer.declare("__metadata__", Dtype::U8, {}); }),
              HasSubstr("keeps this name for itself"));
  EXPECT_THAT(error_text([&] { writer.declare("v", Dtype::U8, {-1}); }),
              HasSubstr("must not be negative"));
}

TEST(SafetensorsWriter, RefusesTextThatIsNotUtf8) {
  const TemporaryFolder folder;
  SafetensorsWriter writer(folder / "a");
  writer.declare("\xff", Dtype::U8, {});
  EXPECT_THAT(error_text([&] { writer.begin(); }), HasSubstr(R"(the text '\xff' is not UTF-8)"));
}

TEST(SafetensorsWriter, LeavesNoFileWhereBytesAreMissingOrTooMany) {
  const TemporaryFolder folder;
  const std::string abc = "abc";
  {
    SafetensorsWriter writer(folder / "a");
    writer.declare("w", Dtype::U8, {2});
    writer.begin();
    EXPECT_THAT(error_text([&] { writer.append(std::as_bytes(std::span(abc))); }),
                HasSubstr("more are being written"));
    EXPECT_THAT(error_text([&] { writer.commit(); }),
                HasSubstr("2 bytes of tensors, but only 0 were written"));
  }
  EXPECT_EQ(test::entries_in(folder.path()), 0);
  const NamedTensor wrong{"w", Dtype::U8, {2}, std::as_bytes(std::span(abc))};
  EXPECT_THAT(error_text([&] { write_safetensors(folder / "a", std::span(&wrong, 1)); }),
              HasSubstr("3 bytes do not fit it"));
}

}  // namespace
}  // namespace npq
