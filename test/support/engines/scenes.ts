/** Scenes and calls with defaults, of which a test sets the fields that matter to it. */

import { type Address, type Hash, toHex, toWord, ZERO_ADDRESS } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { createScene, type ExecutionScope } from '../../../src/engine/run/runCall.ts'
import type { AccountOverride, BlockOverride, Call } from '../../../src/model/execution/call.ts'
import { createRules, type Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import { createEngine } from './engineOfRun.ts'

/** Block 1,000 of a chain whose blocks have hashes like 0x0b…0b03e7 (their number at the end). */
export const CONTEXT: BlockContext = {
  number: 1_000n,
  timestamp: 1_700_000_000n,
  coinbase: `0x${'cb'.repeat(20)}`,
  gasLimit: 30_000_000n,
  difficulty: 0n,
  prevRandao: `0x${'4a'.repeat(32)}`,
  baseFeePerGas: 7n,
  blobBaseFee: 1n,
  blockHash: (number) => (number >= 0n && number < 1_000n ? blockHash(number) : undefined),
}

export function blockHash(number: bigint): Hash {
  const hash = toWord(number)
  hash.fill(0x0b, 0, 28)
  return toHex(hash)
}

export function machine(hardfork: Hardfork = 'osaka'): Evm {
  return new Evm(createEngine(createRules(hardfork, 31_337n)))
}

/** `CONTEXT` over a world with `accounts`, and what is overridden there. */
export function sceneOf(
  accounts: readonly AccountChange[],
  overrides: readonly (Partial<AccountOverride> & Pick<AccountOverride, 'address'>)[] = [],
  block: BlockOverride = {},
): ExecutionScope {
  return createScene(State.empty.with(accounts), CONTEXT, overrides.map(overrideOf), block)
}

/** An override of nothing but what is named. */
export function overrideOf(
  override: Partial<AccountOverride> & Pick<AccountOverride, 'address'>,
): AccountOverride {
  return {
    balance: undefined,
    nonce: undefined,
    code: undefined,
    state: undefined,
    stateDiff: undefined,
    movePrecompileTo: undefined,
    ...override,
  }
}

/** An empty call from the zero address. */
export function callOf(fields: Partial<Call>): Call {
  return {
    from: ZERO_ADDRESS,
    to: undefined,
    gas: undefined,
    fee: { kind: 'none' },
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    authorizationList: [],
    blobVersionedHashes: [],
    ...fields,
  }
}

/** An address that is easy to read in a failure: 0x00…0a for `address(10)`. */
export function address(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}
