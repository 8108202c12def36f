#include "npq/base/pickle/pickle_numpy.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"

namespace npq {
namespace {

using test::error_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// numpy.dtype(name) with a byte order, as instructions.
std::string dtype(const std::string& name, const std::string& order) {
  return "cnumpy\ndtype\n(S'" + name + "'\nI0\nI1\ntR(I3\nS'" + order + "'\nNNNI-1\nI-1\nI0\ntb";
}

// An array of numpy's first form: _reconstruct(ndarray, (0,), 'b') and its state.
std::string array(const std::string& shape, const std::string& type, const std::string& order,
                  const std::string& data) {
  return "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n" + shape +
         type + order + data + "tb.";
}

std::string bytes(const std::string& content) {
  std::string code{'C', static_cast<char>(content.size())};
  return code += content;
}

ArrayData read(const std::string& text) {
  const auto pickle =
      Pickle::from_bytes(std::as_bytes(std::span(text)), "x.pkl", {.globals = numpy_globals()});
  EXPECT_TRUE(is_numpy_array(pickle.root()));
  return numpy_array(pickle.root(), "array 'a'");
}

std::string refusal(const std::string& text) {
  return error_text([&] { read(text); });
}

const std::string kRows = "I00\n";
const std::string kColumns = "I01\n";

TEST(PickleNumpy, ReadsAnArrayInRowsAndInColumns) {
  const auto rows = read(array("(I2\nI3\nt", dtype("u1", "|"), kRows, bytes("\1\2\3\4\5\6")));
  EXPECT_THAT(rows.shape, ElementsAre(2, 3));
  EXPECT_THAT(rows.values<std::uint8_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto columns = read(array("(I2\nI3\nt", dtype("u1", "|"), kColumns, bytes("\1\4\2\5\3\6")));
  EXPECT_THAT(columns.values<std::uint8_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  // a[i,j,k] = 4 i + 2 j + k, stored with i fastest
  const auto cube = read(array("(I2\nI2\nI2\nt", dtype("u1", "|"), kColumns,
                               bytes(std::string("\0\4\2\6\1\5\3\7", 8))));
  EXPECT_THAT(cube.values<std::uint8_t>(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  const auto none = read(array("(I2\nI0\nt", dtype("f4", "<"), kColumns, bytes("")));
  EXPECT_THAT(none.shape, ElementsAre(2, 0));
}

TEST(PickleNumpy, ReadsBytesThatProtocol2WroteAsText) {
  // latin-1 0xe9 is the two bytes c3 a9 in UTF-8
  const auto read_back = read(
      array("(I1\nt", dtype("u1", "|"), kRows, "c_codecs\nencode\n(\x8c\x02\xc3\xa9S'latin1'\ntR"));
  EXPECT_THAT(read_back.values<std::uint8_t>(), ElementsAre(0xe9));
  EXPECT_THAT(refusal(array("(I1\nt", dtype("u1", "|"), kRows,
                            "c_codecs\nencode\n(\x8c\x03\xe2\x82\xacS'latin1'\ntR")),
              HasSubstr("not in latin1"));
  EXPECT_THAT(
      refusal(array("(I1\nt", dtype("u1", "|"), kRows, "c_codecs\nencode\n(S'a'\nS'rot13'\ntR")),
      HasSubstr("not in latin1"));
}

TEST(PickleNumpy, ReadsScalarsAndBuffers) {
  const auto scalar = read("cnumpy._core.multiarray\nscalar\n(" + dtype("i2", "<") +
                           bytes(std::string("\x05\x00", 2)) + "tR.");
  EXPECT_THAT(scalar.shape, IsEmpty());
  EXPECT_THAT(scalar.values<std::int16_t>(), ElementsAre(5));
  const auto buffer = read("cnumpy._core.numeric\n_frombuffer\n(" + bytes("\1\3\2\4") +
                           dtype("i1", "|") + "(I2\nI2\ntS'F'\ntR.");
  EXPECT_THAT(buffer.values<std::int8_t>(), ElementsAre(1, 2, 3, 4));
}

TEST(PickleNumpy, RefusesWhatIsNotPlainNumbers) {
  EXPECT_THAT(
      refusal(array("(I1\nt", dtype("f4", ">"), kRows, bytes("1234"))),
      HasSubstr(
          "array 'a' is not a numpy array this program reads: it holds numbers of dtype '>f4'"));
  EXPECT_THAT(refusal(array("(I1\nt", dtype("O8", "|"), kRows, "]Na")), HasSubstr("dtype '|O8'"));
  EXPECT_THAT(refusal(array("(I1\nt", dtype("U1", "<"), kRows, bytes("1234"))),
              HasSubstr("dtype '<U1'"));
  EXPECT_THAT(refusal(array("(I1\nt", "N", kRows, bytes("1"))), HasSubstr("its dtype is None"));
  EXPECT_THAT(refusal(array("(I1\nt", "cnumpy\ndtype\n(S'V4'\ntR(I3\nS'|'\nN(S'a'\nt}NNNtb", kRows,
                            bytes("1"))),
              HasSubstr("structured"));
}

TEST(PickleNumpy, RefusesShapesThatTheBytesDoNotFill) {
  EXPECT_THAT(refusal(array("(I2\nt", dtype("f4", "<"), kRows, bytes("1234"))),
              HasSubstr("4 bytes do not fill its shape (2) of F32"));
  EXPECT_THAT(refusal(array("(I-1\nt", dtype("f4", "<"), kRows, bytes("1234"))),
              HasSubstr("do not fill its shape (-1)"));
  EXPECT_THAT(refusal(array("(I4611686018427387904\nI4\nt", dtype("f4", "<"), kRows, bytes(""))),
              HasSubstr("do not fill"));
  EXPECT_THAT(refusal(array("(S'a'\nt", dtype("f4", "<"), kRows, bytes("1234"))),
              HasSubstr("a dimension of a pickle is a text"));
}

TEST(PickleNumpy, RefusesArraysWithoutTheirParts) {
  EXPECT_THAT(refusal("cnumpy.core.multiarray\n_reconstruct\n)R."), HasSubstr("lacks its parts"));
  EXPECT_THAT(refusal("cnumpy.core.multiarray\nscalar\n)R."), HasSubstr("lacks its parts"));
  EXPECT_THAT(refusal("cnumpy.core.numeric\n_frombuffer\n)R."), HasSubstr("lacks its parts"));
}

}  // namespace
}  // namespace npq
