/*
 * The three functions of libsecp256k1 that a chain needs, as one module of WebAssembly without imports.
 *
 * It allocates nothing: arguments and results lie in one buffer, whose address `io` answers. Numbers are 32 bytes,
 * big-endian; a signature is r and s; a public key is 65 bytes (0x04, x, y).
 */
#include "src/secp256k1.c"
#include "src/precomputed_ecmult.c"
#include "src/precomputed_ecmult_gen.c"

#define EXPORT(name) __attribute__((export_name(#name)))

/* What the compiler calls by itself, and what the library would only call for what is not called here. */
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

/* To be called once, before all others. Answers where arguments and results lie. */
EXPORT(begin) unsigned char *begin(void) {
  if (secp256k1_context_preallocated_size(SECP256K1_CONTEXT_SIGN) > sizeof place) abort();
  context = secp256k1_context_preallocated_create(place, SECP256K1_CONTEXT_SIGN);
  return io;
}

/* Hash, signature -> public key. Answers 0 when no key fits. */
EXPORT(recover) int recover(int parity) {
  secp256k1_ecdsa_recoverable_signature signature;
  secp256k1_pubkey key;
  size_t length = 65;
  return secp256k1_ecdsa_recoverable_signature_parse_compact(context, &signature, io + 32, parity) &&
         secp256k1_ecdsa_recover(context, &key, &signature, io) &&
         secp256k1_ec_pubkey_serialize(context, result, &length, &key, SECP256K1_EC_UNCOMPRESSED);
}

/* Hash, private key -> signature (RFC 6979, low s). Answers the parity, or -1 for what is no key. */
EXPORT(sign) int sign(void) {
  secp256k1_ecdsa_recoverable_signature signature;
  int parity;
  if (!secp256k1_ecdsa_sign_recoverable(context, &signature, io, io + 32, NULL, NULL)) return -1;
  secp256k1_ecdsa_recoverable_signature_serialize_compact(context, result, &parity, &signature);
  return parity;
}

/* Private key -> public key. Answers 0 for what is no key. */
EXPORT(publicKey) int public_key(void) {
  secp256k1_pubkey key;
  size_t length = 65;
  return secp256k1_ec_pubkey_create(context, &key, io) &&
         secp256k1_ec_pubkey_serialize(context, result, &length, &key, SECP256K1_EC_UNCOMPRESSED);
}
