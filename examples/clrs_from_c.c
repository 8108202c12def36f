/* The data of CLRS-30 from C: the official test split of dijkstra, one batch of it, and a score.
 *
 *   cc example.c -lnpq_c
 */
#include <stdio.h>
#include <stdlib.h>

#include "npq/c/npq.h"

/* Every call says whether it worked, and the library says why not. */
static void check(npq_status status) {
  if (status == NPQ_OK) return;
  fprintf(stderr, "%s\n", npq_last_error());
  exit(1);
}

int main(void) {
  npq_handle dataset, batch, text;
  const int64_t samples[] = {0, 1, 2, 3};
  npq_array array, prediction;
  size_t count, i, length;
  const char* sheet;
  double* parents;

  check(npq_clrs_load("dijkstra", "test", &dataset));
  check(npq_clrs_batch(dataset, samples, 4, /*steps=*/0, NPQ_AS_STORED, &batch));
  check(npq_arrays(batch, &count));
  for (i = 0; i < count; ++i) {
    check(npq_array_at(batch, i, &array));
    printf("%-8s %-8s %s [", array.stage, array.name,
           array.dtype == NPQ_INT64 ? "int64" : "float64");
    for (int axis = 0; axis < array.axes; ++axis)
      printf(axis ? ", %lld" : "%lld", (long long)array.shape[axis]);
    printf("]\n");
    if (array.stage[0] == 'o') prediction = array; /* dijkstra has one output, pi */
  }

  /* The truth as a prediction: node numbers as doubles. */
  length = (size_t)(prediction.shape[0] * prediction.shape[1]);
  parents = malloc(length * sizeof *parents);
  for (i = 0; i < length; ++i) parents[i] = (double)((const int64_t*)prediction.data)[i];
  prediction.dtype = NPQ_FLOAT64;
  prediction.data = parents;
  check(npq_clrs_evaluate(dataset, samples, 4, &prediction, 1, &text));
  check(npq_text(text, &sheet, &length));
  printf("%s\n", sheet);

  free(parents);
  check(npq_free(text));
  check(npq_free(batch));
  check(npq_free(dataset));

  /* What cannot be is a status and a sentence. */
  if (npq_clrs_load("dijkstr", "test", &dataset) != NPQ_BAD_ARGUMENT) return 1;
  printf("%.60s...\n", npq_last_error());
  return 0;
}
