/*
 * The functions of libsecp256k1 that a chain needs, as one WebAssembly module without imports.
 *
 * The module allocates nothing: arguments and results are in one buffer, whose address `begin` returns. Numbers are 32
 * bytes, big-endian; a signature is r and s; a public key is 65 bytes (0x04, x, y).
 *
 * The library multiplies the generator in constant time, to keep keys secret. The keys of a devnet are not secret, so
 * the multiplication is replaced by one with the same table, with which a signature takes three quarters of the time.
 */
#define SECP256K1_BUILD
#define SECP256K1_ECMULT_GEN_IMPL_H
#include "src/ecmult_gen.h"
static int secp256k1_ecmult_gen_context_is_built(const secp256k1_ecmult_gen_context *context);
#include "src/secp256k1.c"
#include "src/precomputed_ecmult.c"
#include "src/precomputed_ecmult_gen.c"

#define EXPORT(name) __attribute__((export_name(#name)))

static void secp256k1_ecmult_gen_context_build(secp256k1_ecmult_gen_context *context) {
  /* (2^COMB_BITS - 1) / 2 */
  secp256k1_scalar half, *offset = &context->scalar_offset;
  int bit;
  *offset = secp256k1_scalar_one;
  for (bit = 1; bit < COMB_BITS; bit++) secp256k1_scalar_add(offset, offset, offset);
  secp256k1_scalar_half(&half, &secp256k1_scalar_one);
  secp256k1_scalar_negate(&half, &half);
  secp256k1_scalar_add(offset, offset, &half);
  context->built = 1;
}
static int secp256k1_ecmult_gen_context_is_built(const secp256k1_ecmult_gen_context *context) {
  return context->built;
}
static void secp256k1_ecmult_gen_context_clear(secp256k1_ecmult_gen_context *context) { context->built = 0; }
static void secp256k1_ecmult_gen_blind(secp256k1_ecmult_gen_context *context, const unsigned char *seed) {
  (void)context;
  (void)seed;
}

/* Multiplies the generator by `factor` with the signed-digit comb that the library's ecmult_gen_impl.h explains. */
static void secp256k1_ecmult_gen(const secp256k1_ecmult_gen_context *context, secp256k1_gej *product,
                                 const secp256k1_scalar *factor) {
  secp256k1_scalar scalar;
  uint32_t limbs[(COMB_BITS + 31) / 32] = {0};
  int offset, limb;
  secp256k1_scalar_add(&scalar, &context->scalar_offset, factor);
  for (limb = 0; limb < 8; limb++) limbs[limb] = secp256k1_scalar_get_bits_limb32(&scalar, 32 * limb, 32);
  secp256k1_gej_set_infinity(product);
  for (offset = COMB_SPACING - 1; offset >= 0; offset--) {
    uint32_t block, at = offset;
    secp256k1_gej_double_var(product, product, NULL);
    for (block = 0; block < COMB_BLOCKS; block++) {
      uint32_t bits = 0, tooth, isNegative;
      secp256k1_ge point;
      for (tooth = 0; tooth < COMB_TEETH; tooth++, at += COMB_SPACING)
        bits |= ((limbs[at / 32] >> (at % 32)) & 1) << tooth;
      /* The table has the points whose highest bit is 0. The others are their negatives. */
      isNegative = bits >> (COMB_TEETH - 1);
      if (isNegative) bits = ~bits & (COMB_POINTS - 1);
      secp256k1_ge_from_storage(&point, &secp256k1_ecmult_gen_prec_table[block][bits]);
      if (isNegative) secp256k1_ge_neg(&point, &point);
      secp256k1_gej_add_ge_var(product, product, &point, NULL);
    }
  }
}

/* Functions that the compiler calls, and that the library calls only in functions that are not called here. */
void *memcpy(void *restrict to, const void *restrict from, size_t length) {
  unsigned char *a = to;
  const unsigned char *b = from;
  while (length--) *a++ = *b++;
  return to;
}
void *memset(void *to, int value, size_t length) {
  unsigned char *a = to;
  while (length--) *a++ = (unsigned char)value;
  return to;
}
int memcmp(const void *left, const void *right, size_t length) {
  const unsigned char *a = left, *b = right;
  for (; length--; a++, b++) if (*a != *b) return *a - *b;
  return 0;
}
size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}
void *malloc(size_t size) { (void)size; abort(); }
void *realloc(void *old, size_t size) { (void)old; (void)size; abort(); }
void free(void *old) { (void)old; }

static unsigned char io[32 + 64 + 65];
static unsigned char *const result = io + 32 + 64;

static unsigned char place[512] __attribute__((aligned(16)));
static secp256k1_context *context;

/* Called once, before all other functions. Returns the address of the buffer. */
EXPORT(begin) unsigned char *begin(void) {
  if (secp256k1_context_preallocated_size(SECP256K1_CONTEXT_SIGN) > sizeof place) abort();
  context = secp256k1_context_preallocated_create(place, SECP256K1_CONTEXT_SIGN);
  return io;
}

/* Hash, signature -> public key. Returns 0 if no key fits. */
EXPORT(recover) int recover(int parity) {
  secp256k1_ecdsa_recoverable_signature signature;
  secp256k1_pubkey key;
  size_t length = 65;
  return secp256k1_ecdsa_recoverable_signature_parse_compact(context, &signature, io + 32, parity) &&
         secp256k1_ecdsa_recover(context, &key, &signature, io) &&
         secp256k1_ec_pubkey_serialize(context, result, &length, &key, SECP256K1_EC_UNCOMPRESSED);
}

/* Hash, private key -> signature (RFC 6979, low s). Returns the parity of y; -1 for an invalid key. */
EXPORT(sign) int sign(void) {
  secp256k1_ecdsa_recoverable_signature signature;
  int parity;
  if (!secp256k1_ecdsa_sign_recoverable(context, &signature, io, io + 32, NULL, NULL)) return -1;
  secp256k1_ecdsa_recoverable_signature_serialize_compact(context, result, &parity, &signature);
  return parity;
}

/* Private key -> public key. Returns 0 for an invalid key. */
EXPORT(publicKey) int public_key(void) {
  secp256k1_pubkey key;
  size_t length = 65;
  return secp256k1_ec_pubkey_create(context, &key, io) &&
         secp256k1_ec_pubkey_serialize(context, result, &length, &key, SECP256K1_EC_UNCOMPRESSED);
}
