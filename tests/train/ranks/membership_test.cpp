#include "npq/train/ranks/membership.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/support/error_text.h"

namespace npq::train {
namespace {

using test::error_text;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

Membership of(const Variables& variables) {
  return membership_of([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  });
}

std::string refusal(const Variables& variables) {
  return error_text([&] { of(variables); });
}

Variables torchrun(Variables changes = {}) {
  changes.merge(Variables{{"RANK", "1"},
                          {"WORLD_SIZE", "4"},
                          {"LOCAL_WORLD_SIZE", "2"},
                          {"MASTER_ADDR", "node1"},
                          {"MASTER_PORT", "29500"}});
  return changes;
}

Variables srun(Variables changes = {}) {
  changes.merge(Variables{{"SLURM_PROCID", "3"},
                          {"SLURM_STEP_NUM_TASKS", "4"},
                          {"SLURM_STEP_NODELIST", "node[07-08]"},
                          {"SLURM_JOB_ID", "1000"},
                          {"SLURM_STEP_ID", "2"}});
  return changes;
}

TEST(Membership, WithoutTheVariablesAProcessIsAlone) { EXPECT_EQ(of({}).count, 1); }

TEST(Membership, OfTorchrunMeetsOnePortBehindItsStore) {
  const auto membership = of(torchrun());
  EXPECT_EQ(membership.rank, 1);
  EXPECT_EQ(membership.count, 4);
  EXPECT_EQ(membership.local, 2);
  EXPECT_EQ(membership.host, "node1");
  EXPECT_EQ(membership.port, 29501);
}

TEST(Membership, OfSrunMeetsOnTheFirstMachineOfTheStep) {
  const auto membership = of(srun());
  EXPECT_EQ(membership.rank, 3);
  EXPECT_EQ(membership.count, 4);
  EXPECT_EQ(membership.host, "node07");
  EXPECT_NE(membership.port, of(srun({{"SLURM_STEP_ID", "3"}})).port);
  EXPECT_NE(membership.port, of(srun({{"SLURM_JOB_ID", "1001"}})).port);
}

TEST(Membership, ATaskOfAnArrayAndTheShellOfAJobAreAlone) {
  EXPECT_EQ(of(srun({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}})).count, 1);
  EXPECT_EQ(of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "7"}}).count, 1);
}

TEST(Membership, WhatIsMissingOrImpossibleIsNamed) {
  EXPECT_THAT(refusal(torchrun({{"RANK", "4"}})),
              AllOf(HasSubstr("RANK is '4'"), HasSubstr("0 to 3")));
  EXPECT_THAT(refusal(torchrun({{"WORLD_SIZE", ""}})), HasSubstr("WORLD_SIZE is missing"));
  EXPECT_THAT(refusal(torchrun({{"WORLD_SIZE", "two"}})), HasSubstr("WORLD_SIZE is 'two'"));
  EXPECT_THAT(refusal(torchrun({{"MASTER_ADDR", ""}})), HasSubstr("MASTER_ADDR is missing"));
  EXPECT_THAT(refusal(torchrun({{"MASTER_PORT", ""}})), HasSubstr("MASTER_PORT is missing"));
  EXPECT_THAT(refusal(torchrun({{"MASTER_PORT", "70000"}})), HasSubstr("MASTER_PORT is '70000'"));
  EXPECT_THAT(refusal(srun({{"SLURM_PROCID", "4"}})), HasSubstr("SLURM_PROCID is '4'"));
}

TEST(Membership, TheFirstMachineOfSlurmsListIsFound) {
  EXPECT_EQ(first_host("node1"), "node1");
  EXPECT_EQ(first_host("node1,node2"), "node1");
  EXPECT_EQ(first_host("node[03-07,9],other"), "node03");
  EXPECT_EQ(first_host("rack[2,4]-ib,other"), "rack2-ib");
  EXPECT_EQ(first_host("other,node[1-2]"), "other");
  EXPECT_THAT(error_text([] { first_host("node[1"); }), HasSubstr("not a list of machines"));
}

}  // namespace
}  // namespace npq::train
