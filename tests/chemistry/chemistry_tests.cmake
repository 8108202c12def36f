# What needs RDKit is tested where it is installed; ./test installs it.
get_property(has_rdkit GLOBAL PROPERTY NPQ_HAS_RDKIT)
if(has_rdkit)
  npq_tests(chemistry npq_peptides)
elseif(NPQ_SKIP_IS_FAILURE AND NPQ_BUILDING_TESTS)
  message(FATAL_ERROR "RDKit is missing, so reading molecules cannot be tested; install librdkit-dev and libboost-dev")
endif()

# The program as it is built without RDKit: its own object comes first, so the library's is never taken.
npq_test_program(without_rdkit_test fast "${CMAKE_CURRENT_SOURCE_DIR}/chemistry/without_rdkit.cpp" npq_peptides)
target_sources(without_rdkit_test PRIVATE ${PROJECT_SOURCE_DIR}/npq/peptides/chemistry_none.cpp)
