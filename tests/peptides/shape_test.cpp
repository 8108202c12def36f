// Targets of shapes that can be checked by hand, the ideal shape, random sequences.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "npq/peptides/generator.h"
#include "npq/peptides/ideal_shape.h"
#include "npq/peptides/residues.h"
#include "tests/support/error_text.h"
#include "tests/support/golden_folder.h"

namespace npq::peptides {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

TEST(Targets, OfFourCarbonsOnARectangle) {
  // 4 by 2 nm in a plane, one hydrogen each: about the centre x = +-2, y = +-1.
  const std::vector<Point> corners = {{0, 0, 5}, {40, 0, 5}, {40, 20, 5}, {0, 20, 5}};
  const std::vector<double> mass(4, 12.011);
  const std::vector<int> hydrogens(4, 1);
  const auto y = shape_targets(corners, mass, hydrogens);
  const double w = 1 + 1e-6;  // of mass and of hydrogens alike
  const double wanted[] = {20 * w, 16 * w, 4 * w, 20 * w, 16 * w, 4 * w, 4, 2, 0, 0, 0};
  for (int k = 0; k < kTargets; ++k) EXPECT_NEAR(y[k], wanted[k], 1e-12) << kTargetNames[k];
}

TEST(Targets, OfAnOctahedronAreThoseOfASphere) {
  const std::vector<Point> tips = {{10, 0, 0},  {-10, 0, 0}, {0, 10, 0},
                                   {0, -10, 0}, {0, 0, 10},  {0, 0, -10}};
  const auto y = shape_targets(tips, std::vector<double>(6, 12.011), std::vector<int>(6, 0));
  EXPECT_NEAR(y[9], 1, 1e-12);             // as round as can be
  EXPECT_NEAR(y[10], 2 * 10.0 / 6, 1e-9);  // two tips are 10 Angstrom from the plane of the others
  EXPECT_NEAR(y[3], 4e-6, 1e-12);          // no hydrogens: only what keeps weights above 0
}

TEST(Eigen, FindsValuesAndAxesOfASymmetricMatrix) {
  const auto [values, vectors] = eigen_of({{{2, 1, 0}, {1, 2, 0}, {0, 0, 5}}});
  EXPECT_THAT(values, ::testing::ElementsAre(DoubleNear(5, 1e-14), DoubleNear(3, 1e-14),
                                             DoubleNear(1, 1e-14)));
  EXPECT_NEAR(std::abs(vectors[1][0]), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(vectors[1][0], vectors[1][1], 1e-14);
}

TEST(IdealShape, APointIsPlacedByLengthAngleAndTorsion) {
  const Point a = {0, 1, 0}, b = {0, 0, 0}, c = {1, 0, 0};
  const auto expect = [](const Point& found, const Point& wanted) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], wanted[k], 1e-15);
  };
  expect(place(a, b, c, 2, 90, 0), {1, 2, 0});     // cis: on the side of a
  expect(place(a, b, c, 2, 90, 180), {1, -2, 0});  // trans
  expect(place(a, b, c, 2, 180, 77), {3, 0, 0});   // straight on
  // Seen along b-c, +90 degrees turn clockwise from a: IUPAC's sign.
  expect(place(a, b, c, 2, 90, 90), {1, 0, 2});
}

TEST(IdealShape, AlaninesMakeAHelixOf150PicometresPerResidue) {
  const auto shape = ideal_shape(std::string(40, 'A'));
  const auto& from = shape[5].at("CA");
  const auto& to = shape[5 + 18].at("CA");  // five turns
  double squares = 0;
  for (int k = 0; k < 3; ++k) squares += std::pow(to[k] - from[k], 2);
  EXPECT_NEAR(std::sqrt(squares) / 18, 1.5, 0.1);
}

