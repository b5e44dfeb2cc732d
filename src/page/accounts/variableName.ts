/** The name of a variable of storage, as a reader enters it. */
import type { Names } from '../input/abiInput.ts'

/** Returns `text` with addresses for the names of accounts that stand in brackets: `balances[account 1]`. */
export function withAddresses(text: string, names: Names): string {
  return text.replace(/\[\s*([^\]"]+?)\s*\]/g, (whole, key: string) => {
    const address = names.get(key.toLowerCase())
    return address === undefined ? whole : `[${address}]`
  })
}
