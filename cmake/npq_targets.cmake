# npq_library(base USES random ...): the folder npq/base as target npq_base, alias npq::base.
# Sources are found by glob: adding a file to a folder is adding it to its target.
# PLAIN lists sources of a torch folder that need no torch (options, catalogs): they become the target npq_FOLDER_plain,
# which the torch-free program links; PLAIN_USES are the targets those need.
function(npq_library folder)
  cmake_parse_arguments(ARG "" "" "USES;LINK;PRIVATE;PLAIN;PLAIN_USES" ${ARGN})
  set(dir ${PROJECT_SOURCE_DIR}/npq/${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${dir}/*.h)
  if(ARG_PLAIN)
    list(TRANSFORM ARG_PLAIN PREPEND ${dir}/)
    list(REMOVE_ITEM sources ${ARG_PLAIN})
    npq_target(${folder}_plain "${ARG_PLAIN}" "")
    target_link_libraries(npq_${folder}_plain PUBLIC ${ARG_PLAIN_USES})
    list(APPEND ARG_LINK npq_${folder}_plain)
  endif()
  npq_target(${folder} "${sources}" "${headers}")
  list(TRANSFORM ARG_USES PREPEND npq_)
  target_link_libraries(npq_${folder} PUBLIC ${ARG_USES} ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
endfunction()

function(npq_target name sources headers)
  add_library(npq_${name} STATIC ${sources})
  add_library(npq::${name} ALIAS npq_${name})
  target_sources(npq_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_compile_features(npq_${name} PUBLIC cxx_std_20)
  set_target_properties(npq_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY NPQ_LIBRARIES npq_${name})
endfunction()
