// Types for two files that their packages ship without declarations.

declare module 'hash-wasm/dist/keccak.umd.min.js' {
  interface Hasher {
    init(): Hasher
    update(data: Uint8Array): Hasher
    digest(form: 'binary'): Uint8Array
  }
  const module: { createKeccak(bits: 256): Promise<Hasher> }
  export default module
}

declare module 'secp256k1/bindings.js' {
  interface Secp256k1 {
    ecdsaRecover(signature: Uint8Array, recovery: number, hash: Uint8Array, compressed: false): Uint8Array
    ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
    publicKeyCreate(privateKey: Uint8Array, compressed: false): Uint8Array
    privateKeyVerify(privateKey: Uint8Array): boolean
  }
  const bindings: Secp256k1
  export default bindings
}
