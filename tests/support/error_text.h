#pragma once
#include <gtest/gtest.h>

#include <string>

#include "npq/base/error.h"

namespace npq::test {

/// The text of the npq::Error that `call` throws; for anything else the test fails.
template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& other) {
    ADD_FAILURE() << "expected an npq::Error, got: " << other.what();
    return "";
  }
  ADD_FAILURE() << "expected an npq::Error, but nothing was thrown";
  return "";
}

}  // namespace npq::test
