/* NPQ from C, and from any language that can call C: the data of CLRS-30, scores, the names and
 * flags of the memories, and the loops of the queue.
 *
 * Every function that can fail returns a status. NPQ_OK means that all of its results are written;
 * otherwise none is, and npq_last_error() says in one sentence what happened, what was expected and
 * what to do. Nothing that a caller passes as a handle, a size or a null pointer makes these
 * functions crash; a pointer that is not null must point to what the function's comment says.
 *
 * Things that the library makes are known by handles: numbers that are never 0 and never used
 * twice. npq_free() gives one back. Whatever a function shows of a thing (a text, an array) lies in
 * the library's memory and stays there until its handle is freed.
 *
 * All functions may be called from any thread; calls with the same sampler run in turn. After
 * fork() the child may go on with everything the parent had, except a sampler that another thread
 * was just using.
 */
#ifndef NPQ_C_NPQ_H
#define NPQ_C_NPQ_H

#include <stddef.h>
#include <stdint.h>

#define NPQ_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Grows with every change that a compiled caller would notice. */
#define NPQ_ABI_VERSION 1
/* What the loaded library was built with; compare it with NPQ_ABI_VERSION. */
NPQ_API int32_t npq_abi_version(void);
/* "0.1.0". */
NPQ_API const char* npq_version(void);

typedef int32_t npq_status;
#define NPQ_OK 0
#define NPQ_BAD_ARGUMENT 1 /* what was asked for makes no sense: ask for something else */
#define NPQ_FAILED 2       /* it made sense, but could not be done: no memory, a damaged state */

typedef uint64_t npq_handle; /* 0 is never a handle */

/* Why this thread's last failed call failed; "" if none has. Valid until its next call. */
NPQ_API const char* npq_last_error(void);

/* How many threads a call may use; 0 stands for all cores, as in the beginning. Results have the
 * same bits whatever their number. */
NPQ_API npq_status npq_set_threads(int32_t threads);
NPQ_API int32_t npq_threads(void);

/* Gives a handle back. What other calls still use of it lives on until they return. */
NPQ_API npq_status npq_free(npq_handle handle);

/* The bytes of a text (JSON in UTF-8), with a zero after them that `length` does not count. */
NPQ_API npq_status npq_text(npq_handle text, const char** bytes, size_t* length);

/* ---- arrays -------------------------------------------------------------------------------- */

#define NPQ_FLOAT64 0
#define NPQ_INT64 1
#define NPQ_FLOAT32 2

#define NPQ_MOST_AXES 8

/* Numbers with a shape, row by row. A shape without axes is one number. */
typedef struct npq_array {
  const char* stage; /* "input", "hint", "output"; "lengths" for the lengths of a batch */
  const char* name;  /* "adj" */
  int32_t dtype;     /* NPQ_FLOAT64, ... */
  int32_t axes;
  int64_t shape[NPQ_MOST_AXES];
  void* data; /* the caller may write into it: no one else reads it */
} npq_array;

/* The arrays of a batch or of a sample: how many, and the one with this index. */
NPQ_API npq_status npq_arrays(npq_handle arrays, size_t* count);
NPQ_API npq_status npq_array_at(npq_handle arrays, size_t index, npq_array* array);

/* ---- CLRS-30 ------------------------------------------------------------------------------- */

/* A text: all algorithms with their families, smallest sizes and specs, as a JSON list. */
NPQ_API npq_status npq_clrs_catalog(npq_handle* text);

/* An official split ("train", "val", "test"), bit for bit. */
NPQ_API npq_status npq_clrs_load(const char* algorithm, const char* split, npq_handle* dataset);

/* Samples by options, a JSON object: "algorithm" (required), "nodes", "samples", "seed",
 * "generator" ("v1": as in the official data, "head": as newer versions draw), and the keywords of
 * the benchmark's samplers: "p" (a number or a list), "low", "high", "k", "eps", "length_2",
 * "chars", "length_needle", "max_deadline", "origin_x", "origin_y", "radius",
 * "truncate_decimals". */
NPQ_API npq_status npq_clrs_generate(const char* options, npq_handle* dataset);

/* A text about a dataset: {"algorithm", "generator", "samples", "nodes", "steps": the longest
 * trajectory, "bytes", "spec": [{"name", "stage", "location", "type", "classes"}]}. */
