/** Reasons why a transaction failed or cannot be included, as text. */
import { type Decoded, shortenedHex } from '../abi/decoded.ts'
import type { Devnet } from '../devnet.ts'
import { type Hash, toHex } from '../model/bytes/hex.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import type { ExecutionFailure } from '../model/receipt/receipt.ts'

export interface FailureReason {
  readonly text: string
  /** The custom error, if a known ABI has it. */
  readonly error: Decoded | undefined
}

/** Returns the reason of the halt or revert; revert data is decoded by the known ABIs. */
export async function failureReason(
  devnet: Devnet,
  hash: Hash,
  failure: ExecutionFailure | undefined,
): Promise<FailureReason> {
  switch (failure?.kind) {
    case undefined:
      return { text: 'failed', error: undefined }
    case 'halt':
      return { text: await haltReason(devnet, hash, failure.reason), error: undefined }
    case 'revert': {
      const reason = revertReason(failure.data)
      const error = reason === undefined ? await devnet.abis.decodeError(toHex(failure.data)) : undefined
      return { text: `reverted: ${reason ?? error?.text ?? bare(failure.data)}`, error }
    }
  }
}

/**
 * Returns the reason of the halt; for a transaction without enough gas also whether its gas was estimated too early.
 */
async function haltReason(devnet: Devnet, hash: Hash, reason: string): Promise<string> {
  if (reason !== 'outOfGas') return reason
  const { failure = reason } = (await devnet.calmRequest('preseal_explain', [hash])) as { failure?: string }
  return failure
}

function bare(data: Uint8Array): string {
  return data.length === 0 ? 'no reason given' : shortenedHex(toHex(data))
}
