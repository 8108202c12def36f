#include "npq/base/formats/npy.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"

namespace npq {
namespace {

using test::error_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A .npy file, version 1.0, with this dict and these bytes of data.
std::string npy(const std::string& dict, const std::string& data) {
  return "\x93NUMPY\x01" + std::string(1, '\0') + static_cast<char>(dict.size()) +
         std::string(1, '\0') + dict + data;
}

NpyHeader read(const std::string& file) {
  return read_npy_header(std::as_bytes(std::span(file)), "x.npy");
}

std::string refused_npy(const std::string& dict, const std::string& data = "abc") {
  return error_text([&] { read(npy(dict, data)); });
}

TEST(Npy, WritesTheHeaderNumpyWrites) {
  const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
  EXPECT_EQ(npy_header(Dtype::F32, std::vector<std::int64_t>{3, 4}),
            npy(dict + std::string(118 - dict.size() - 1, ' ') + "\n", ""));
}

TEST(Npy, PutsTheDataAtAMultipleOf64) {
  std::vector<std::int64_t> shape;
  for (int rank = 0; rank < 40; ++rank, shape.push_back(rank)) {
    EXPECT_EQ(npy_header(Dtype::U8, shape).size() % 64, 0u);
  }
}

TEST(Npy, ReadsTheKeysInAnyOrderAndAllKindsOfShape) {
  EXPECT_THAT(read(npy("{\"shape\":(3,),'fortran_order':False,'descr':'|u1'}\n", "abc")).shape,
              ElementsAre(3));
  EXPECT_THAT(read(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "a")).shape,
              IsEmpty());
  EXPECT_THAT(read(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1, 3)}", "abc")).shape,
              ElementsAre(1, 3));
}

TEST(Npy, ReadsVersion2) {
  const std::string dict = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }";
  const std::string file = "\x93NUMPY\x02" + std::string(1, '\0') + static_cast<char>(dict.size()) +
                           std::string(3, '\0') + dict + "abc";
  EXPECT_EQ(file.substr(read(file).size), "abc");
}

TEST(Npy, RefusesWhatItDoesNotRead) {
  const auto with = [](const std::string& descr, const std::string& order,
                       const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  EXPECT_THAT(refused_npy(with("'|O'", "False", "(3,)")),
              HasSubstr("pickled Python objects, which are never loaded"));
  EXPECT_THAT(refused_npy(with("'>f4'", "False", "(3,)")), HasSubstr("big-endian"));
  EXPECT_THAT(refused_npy(with("'<U3'", "False", "(3,)")),
              HasSubstr("the dtype '<U3' is not read here"));
  EXPECT_THAT(refused_npy(with("[('a', '|u1')]", "False", "(3,)")), HasSubstr("structured arrays"));
  EXPECT_THAT(refused_npy(with("'|u1'", "True", "(3, 1)")), HasSubstr("column by column"));
  EXPECT_THAT(refused_npy(with("'|u1'", "0", "(3,)")), HasSubstr("neither True nor False"));
  EXPECT_THAT(refused_npy(with("'|u1'", "False", "(3)")), HasSubstr("not a tuple"));
  EXPECT_THAT(refused_npy(with("'|u1'", "False", "(-3,)")),
              HasSubstr("'-3,), }' begins no dimension"));
  EXPECT_THAT(refused_npy(with("'|u1'", "False", "(99999999999999999999,)")),
              HasSubstr("begins no dimension"));
  EXPECT_THAT(refused_npy(with("'|u1'", "False", "(4,)")),
              HasSubstr("shape (4) of U8, but 3 bytes of data"));
  EXPECT_THAT(refused_npy(with("'<f8'", "False", "(2305843009213693952,)"), ""),
              HasSubstr("but 0 bytes of data"));
  EXPECT_THAT(refused_npy(with("__import__('os')", "False", "(3,)")),
              HasSubstr("expected a quoted text"));
}

TEST(Npy, RefusesDictsThatAreNotTheThreeKeys) {
  EXPECT_THAT(refused_npy("{'descr': '|u1', }"),
              HasSubstr("it needs descr, fortran_order and shape"));
  EXPECT_THAT(refused_npy("{'descr': '|u1', 'descr': '|u1', }"), HasSubstr("'descr' comes twice"));
  EXPECT_THAT(refused_npy("{'name': '|u1', }"), HasSubstr("the key 'name' is unknown"));
  EXPECT_THAT(refused_npy("{'descr': '|u1', 'fortran_order': False, 'shape': (3,)} x"),
              HasSubstr("text follows it"));
  EXPECT_THAT(refused_npy("{'descr"), HasSubstr("expected a quoted text"));
  EXPECT_THAT(refused_npy(""), HasSubstr("expected '{'"));
}

TEST(Npy, RefusesOtherFilesAndVersions) {
  EXPECT_THAT(error_text([] { read("NUMPY, or not"); }),
              HasSubstr("does not begin with numpy's mark"));
  EXPECT_THAT(error_text([] { read("\x93NU"); }), HasSubstr("is cut off"));
  EXPECT_THAT(error_text([] { read("\x93NUMPY\x04" + std::string(20, '\0')); }),
              HasSubstr("version 4.0"));
  EXPECT_THAT(error_text([] { read("\x93NUMPY\x01" + std::string(1, '\0') + "\xff\xff{}"); }),
              HasSubstr("65535 more bytes were expected"));
}

TEST(Npy, KnowsEveryDtypeNumpyHasUnderItsName) {
  int known = 0;
  for (int i = 0; i <= static_cast<int>(Dtype::F64); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const auto descr = numpy_descr(dtype);
    if (!descr) continue;
    ++known;
    EXPECT_EQ(dtype_of_numpy(*descr), dtype);
  }
  EXPECT_EQ(known, 12);  // all but BF16
}

}  // namespace
}  // namespace npq