NPQ_API npq_status npq_clrs_describe(npq_handle dataset, npq_handle* text);

/* Steps of each sample: `count` numbers, which must be the number of samples. */
NPQ_API npq_status npq_clrs_lengths(npq_handle dataset, int64_t* lengths, size_t count);

/* How numbers are laid out: as the benchmark stores them (float64, int64), or with float32 in the
 * place of float64. */
#define NPQ_AS_STORED 0
#define NPQ_SINGLE 1

/* One sample: inputs and outputs without a batch axis, hints [T, ...]. */
NPQ_API npq_status npq_clrs_sample(npq_handle dataset, int64_t sample, int32_t numbers,
                                   npq_handle* arrays);

/* Samples side by side: inputs and outputs [B, ...], hints [steps, B, ...] in floating point with
 * zeros after each sample's end, lengths [B]. `steps` 0 stands for the longest of them. */
NPQ_API npq_status npq_clrs_batch(npq_handle dataset, const int64_t* samples, size_t count,
                                  int64_t steps, int32_t numbers, npq_handle* arrays);

/* Batches without end. Options as for npq_clrs_generate, but "nodes" is a number or a list of sizes
 * that alternate, and instead of "samples" there are "batch" and "track_max_steps" (true: as the
 * benchmark does, 1000 samples are made and dropped first, and hints are padded to the longest ever
 * seen). One size: "seed" is the stream's. Several: as in the benchmark's training script a
 * random::RandomState(seed) makes a first draw for the network, then one for each size. */
NPQ_API npq_status npq_clrs_sampler(const char* options, npq_handle* sampler);
NPQ_API npq_status npq_clrs_next(npq_handle sampler, int32_t numbers, npq_handle* arrays);

/* Where a sampler stands, as a text, and a sampler of the same options that goes on from there. */
NPQ_API npq_status npq_clrs_sampler_position(npq_handle sampler, npq_handle* text);
NPQ_API npq_status npq_clrs_sampler_resume(const char* options, const char* position,
                                           npq_handle* sampler);

/* How good predictions of these samples' outputs are. `predictions`: one float64 array per output,
 * by name, each [count, ...] in the output's shape: node numbers for pointers, 0 or 1 for masks
 * (above 0.5 counts as 1), one row per class where the output has classes. The text is
 * {"score", "exact", "outputs": {..}} and, where several answers are right, {"valid", "all_valid"};
 * each figure is {"value", "low", "high"} with the ends of its 95% interval. */
NPQ_API npq_status npq_clrs_evaluate(npq_handle dataset, const int64_t* samples, size_t count,
                                     const npq_array* predictions, size_t arrays, npq_handle* text);

/* ---- memories ------------------------------------------------------------------------------ */

/* A text: {"memories": [{"name", "title", "kind"}], "flags": [{"name", "help", "choices"}]}. */
NPQ_API npq_status npq_memory_catalog(npq_handle* text);

/* A text: what a name, a preset ("paper", "reference") and flags mean: {"name", "title", "kind",
 * "flags": {..} all that this memory has, "queue": {"read", "reader", "pop", "send_to_all"}}.
 * `flags` is a JSON object of words, whole numbers, true and false. */
NPQ_API npq_status npq_memory_options(const char* name, const char* preset, const char* flags,
                                      npq_handle* text);

/* ---- loops of the queue -------------------------------------------------------------------- *
 * Fused, for float32 on the CPU; npq/kernels/queue_pop and queue_push have the equations. Arrays
 * are contiguous, do not overlap, and have the sizes that the shape says. */

typedef struct npq_pop_shape {
  int32_t batch, nodes, slots, width, heads; /* B, N, S, F, K */
  /* 0 or 1 each: the choices of kernels::QueuePopShape. */
  int32_t best_only, one_reader, keep, mask_later, epsilon_grant, heads_alone, straight_through;
} npq_pop_shape;

typedef struct npq_pop_inputs {
  const float* asked;      /* [B, N, K] */
  const float* held;       /* [B, S, K] */
  const float* combine;    /* [K]; not with heads_alone */
  const float* strength;   /* [B, N]; not with keep */
  const float* s;          /* [B, S]; not with keep */
  const float* v;          /* [B, S, F] */
  const uint8_t* occupied; /* [B, S] */
  const uint8_t* real;     /* [B, N], 0 for padding; null: all nodes are real */
} npq_pop_inputs;

