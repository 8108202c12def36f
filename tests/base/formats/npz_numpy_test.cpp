// numpy itself writes what we read and reads what we write. Debian's python3-numpy is one of the
// packages ./test installs.
#include <gmock/gmock.h>

#include <cstdlib>

#include "npq/base/formats/npz.h"
#include "npq/base/formats/npz_writer.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::put_file;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Runs a Python program in a folder; the exit code is 0 if its assertions hold.
int run_python(const TemporaryFolder& folder, const std::string& program) {
  put_file(folder / "program.py", "import numpy as np\n" + program);
  const std::string command = "cd '" + folder.path().string() + "' && /usr/bin/python3 program.py";
  return std::system(command.c_str());
}

TEST(NpzAndNumpy, WeReadWhatNumpyWrites) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_python(folder, R"(
arrays = dict(small=np.array([[1.5, -2.0], [0.25, 4.0]], np.float32), flags=np.array([True, False]),
              scalar=np.int64(-7), none=np.zeros((0, 3)), wide=np.arange(100000, dtype=np.uint16),
              half=np.array([1.0], np.float16))
np.savez('plain.npz', **arrays)
np.savez_compressed('packed.npz', **arrays)
)"),
            0);
  for (const char* name : {"plain.npz", "packed.npz"}) {
    const auto file = NpzFile::open(folder / name);
    EXPECT_THAT(file.names(), ElementsAre("small", "flags", "scalar", "none", "wide", "half"));
    EXPECT_THAT(file.read("small").values<float>(), ElementsAre(1.5f, -2.0f, 0.25f, 4.0f));
    EXPECT_THAT(file.read("small").shape, ElementsAre(2, 2));
    EXPECT_THAT(file.read("flags").values<std::uint8_t>(), ElementsAre(1, 0));
    EXPECT_THAT(file.read("scalar").values<std::int64_t>(), ElementsAre(-7));
    EXPECT_THAT(file.read("scalar").shape, IsEmpty());
    EXPECT_THAT(file.read("none").shape, ElementsAre(0, 3));
    EXPECT_EQ(file.read("wide").values<std::uint16_t>().at(99'999), 99'999 % 65'536);
    EXPECT_THAT(file.read("half").values<std::uint16_t>(), ElementsAre(0x3c00));
  }
}

TEST(NpzAndNumpy, NumpyReadsWhatWeWrite) {
  const TemporaryFolder folder;
  const std::vector<float> numbers{1.5f, -2.0f, 0.25f, 4.0f, 5.0f, 6.0f};
  for (const auto packing : {NpzWriter::Packing::Stored, NpzWriter::Packing::Deflated}) {
    NpzWriter writer(folder / "ours.npz", packing);
    writer.add("numbers", Dtype::F32, {3, 1, 2}, std::as_bytes(std::span(numbers)));
    writer.add("größe", Dtype::F32, {}, std::as_bytes(std::span(numbers).first(1)));
    writer.add("none", Dtype::I64, {2, 0}, {});
    writer.commit();
    EXPECT_EQ(run_python(folder, R"(
file = np.load('ours.npz')
assert file.files == ['numbers', 'größe', 'none'], file.files
assert file['numbers'].dtype == np.float32 and file['numbers'].shape == (3, 1, 2)
assert file['numbers'].ravel().tolist() == [1.5, -2, 0.25, 4, 5, 6]
assert file['größe'].shape == () and file['größe'] == 1.5
assert file['none'].shape == (2, 0) and file['none'].dtype == np.int64
import zipfile
assert zipfile.ZipFile('ours.npz').testzip() is None
)"),
              0);
  }
}

}  // namespace
}  // namespace npq
