/** Paths of the page, behind its URL: errors and printed lines link to them, and the page reads them. */

export const pagePaths: {
  transaction(hash: string): string
  /** `id`: a number, a hash, or a tag. */
  block(id: string | bigint): string
  account(address: string): string
} = {
  transaction: (hash) => `tx/${hash}`,
  block: (id) => `block/${id}`,
  account: (address) => `address/${address}`,
}
