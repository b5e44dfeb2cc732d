/** EthereumJS's EVM, unpatched, and an instance of our engine, with the same accounts. */
import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { type Address, toHex, toQuantity, toWord, ZERO_HASH } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import { type AnyHardfork, createRules } from '../../../src/model/hardfork/hardfork.ts'
import { type AccountRecord, State } from '../../../src/state/state.ts'
import { entries } from '../../../src/state/trie.ts'
import { URGENT } from '../../../src/work/work.ts'
import { CONTEXT as SCENE_CONTEXT } from '../../support/engines/scenes.ts'

/** An account before a run. */
export interface Given {
  readonly address: Address
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Uint8Array
  readonly storage: ReadonlyMap<bigint, bigint>
}

export interface Asked {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly data: Uint8Array
  readonly gas: bigint
}

/** The compared results. */
export interface Seen {
  readonly kind: string
  readonly gasLeft: bigint
  readonly refund: bigint
  readonly output: string
  readonly logs: unknown
  readonly accounts: unknown
}

const NAMES: Partial<Record<AnyHardfork, string>> = { frontier: 'chainstart' }

const CONTEXT: BlockContext = { ...SCENE_CONTEXT, prevRandao: ZERO_HASH, blockHash: () => ZERO_HASH }

/** Runs a call with EthereumJS. */
export async function alone(hardfork: AnyHardfork, given: readonly Given[], asked: Asked): Promise<Seen> {
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: NAMES[hardfork] ?? hardfork })
  const stateManager = new SimpleStateManager({ common })
  const evm = await createEVM({ common, stateManager })
  for (const { address, nonce, balance, code, storage } of given) {
    const at = createAddressFromString(address)
    await stateManager.putAccount(at, new Account(nonce, balance))
    if (code.length > 0) await stateManager.putCode(at, code)
    for (const [slot, value] of storage) await stateManager.putStorage(at, toWord(slot), minimal(value))
  }
  // As the beginning of a transaction does it. Else a slot that was read would make its account warm.
  for (const address of [asked.from, asked.to, ...evm.precompiles.keys()])
    evm.journal.addAlwaysWarmAddress(address)
  const { execResult } = await evm.runCall({
    caller: createAddressFromString(asked.from),
    to: createAddressFromString(asked.to),
    value: asked.value,
    data: asked.data,
    gasLimit: asked.gas,
    skipNonceIncrement: true,
    block: {
      header: {
        number: CONTEXT.number,
        timestamp: CONTEXT.timestamp,
        coinbase: createAddressFromString(CONTEXT.coinbase),
        gasLimit: CONTEXT.gasLimit,
        difficulty: 0n,
        prevRandao: new Uint8Array(32),
        baseFeePerGas: 7n,
        getBlobGasPrice: () => 1n,
      },
    } as never,
  })
  const { exceptionError } = execResult
  const failed = exceptionError !== undefined
  // As the end of a transaction does it.
  for (const address of failed ? [] : (execResult.selfdestruct?.keys() ?? [])) {
    const created = execResult.createdAddresses
    if (common.isActivatedEIP(6780) && !created?.has(address)) continue
    await evm.journal.deleteAccount(createAddressFromString(address))
  }
  await evm.journal.cleanup()
  const accounts: Record<string, unknown> = {}
  for (const [address, account] of stateManager.accountStack[0]!) {
    if (account === undefined) continue
    const at = createAddressFromString(address)
    const code = await stateManager.getCode(at)
    const slots: Record<string, string> = {}
    for (const [key, value] of stateManager.storageStack[0]!) {
      const [owner, slot] = key.split('_')
      const word = toQuantity(value)
      if (owner === address && word !== 0n)
        slots[`0x${BigInt(`0x${slot!.replace('0x', '')}`).toString(16)}`] = `${word}`
    }
    accounts[address] = shown(account.nonce, account.balance, code, slots)
  }
  return {
    kind: failed ? (exceptionError.error === 'revert' ? 'revert' : 'halt') : 'success',
    gasLeft: asked.gas - execResult.executionGasUsed,
    refund: failed ? 0n : (execResult.gasRefund ?? 0n),
    output: failed && exceptionError.error !== 'revert' ? '0x' : toHex(execResult.returnValue),
    logs: failed
      ? []
      : (execResult.logs ?? []).map(([address, topics, data]) => [
          toHex(address),
          topics.map(toHex),
          toHex(data),
        ]),
    accounts: sorted(accounts),
  }
}

const shared = new Instance()

/** Runs a call with the engine. */
export async function ours(
  hardfork: AnyHardfork,
  given: readonly Given[],
  asked: Asked,
  isWatched = false,
  instance = shared,
): Promise<Seen> {
  const rules = createRules(hardfork, 1n)
  const state = State.empty.with(given)
  const steps = { count: 0 }
  instance.begin(rules, {
    state,
    context: CONTEXT,
    message: { from: asked.from, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined },
    watcher: isWatched ? { step: () => steps.count++ } : undefined,
  })
  const to = instance.account(asked.to)
  const from = instance.account(asked.from)
  if (rules.has(2929)) for (const account of [from, to]) instance.warmAccount(account)
  const { value, data, gas } = asked
  const end = await instance.call({ from, to, codeAt: to, value, data, gas }, URGENT)
  const logs = instance.logsLater()()
  const after = state.with(instance.changes())
  const accounts: Record<string, unknown> = {}
  for (const record of after.records())
    accounts[record.address] = shown(record.nonce, record.balance, record.code, slotsOf(record))
  return {
    kind: end.kind,
    gasLeft: end.gasLeft,
    refund: end.kind === 'success' ? end.refund : 0n,
    output: toHex(end.output),
    logs: logs.map(({ address, topics, data }) => [address, topics, toHex(data)]),
    accounts: sorted(accounts),
  }
}

function slotsOf({ slots }: AccountRecord): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [, { slot, value }] of entries(slots)) shown[`0x${slot.toString(16)}`] = `${value}`
  return shown
}

function shown(nonce: bigint, balance: bigint, code: Uint8Array, slots: Record<string, string>) {
  return { nonce: `${nonce}`, balance: `${balance}`, code: toHex(code), slots: sorted(slots) }
}

function sorted<T>(values: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function minimal(value: bigint): Uint8Array {
  const digits = value.toString(16)
  return hexToBytes(`0x${digits.length & 1 ? '0' : ''}${digits}`)
}
