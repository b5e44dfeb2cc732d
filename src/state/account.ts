/** Accounts as they are read. */

/** An account without its code and storage. */
export interface Account {
  readonly nonce: bigint
  /** In wei. */
  readonly balance: bigint
  /** keccak-256 of the code, 32 bytes. */
  readonly codeHash: Uint8Array
}
