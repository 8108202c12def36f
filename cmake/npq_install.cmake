# cmake --install: the library with its headers as a package for find_package(npq). Programs are installed by app/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY NPQ_LIBRARIES)
install(TARGETS ${libraries} EXPORT npqTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/npq)
install(EXPORT npqTargets NAMESPACE npq:: DESTINATION ${package_dir})

list(TRANSFORM libraries REPLACE "^npq_" "" OUTPUT_VARIABLE NPQ_COMPONENTS)
set(NPQ_NEEDS_TORCH OFF)
set(NPQ_NEEDS_OPENMP OFF)
foreach(library ${libraries})
  get_target_property(linked ${library} LINK_LIBRARIES)
  if(linked MATCHES "torch")
    set(NPQ_NEEDS_TORCH ON)
  endif()
  if(linked MATCHES "OpenMP")
    set(NPQ_NEEDS_OPENMP ON)
  endif()
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/npqConfig.cmake.in ${PROJECT_BINARY_DIR}/npqConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/npqConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/npqConfig.cmake ${PROJECT_BINARY_DIR}/npqConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
