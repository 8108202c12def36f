#include "npq/base/pickle/pickle.h"

#include <gmock/gmock.h>

#include <deque>

#include "tests/support/error_text.h"

namespace npq {
namespace {

using test::error_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = PickleValue::Kind;

// Instructions written out by hand; a literal may contain NUL, so its size is taken from the array.
template <std::size_t N>
std::string code(const char (&text)[N]) {
  return std::string(text, N - 1);
}

// Values point into the file's bytes, so the texts of all tests are kept.
Pickle read(const std::string& text, const PickleOptions& options = {}) {
  static std::deque<std::string> kept;
  const std::string& bytes = kept.emplace_back(text);
  return Pickle::from_bytes(std::as_bytes(std::span(bytes)), "x.pkl", options);
}

std::string refusal(const std::string& text, const PickleOptions& options = {}) {
  return error_text([&] { read(text, options); });
}

std::vector<std::int64_t> integers(const PickleValue& value) {
  std::vector<std::int64_t> numbers;
  for (const auto* item : value.items) numbers.push_back(item->integer);
  return numbers;
}

TEST(Pickle, ReadsConstantsOfAllProtocols) {
  EXPECT_EQ(read("N.").root().kind, Kind::None);
  for (const auto& text : {code("\x88."), code("I01\n.")})
    EXPECT_TRUE(read(text).root().as_bool("it"));
  for (const auto& text : {code("\x89."), code("I00\n.")})
    EXPECT_FALSE(read(text).root().as_bool("it"));
  for (const auto& text : {code("K\x07."), code("M\x07\x00."), code("J\x07\x00\x00\x00."),
                           code("I7\n."), code("L7L\n."), code("\x8a\x01\x07."),
                           code("\x8b\x01\x00\x00\x00\x07."), code("\x80\x02K\x07.")}) {
    EXPECT_EQ(read(text).root().as_int("it"), 7);
  }
  for (const auto& text : {code("G\x3f\xf8\x00\x00\x00\x00\x00\x00."), code("F1.5\n.")}) {
    const auto pickle = read(text);
    EXPECT_EQ(pickle.root().kind, Kind::Float);
    EXPECT_EQ(pickle.root().real, 1.5);
  }
}

TEST(Pickle, ReadsNegativeAndLongNumbers) {
  EXPECT_EQ(read(code("J\xff\xff\xff\xff.")).root().integer, -1);
  EXPECT_EQ(read(code("\x8a\x02\x00\x80.")).root().integer, -32768);
  EXPECT_EQ(read(code("\x8a\x02\xff\x00.")).root().integer, 255);
  EXPECT_EQ(read(code("\x8a\x00.")).root().integer, 0);
  EXPECT_EQ(read(code("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80.")).root().integer, INT64_MIN);
  EXPECT_THAT(refusal(code("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00.")),
              HasSubstr("more than 64 bits"));
  EXPECT_THAT(refusal("I99999999999999999999\n."), HasSubstr("is not a 64-bit number"));
}

TEST(Pickle, ReadsTextAndBytes) {
  for (const auto& text : {code("\x8c\x02hi."), code("X\x02\x00\x00\x00hi."),
                           code("\x8d\x02\x00\x00\x00\x00\x00\x00\x00hi."), code("U\x02hi."),
                           code("T\x02\x00\x00\x00hi."), code("S'hi'\n."), code("Vhi\n.")}) {
    const auto pickle = read(text);
    EXPECT_EQ(pickle.root().as_text("it"), "hi");
  }
  for (const auto& text :
       {code("C\x02\xff\x00."), code("B\x02\x00\x00\x00\xff\x00."), code("U\x02\xff\x00."),
        code("\x8e\x02\x00\x00\x00\x00\x00\x00\x00\xff\x00."),
        code("\x96\x02\x00\x00\x00\x00\x00\x00\x00\xff\x00.")}) {
    const auto pickle = read(text);
    EXPECT_EQ(pickle.root().kind, Kind::Bytes);
    EXPECT_EQ(pickle.root().text, code("\xff\x00"));
  }
}

TEST(Pickle, RefusesTextThatIsNotUtf8AndEscapesOfProtocol0) {
  for (const auto& bad : {code("\xff"), code("\xc0\x80"), code("\xed\xa0\x80"),
                          code("\xf4\x90\x80\x80"), code("\xe2\x82")}) {
    EXPECT_THAT(refusal("\x8c" + std::string(1, static_cast<char>(bad.size())) + bad + "."),
                HasSubstr("not UTF-8"));
  }
  EXPECT_EQ(read("\x8c\x04\xf0\x9f\x90\x8d.").root().text, "\xf0\x9f\x90\x8d");
  EXPECT_THAT(refusal("V\\u1234\n."), HasSubstr("escapes"));
  EXPECT_THAT(refusal("S'a\\n'\n."), HasSubstr("escapes"));
  EXPECT_THAT(refusal("Sa\n."), HasSubstr("no quotes"));
}

TEST(Pickle, ReadsContainers) {
  EXPECT_THAT(integers(read("](K\x01K\x02"
                            "e.")
                           .root()),
              ElementsAre(1, 2));
  EXPECT_THAT(integers(read("(K\x01K\x02l.").root()), ElementsAre(1, 2));
  EXPECT_THAT(integers(read("]K\x01"
                            "a.")
                           .root()),
              ElementsAre(1));
  EXPECT_THAT(integers(read("(K\x01K\x02K\x03K\x04t.").root()), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(integers(read("K\x01K\x02K\x03\x87.").root()), ElementsAre(1, 2, 3));
  EXPECT_THAT(integers(read("K\x01K\x02\x86.").root()), ElementsAre(1, 2));
  EXPECT_THAT(read(").").root().items, IsEmpty());
  EXPECT_THAT(integers(read("\x8f(K\x01K\x02\x90.").root()), ElementsAre(1, 2));
  for (const auto& text : {code("}(U\x01"
                                "aK\x05U\x01"
                                "bK\x06u."),
                           code("(U\x01"
                                "aK\x05U\x01"
                                "bK\x06"
                                "d."),
                           code("}U\x01"
                                "aK\x05sU\x01"
                                "bK\x06s.")}) {
    const auto pickle = read(text);
    ASSERT_NE(pickle.root().find("b"), nullptr);
    EXPECT_EQ(pickle.root().find("b")->integer, 6);
    EXPECT_EQ(pickle.root().find("c"), nullptr);
    EXPECT_EQ(pickle.root().as_dict("it").front().first, "a");
  }
}

TEST(Pickle, SharesWhatTheMemoKeepsEvenIfItIsFilledLater) {
  // a = []; [a, a] with 7 appended to a at the end of it all: both must show it.
  const auto shared =
      read(code("](]q\x05h\x05"
                "eq\x06"
                "0h\x05K\x07"
                "a0h\x06."));
  ASSERT_EQ(shared.root().items.size(), 2u);
  EXPECT_THAT(integers(*shared.root().items[0]), ElementsAre(7));
  EXPECT_THAT(integers(*shared.root().items[1]), ElementsAre(7));
}

TEST(Pickle, KeepsCallsAsInertData) {
  const PickleOptions options{.globals = {"m.f"}};
  for (const auto& text :
       {code("cm\nf\nK\x01\x85R."),
        code("\x8c\x01m\x8c\x01"
             "f\x93K\x01\x85R."),
        code("cm\nf\nK\x01\x85\x81."), code("(K\x01im\nf\n."), code("(cm\nf\nK\x01o.")}) {
    const auto pickle = read(text, options);
    ASSERT_TRUE(pickle.root().is_object("m.f"));
    EXPECT_THAT(integers(*pickle.root().args), ElementsAre(1));
    EXPECT_EQ(pickle.root().state, nullptr);
  }
  const auto built = read(
      "cm\nf\n)RK\x09"
      "b.",
      options);
  EXPECT_EQ(built.root().state->integer, 9);
  EXPECT_THAT(refusal("cm\nf\n)RK\x09"
                      "bK\x09"
                      "b.",
                      options),
              HasSubstr("state of an object twice"));
  const auto filled = read("cm\nf\n)RK\x01K\x02s.", options);
  EXPECT_THAT(integers(filled.root()), ElementsAre(1, 2));
}

TEST(Pickle, RefusesEveryGlobalThatIsNotListed) {
  EXPECT_EQ(refusal("cos\nsystem\n(U\x04"
                    "exittR."),
            "'x.pkl': this pickle wants to call 'os.system'; only plain values are understood, and "
            "nothing was run");
  EXPECT_THAT(refusal("\x8c\x02os\x8c\x06system\x93.", {.globals = {"a.b", "c.d"}}),
              HasSubstr("'os.system'; only a.b, c.d are understood"));
  EXPECT_THAT(refusal("(ios\nsystem\n."), HasSubstr("'os.system'"));
  EXPECT_THAT(refusal("U\x01"
                      "a)R."),
              HasSubstr("it calls a text"));
}

TEST(Pickle, KeepsPersistentIdsOnlyWhereAsked) {
  EXPECT_THAT(refusal("K\x01Q."), HasSubstr("refers to data kept elsewhere"));
  EXPECT_EQ(read("K\x01Q.", {.persistent_ids = true}).root().args->integer, 1);
}

TEST(Pickle, RefusesWhatNeedsMoreThanTheFile) {
  EXPECT_THAT(refusal("\x97."), HasSubstr("buffers were saved elsewhere"));
  EXPECT_THAT(refusal("\x82\x01."), HasSubstr("extension registry"));
  EXPECT_THAT(refusal("\x80\x06N."), HasSubstr("newer than 5"));
  EXPECT_THAT(refusal("\xfeN."), HasSubstr("unknown instruction 0xfe"));
}

TEST(Pickle, NoticesEveryCut) {
  const auto whole = code(
      "\x80\x04\x95\x11\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
      "a\x94]\x94(K\x01K\x02"
      "eu.");
  ASSERT_EQ(read(whole).root().find("a")->items.size(), 2u);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read(whole.substr(0, size)), Error) << size;
  }
  EXPECT_THAT(refusal(whole + "x"), HasSubstr("1 bytes follow its end"));
  EXPECT_THAT(refusal("NN."), HasSubstr("leaves more than one value"));
}

TEST(Pickle, BelievesNoLength) {
  EXPECT_THAT(refusal(code("B\xff\xff\xff\xff.")),
              HasSubstr("is cut off: 4294967295 more bytes were expected"));
  EXPECT_THAT(refusal(code("\x8e\xff\xff\xff\xff\xff\xff\xff\xff.")), HasSubstr("is cut off"));
  EXPECT_THAT(refusal(code("\x95\xff\x00\x00\x00\x00\x00\x00\x00N.")),
              HasSubstr("a frame is cut off"));
}

TEST(Pickle, RefusesAMisusedStack) {
  EXPECT_THAT(refusal("."), HasSubstr("takes a value where none is"));
  EXPECT_THAT(refusal("t."), HasSubstr("takes values where none are"));
  EXPECT_THAT(refusal("N(\x85."), HasSubstr("takes a value where none is"));
  EXPECT_THAT(refusal("Na."), HasSubstr("takes a value where none is"));
  EXPECT_THAT(refusal("NNa."), HasSubstr("adds items to None"));
  EXPECT_THAT(refusal("NNNs."), HasSubstr("sets keys of None"));
  EXPECT_THAT(refusal("}(Nu."), HasSubstr("a key has no value"));
  EXPECT_THAT(refusal("NNb."), HasSubstr("sets the state of None"));
  EXPECT_THAT(refusal(code("h\x01.")), HasSubstr("recalls value 1, which it never kept"));
}

TEST(Pickle, RefusesAValueThatContainsItself) {
  EXPECT_THAT(refusal(code("]q\x01h\x01"
                           "a.")),
              HasSubstr("holds a list that contains itself"));
}

TEST(Pickle, LimitsDepthAndCount) {
  // 99 lists around a None are 100 levels.
  const auto nested = [](int lists) {
    return std::string(static_cast<std::size_t>(lists), ']') + "N" +
           std::string(static_cast<std::size_t>(lists), 'a') + ".";
  };
  EXPECT_NO_THROW(read(nested(99)));
  EXPECT_THAT(refusal(nested(100)), HasSubstr("nests more than 100 levels deep"));
  EXPECT_THAT(refusal(nested(100'000)), HasSubstr("nests more than 100 levels deep"));
  EXPECT_THAT(refusal("(NNNt.", {.most_values = 3}), HasSubstr("holds more than 3 values"));
  EXPECT_NO_THROW(read("(NNNt.", {.most_values = 4}));
}

TEST(Pickle, CountsSharedValuesWhereverTheyAreUsed) {
  // Each of 40 tuples holds the one before it twice: 40 values in the file, 2^41 for whoever walks
  // them.
  std::string text = "N";
  for (int i = 0; i < 40; ++i) text += "2\x86";
  EXPECT_THAT(refusal(text + "."), HasSubstr("shared ones counted each time"));
}

TEST(Pickle, SaysWhichValueIsOfTheWrongKind) {
  const auto pickle = read("N.");
  EXPECT_EQ(error_text([&] { pickle.root().as_int("the step"); }),
            "the step of a pickle is None; expected a whole number");
  const auto twice = read(
      "}(U\x01"
      "aNU\x01"
      "aNu.");
  EXPECT_EQ(error_text([&] { twice.root().as_dict("params"); }),
            "params of a pickle has the key 'a' twice");
}

}  // namespace
}  // namespace npq
