/** How transactions end with the gas that they are given. */

import type { Address } from '../../../src/bytes/hex.ts'
import type { ExecutionScope } from '../../../src/engine/run/runCall.ts'
import { runTransaction } from '../../../src/engine/run/runMessage.ts'
import { minimumGas } from '../../../src/model/transaction/intrinsicGas.ts'
import type { State } from '../../../src/state/state.ts'
import { type Signer, sign } from '../chains/signing.ts'
import { evm } from './answers.ts'

/** The action of a transaction. */
export interface Wish {
  readonly to: Address | undefined
  readonly data: Uint8Array
  readonly value: bigint
}

/** How the transaction ends with this gas limit. */
export async function ending(
  state: State,
  context: ExecutionScope['context'],
  signer: Signer,
  wish: Wish,
  gasLimit: bigint,
): Promise<string> {
  const nonce = state.account(signer.address)?.nonce ?? 0n
  const transaction = sign(signer, { ...wish, nonce, gasLimit, maxPriorityFeePerGas: 0n, maxFeePerGas: 7n })
  if (gasLimit < minimumGas(evm.rules, transaction)) return 'intrinsicGasTooLow'
  return (await runTransaction(evm, state, context, transaction)).outcome.kind
}