typedef struct npq_pop_gradients { /* each is overwritten; null: not wanted */
  float *asked, *held, *combine, *strength, *s, *v;
} npq_pop_gradients;

/* value [B, N, F], total [B, S] (not with keep). */
NPQ_API npq_status npq_queue_pop(const npq_pop_shape* shape, const npq_pop_inputs* in, float* value,
                                 float* total);
/* `dtotal` may be null: zero. */
NPQ_API npq_status npq_queue_pop_backward(const npq_pop_shape* shape, const npq_pop_inputs* in,
                                          const float* dvalue, const float* dtotal,
                                          const npq_pop_gradients* gradients);

typedef struct npq_push_shape {
  int32_t batch, slots, width; /* B, S, F */
  int32_t keep, add_to_reused; /* 0 or 1 */
  int32_t full;                /* a full queue writes to: 0 the weakest, 1 the oldest, 2 slot 0 */
  int32_t slot;                /* chosen: 0 after deletion, 1 by the previous step, 2 in turn */
  int64_t step;                /* steps so far */
} npq_push_shape;

typedef struct npq_push_inputs {
  const float *v, *s, *total; /* [B, S, F], [B, S], [B, S]; the last two not with keep */
  const float *new_v, *new_s; /* [B, F], [B]; the last one not with keep */
  const int64_t* written;     /* [B, S]: the step that filled the slot, -1 for a free one */
  const int64_t* write_slot;  /* [B], where the previous step chose */
} npq_push_inputs;

typedef struct npq_push_outputs {
  float *v, *s;
  int64_t *written, *write_slot;
  /* For the gradients: [B, S], [B], [B]. */
  uint8_t* alive;
  int32_t* target;
  uint8_t* onto;
} npq_push_outputs;

typedef struct npq_push_gradients { /* each is overwritten; null: not wanted */
  float *v, *s, *total, *new_v, *new_s;
} npq_push_gradients;

NPQ_API npq_status npq_queue_push(const npq_push_shape* shape, const npq_push_inputs* in,
                                  const npq_push_outputs* out);
/* From dv [B, S, F], ds [B, S] (null: zero) and the forward call's alive, target, onto. */
NPQ_API npq_status npq_queue_push_backward(const npq_push_shape* shape, const uint8_t* alive,
                                           const int32_t* target, const uint8_t* onto,
                                           const float* dv, const float* ds,
                                           const npq_push_gradients* gradients);

/* ---- messages ------------------------------------------------------------------------------- *
 * Of the pointer graph network's family: of all that a node hears the largest, feature by feature;
 * a message is a two-layer network of receiver, sender and the edge between them. Equations and
 * layout are in npq/kernels/message. Float32 on the CPU. */

typedef struct npq_message_shape {
  int32_t batch, nodes, hidden, channels; /* B, N, H, R; R may be 0 */
  int32_t memory_rows; /* 0 none, 1 node r's own row for receiver r, 2 every row for all */
} npq_message_shape;

typedef struct npq_message_inputs {
  const float *recv, *send;       /* [B, N, H] each */
  const float* x;                 /* [B, N, N, R], sender first */
  const float* c;                 /* [R, H] */
  const float *w0, *b0, *w1, *b1; /* [H, H], [H], [H, H], [H] */
  const float* memory;            /* [B, N, H], with memory rows */
  const uint8_t* mask; /* [B, N, N]: node i hears s where mask[b,s,i]; null: all hear all */
} npq_message_inputs;

typedef struct npq_message_gradients { /* each is overwritten; null: not wanted */
  float *recv, *send, *x, *c, *w0, *b0, *w1, *b1, *memory;
} npq_message_gradients;

/* agg [B, N, H], and arg [B, N, H]: who said it, which the backward call needs. */
NPQ_API npq_status npq_messages(const npq_message_shape* shape, const npq_message_inputs* in,
                                float* agg, uint16_t* arg);
NPQ_API npq_status npq_messages_backward(const npq_message_shape* shape,
                                         const npq_message_inputs* in, const uint16_t* arg,
                                         const float* dagg, const npq_message_gradients* gradients);

#ifdef __cplusplus
}
#endif
#endif
