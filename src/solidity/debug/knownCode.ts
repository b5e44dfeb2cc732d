/** Finds out once what code is, in runs that call the same contracts many times. */
import type { FindCode } from '../artifacts/compilation.ts'
import { RunningCode } from './runningCode.ts'

export class KnownCode {
  readonly #find: FindCode
  /** By whether it creates a contract and by length; of each a few. */
  readonly #known = new Map<string, { readonly bytes: Uint8Array; readonly code: RunningCode }[]>()

  constructor(find: FindCode) {
    this.#find = find
  }

  of(bytes: Uint8Array, isCreation: boolean): RunningCode {
    const key = `${isCreation} ${bytes.length}`
    const group = this.#known.get(key) ?? []
    const known = group.find((one) => isSame(one.bytes, bytes))
    if (known !== undefined) return known.code
    const code = new RunningCode(this.#find, bytes, isCreation)
    // Contracts that are made by the hundred, such as minimal proxies, are not kept.
    if (group.length < MOST_OF_A_LENGTH) this.#known.set(key, [...group, { bytes, code }])
    return code
  }
}

const MOST_OF_A_LENGTH = 8

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
