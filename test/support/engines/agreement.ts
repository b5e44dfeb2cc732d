/** Messages that run in both engines, and in both readings of ours: all must agree. */
import { expect } from 'vitest'
import { toQuantity } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import { differencesOf } from '../../../src/engine/both/bothEngines.ts'
import type { Engine, Execution, Message, Outcome } from '../../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { WasmEngine } from '../../../src/engine/wasm/wasmEngine.ts'
import { type AnyHardfork, createRules, type Rules } from '../../../src/model/hardfork/hardfork.ts'
import { minimumGas } from '../../../src/model/transaction/intrinsicGas.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import { URGENT } from '../../../src/work/work.ts'
import { assemble, type Item } from '../compilers/assembly.ts'
import { address, CONTEXT } from './scenes.ts'

/** The default sender of messages, and the contract that they call. */
export const SENDER = address(0x5e0de5)
export const CONTRACT = address(0xc0de00)
/** The ether of the sender. */
export const RICH = 10n ** 24n

/** A message with defaults. */
export interface Given {
  readonly hardfork?: AnyHardfork
  /** The accounts beside the sender and the contract, or in their place. */
  readonly accounts?: readonly AccountChange[]
  /** The code of the contract. */
  readonly code?: Uint8Array | readonly Item[]
  /** The gas beyond what the message is charged before its first instruction. */
  readonly gas?: bigint
  readonly message?: Partial<Message>
  readonly context?: Partial<BlockContext>
  /** A fault of EthereumJS: only the two readings of our engine are then compared. */
  readonly ethereumjsErs?: string
}

/** How a message ended. */
export interface Agreed {
  readonly outcome: Outcome
  /** The gas that it used beyond what it was charged before its first instruction, before refunds. */
  readonly gas: bigint
  readonly before: State
  readonly state: State
}

interface Engines {
  readonly rules: Rules
  readonly wasm: Engine
  readonly ethereumjs: Engine
}

/** EthereumJS's EVMs take long to make: one for each hardfork. */
const engines = new Map<AnyHardfork, Engines>()

function enginesUnder(hardfork: AnyHardfork): Engines {
  let both = engines.get(hardfork)
  if (both === undefined) {
    const rules = createRules(hardfork, 31_337n)
    both = { rules, wasm: new WasmEngine(rules), ethereumjs: new EthereumjsEngine(rules) }
    engines.set(hardfork, both)
  }
  return both
}

/** Returns how a message ended; fails unless it ended equally in both engines, and where its steps are watched. */
export async function agreed(given: Given): Promise<Agreed> {
  const { wasm, ethereumjs, rules } = enginesUnder(given.hardfork ?? 'osaka')
  const { message, least } = messageOf(rules, given)
  const state = stateOf(given)
  const context = contextOf(rules, given.context)
  const run = (engine: Engine, watched = false) =>
    engine.transact({
      state,
      context,
      message,
      work: URGENT,
      watcher: watched ? { step: () => {} } : undefined,
    })
  const execution = await run(wasm)
  expect(differencesOf(state, execution, await run(wasm, true)), 'where steps are watched').toEqual([])
  if (given.ethereumjsErs === undefined) {
    const theirs = await run(ethereumjs)
    expect(differencesOf(state, execution, theirs), differing(execution, theirs)).toEqual([])
  }
  const { outcome, changes } = execution
  return { outcome, gas: outcome.gasBeforeRefund - least, before: state, state: state.with(changes) }
}

/** Returns the words that the code returned; fails if it did not return. */
export async function wordsOf(given: Given): Promise<bigint[]> {
  const { outcome } = await agreed(given)
  if (outcome.kind !== 'success') throw new Error(`expected a success, got ${outcome.kind}`)
  const { returnData } = outcome
  const words = Math.ceil(returnData.length / 32)
  return Array.from({ length: words }, (_, i) => toQuantity(returnData.subarray(32 * i, 32 * i + 32)))
}

/** Returns the word that `items` leave on the stack. */
export async function wordOf(items: readonly Item[], given: Given = {}): Promise<bigint> {
  const [word] = await wordsOf({ ...given, code: [...items, 0, 'MSTORE', 32, 0, 'RETURN'] })
  return word!
}

function messageOf(rules: Rules, given: Given): { message: Message; least: bigint } {
  const { gas = 1_000_000n, message: fields = {} } = given
  const to = 'to' in fields ? fields.to : CONTRACT
  const { data = new Uint8Array(), accessList = [], authorizationList = [] } = fields
  const payload = { to, data, accessList, authorizationList }
  const least = fields.kind === 'system' ? 0n : minimumGas(rules, payload)
  const message: Message = {
    ...payload,
    kind: 'transaction',
    type: typeOf(rules, fields),
    from: SENDER,
    nonce: 0n,
    gasLimit: least + gas,
    value: 0n,
    gasPrice: 9n,
    tip: rules.has(1559) ? 2n : 9n,
    blobGasPrice: 0n,
    blobVersionedHashes: [],
    mayComeFromContract: false,
    movedPrecompiles: undefined,
    dropsChanges: false,
    ...fields,
  }
  return { message, least }
}

function typeOf(
  rules: Rules,
  { accessList, authorizationList, blobVersionedHashes }: Partial<Message>,
): number {
  if ((authorizationList ?? []).length > 0) return 4
  if ((blobVersionedHashes ?? []).length > 0) return 3
  if (rules.has(1559)) return 2
  return (accessList ?? []).length > 0 ? 1 : 0
}

function stateOf({ accounts = [], code = [] }: Given): State {
  return State.empty
    .with([
      { address: SENDER, balance: RICH },
      {
        address: CONTRACT,
        nonce: 1n,
        balance: 1_000n,
        code: code instanceof Uint8Array ? code : assemble(...code),
      },
    ])
    .with(accounts)
}

function contextOf(rules: Rules, fields: Partial<BlockContext> = {}): BlockContext {
  return {
    ...CONTEXT,
    baseFeePerGas: rules.has(1559) ? CONTEXT.baseFeePerGas : undefined,
    blobBaseFee: rules.has(4844) ? CONTEXT.blobBaseFee : undefined,
    difficulty: rules.since('paris') ? 0n : 131_072n,
    ...fields,
  }
}

/** Returns the text of a difference between engines. */
function differing(ours: Execution, theirs: Execution): string {
  const [one, other] = [ours, theirs].map(({ outcome }) => `${outcome.kind}, ${outcome.gasUsed} gas`)
  return `ours: ${one}; EthereumJS's: ${other}`
}
