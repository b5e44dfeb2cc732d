/** Why a transaction failed or will not come, in words. */
import type { Abis } from '../abi/abis.ts'
import { type Decoded, shortenedHex } from '../abi/decoded.ts'
import { toHex } from '../model/bytes/hex.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import type { Failure } from '../model/receipt/receipt.ts'

export interface FailureReason {
  readonly text: string
  /** The custom error, if it is one of a known ABI. */
  readonly error: Decoded | undefined
}

/** What stopped the code or made it revert; what it said by a known ABI is decoded. */
export async function failureReason(failure: Failure | undefined, abis: Abis): Promise<FailureReason> {
  switch (failure?.kind) {
    case undefined:
      return { text: 'failed', error: undefined }
    case 'halt':
      return { text: failure.reason, error: undefined }
    case 'revert': {
      const reason = revertReason(failure.data)
      const error = reason === undefined ? await abis.decodeError(toHex(failure.data)) : undefined
      return { text: `reverted: ${reason ?? error?.text ?? bare(failure.data)}`, error }
    }
  }
}

function bare(data: Uint8Array): string {
  return data.length === 0 ? 'no reason given' : shortenedHex(toHex(data))
}