TEST(IdealShape, TheMirrorImageOfAPeptideIsItsDForm) {
  const auto l = ideal_shape("AVKW"), d = ideal_shape("avkw");
  for (std::size_t r = 0; r < l.size(); ++r)
    for (const auto& [name, point] : l[r]) {
      EXPECT_NEAR(d[r].at(name)[0], point[0], 1e-12);
      EXPECT_NEAR(d[r].at(name)[2], -point[2], 1e-12) << name;  // the first atoms lie in z = 0
    }
}

std::vector<std::vector<std::string>> golden_rows(const std::string& name) {
  std::ifstream file(npq::test::golden_file("peptides/" + name));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    rows.emplace_back();
    std::stringstream words(line);
    for (std::string word; std::getline(words, word, ',');) rows.back().push_back(word);
  }
  return rows;
}

TEST(Residues, TheTablesAreThoseOfTheRecipe) {
  const auto backbone = golden_rows("backbone.csv");
  ASSERT_EQ(backbone.size(), residues().size());
  for (const auto& row : backbone) {
    const auto& residue = find_residue(row[0][0]);
    EXPECT_EQ(residue.percent, std::stod(row[1]));
    EXPECT_EQ(residue.helix, std::stoi(row[2]));
    EXPECT_EQ(residue.strand, std::stoi(row[3]));
    EXPECT_EQ(residue.coil_phi, std::stod(row[4]));
    EXPECT_EQ(residue.coil_psi, std::stod(row[5]));
  }
  std::size_t at = 0;
  const auto atoms = golden_rows("residues.csv");
  for (const auto& residue : residues())
    for (const auto& atom : side_chain(residue.letter)) {
      ASSERT_LT(at, atoms.size());
      const auto& row = atoms[at++];
      EXPECT_EQ(
          (std::vector<std::string>{std::string(1, atom.residue), std::string(atom.atom),
                                    std::string(atom.a), std::string(atom.b), std::string(atom.c)}),
          std::vector<std::string>(row.begin(), row.begin() + 5));
      EXPECT_EQ(atom.length, std::stod(row[5]));
      EXPECT_EQ(atom.angle, std::stod(row[6]));
      EXPECT_EQ(atom.torsion, std::stod(row[7]));
    }
  EXPECT_EQ(at, atoms.size());
  EXPECT_THAT(npq::test::error_text([] { find_residue('B'); }), HasSubstr("'B' is not an amino"));
}

TEST(RandomSequences, ARowDoesNotDependOnHowManyFollow) {
  const auto few = random_sequences({.count = 20, .seed = 4});
  const auto many = random_sequences({.count = 3000, .seed = 4});
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(random_sequences({.count = 20, .seed = 5}), few);
}

TEST(RandomSequences, HaveTheLengthsAndResiduesOfTheRecipe) {
  const auto sequences = random_sequences({.count = 3000, .seed = 1});
  double letters = 0, lysines = 0;
  for (const auto& sequence : sequences) {
    EXPECT_GE(sequence.size(), 2u);
    EXPECT_LE(sequence.size(), 50u);
    letters += static_cast<double>(sequence.size());
    lysines += static_cast<double>(std::count(sequence.begin(), sequence.end(), 'K'));
  }
  // Gamma(4, 4.84) has mean 19.36 and deviation 9.68; clamping takes 0.1 off. Four deviations.
  EXPECT_NEAR(letters / 3000, 19.3, 4 * 9.68 / std::sqrt(3000) + 0.1);
  EXPECT_NEAR(lysines / letters, 0.105, 0.006);
  auto unique = sequences;
  std::sort(unique.begin(), unique.end());
  EXPECT_EQ(std::unique(unique.begin(), unique.end()), unique.end());
}

TEST(GenerateOptions, NonsenseIsAUsageError) {
  EXPECT_THROW(GenerateOptions{.count = 9}.validate(), UsageError);
  EXPECT_THROW(GenerateOptions{.count = -1}.validate(), UsageError);
}

}  // namespace
}  // namespace npq::peptides
