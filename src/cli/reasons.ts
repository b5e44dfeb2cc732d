/** Reasons why a transaction failed or cannot be included, as text. */

import { type Hash, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import type { ExecutionFailure } from '../model/receipt/receipt.ts'
import { type Decoded, shortenedHex } from '../solidity/abi/decoded.ts'
import { cause } from '../solidity/stackTrace/locatedError.ts'
import type { SolidityStackTrace } from '../solidity/stackTrace/stackTrace.ts'

export interface FailureReason {
  readonly text: string
  /** Where in Solidity it failed, if that is known. */
  readonly stackTrace: SolidityStackTrace | undefined
  /** The custom error, if a known ABI has it. */
  readonly error: Decoded | undefined
}

/** Returns the reason of the halt or revert; revert data is decoded by the known ABIs. */
export async function failureReason(
  devnet: Devnet,
  hash: Hash,
  failure: ExecutionFailure | undefined,
): Promise<FailureReason> {
  const explained = (await devnet.calmRequest('preseal_explain', [hash])) as Explained
  const { stackTrace } = explained
  switch (failure?.kind) {
    case undefined:
      return { text: 'failed', error: undefined, stackTrace }
    case 'halt':
      return { text: haltReason(explained, failure.reason), error: undefined, stackTrace }
    case 'revert': {
      const reason = revertReason(failure.data)
      const error = reason === undefined ? await devnet.abis.decodeError(toHex(failure.data)) : undefined
      const text = `reverted: ${reason ?? error?.text ?? bare(failure.data, stackTrace)}`
      return { text, error, stackTrace }
    }
  }
}

interface Explained {
  readonly failure?: string
  readonly stackTrace?: SolidityStackTrace
}

/**
 * Returns the reason of the halt; for a transaction without enough gas also whether its gas was estimated too early.
 */
function haltReason({ failure = 'outOfGas' }: Explained, reason: string): string {
  return reason === 'outOfGas' ? failure : reason
}

function bare(data: Uint8Array, stackTrace: SolidityStackTrace | undefined): string {
  return data.length === 0 ? (cause(stackTrace) ?? 'no reason given') : shortenedHex(toHex(data))
}
