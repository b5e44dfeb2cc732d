/** Cases that random programs rarely reach: limits, exact amounts of gas, static calls; in both engines, as in the EIPs. */
import { describe, expect, it } from 'vitest'
import { type Address, toQuantity } from '../../src/bytes/hex.ts'
import type { Engine, Message, Watcher } from '../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { WasmEngine } from '../../src/engine/wasm/wasmEngine.ts'
import { contractAddress } from '../../src/model/account/account.ts'
import { createRules, type Rules } from '../../src/model/hardfork/hardfork.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import { URGENT } from '../../src/work/work.ts'
import { answering, assemble, type Item } from '../support/compilers/assembly.ts'
import { address, CONTEXT } from '../support/engines/scenes.ts'

const SENDER = address(0x5e)
const CONTRACT = address(0xc0)
const OTHER = address(0xc1)
const THIRD = address(0xc2)
const BASE_GAS = 21_000n

const ENGINES: readonly (readonly [name: string, make: (rules: Rules) => Engine])[] = [
  ['wasm', (rules) => new WasmEngine(rules)],
  ['ethereumjs', (rules) => new EthereumjsEngine(rules)],
]

interface Options {
  readonly accounts?: readonly AccountChange[]
  /** The gas for the code. */
  readonly gas?: bigint
  readonly message?: Partial<Message>
  readonly nonce?: bigint
  readonly watcher?: Watcher
}

describe.each(ENGINES)('in the engine %s', (_, make) => {
  const engine = make(createRules('osaka', 1n))

  async function run(code: Uint8Array, { accounts = [], gas = 10_000_000n, ...rest }: Options = {}) {
    const state = State.empty.with([
      { address: SENDER, balance: 10n ** 18n },
      { address: CONTRACT, code, balance: 5n, nonce: rest.nonce ?? 1n },
      ...accounts,
    ])
    const message: Message = {
      kind: 'transaction',
      type: 2,
      from: SENDER,
      to: CONTRACT,
      nonce: 0n,
      gasLimit: BASE_GAS + gas,
      value: 0n,
      data: new Uint8Array(),
      accessList: [],
      authorizationList: [],
      gasPrice: 7n,
      tip: 0n,
      blobGasPrice: 0n,
      blobVersionedHashes: [],
      mayComeFromContract: false,
      movedPrecompiles: undefined,
      dropsChanges: false,
      ...rest.message,
    }
    const { outcome } = await engine.transact({
      state,
      context: CONTEXT,
      message,
      work: URGENT,
      watcher: rest.watcher,
    })
    return outcome
  }

  /** Returns the word that code answers. */
  async function answerOf(items: readonly Item[], options: Options = {}): Promise<bigint> {
    const outcome = await run(answering(...items), options)
    if (outcome.kind !== 'success') throw new Error(`expected a success, got ${JSON.stringify(outcome.kind)}`)
    return toQuantity(outcome.returnData)
  }

  const call = (to: Address, gas: Item = 'GAS', value = 0): Item[] => [0, 0, 0, 0, value, to, gas, 'CALL']
  const staticCall = (to: Address): Item[] => [0, 0, 0, 0, to, 'GAS', 'STATICCALL']
  const code = (at: Address, ...items: Item[]): AccountChange => ({ address: at, code: assemble(...items) })

  describe.each([
    ['SSTORE', [1, 1, 'SSTORE']],
    ['TSTORE', [1, 1, 'TSTORE']],
    ['LOG0', [0, 0, 'LOG0']],
    ['LOG2', [0, 0, 0, 0, 'LOG2']],
    ['CREATE', [0, 0, 0, 'CREATE']],
    ['CREATE2', [0, 0, 0, 0, 'CREATE2']],
    ['SELFDESTRUCT', [0, 'SELFDESTRUCT']],
    ['CALL with a value', call(THIRD, 0, 1)],
  ] as const)('%s', (__, items: readonly Item[]) => {
    const writer = { ...code(OTHER, ...items), balance: 5n }
    const between = code(THIRD, ...call(OTHER), 'ISZERO', 0, 'MSTORE', 32, 0, 'RETURN')

    it('fails in a static call, and in what that calls, and nowhere else', async () => {
      expect(await answerOf(staticCall(OTHER), { accounts: [writer] })).toBe(0n)
      expect(await answerOf(call(OTHER), { accounts: [writer] })).toBe(1n)
      const inside: Item[] = [32, 0, 0, 0, THIRD, 'GAS', 'STATICCALL', 'POP', 0, 'MLOAD']
      expect(await answerOf(inside, { accounts: [writer, between] })).toBe(1n)
    })
  })

  it('SSTORE needs more than 2,300 gas, whatever it costs (EIP-2200)', async () => {
    const store = assemble(0, 0, 'SSTORE')
    expect((await run(store, { gas: 6n + 2_300n })).kind).toBe('halt')
    expect((await run(store, { gas: 6n + 2_301n })).kind).toBe('success')
  })

  it('code has at most 24,576 bytes (EIP-170), init code at most 49,152 (EIP-3860)', async () => {
    const deploys = async (length: number) => {
      const message = { to: undefined, data: assemble(length, 0, 'RETURN') }
      return (await run(assemble('STOP'), { message, gas: 10_000_000n })).kind
    }
    expect(await deploys(24_576)).toBe('success')
    expect(await deploys(24_577)).toBe('halt')
    const runs = async (length: number) => (await run(assemble(length, 0, 0, 'CREATE'))).kind
    expect(await runs(49_152)).toBe('success')
    expect(await runs(49_153)).toBe('halt')
  })

  it('code is paid for to the last unit of gas', async () => {
    const create = async (less: bigint) => {
      const data = assemble(10, 0, 'RETURN')
      // Zero bytes cost 4, others 16; a word of init code 2; a creation 32,000; memory 3, and 200 for each byte.
      const data_ = BigInt([...data].reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0))
      const gas = 32_000n + 2n + data_ + 6n + 3n + 2_000n
      return (await run(assemble('STOP'), { message: { to: undefined, data }, gas: gas - less })).kind
    }
    expect(await create(0n)).toBe('success')
    expect(await create(1n)).toBe('halt')
  })

  it('a contract with the nonce 2^64 - 1 creates no other, and keeps its nonce (EIP-2681)', async () => {
    expect(await answerOf([0, 0, 0, 'CREATE'], { nonce: 2n ** 64n - 1n })).toBe(0n)
    expect(await answerOf([0, 0, 0, 'CREATE'], { nonce: 2n ** 64n - 2n })).not.toBe(0n)
  })

  it.each([1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 2n ** 63n])(
    'the nonce %s is part of the address that CREATE makes',
    async (nonce) => {
      const created = await answerOf([0, 0, 0, 'CREATE'], { nonce })
      expect(created).toBe(BigInt(contractAddress(CONTRACT, nonce)))
    },
  )

  it('a precompile runs with exactly its gas', async () => {
    expect(await answerOf(call(address(4), 15))).toBe(1n)
    expect(await answerOf(call(address(4), 14))).toBe(0n)
  })

  it('a precompile that fails takes all the gas of its call', async () => {
    // BLAKE2F of nothing is malformed; its price is 0.
    const outcome = await run(assemble(...call(address(9), 50_000)))
    expect(outcome.gasUsed).toBe(BASE_GAS + 7n * 3n + 100n + 50_000n)
  })

  it('DELEGATECALL keeps caller and value', async () => {
    const accounts = [code(OTHER, 'CALLVALUE', 'CALLER', 'ADD', 0, 'MSTORE', 32, 0, 'RETURN')]
    const items: Item[] = [32, 0, 0, 0, OTHER, 'GAS', 'DELEGATECALL', 'POP', 0, 'MLOAD']
    expect(await answerOf(items, { accounts, message: { value: 3n } })).toBe(BigInt(SENDER) + 3n)
  })

  it('what a frame wrote to transient storage is gone when it reverts (EIP-1153)', async () => {
    const accounts = [code(OTHER, 9, 0, 'TSTORE', 0, 0, 'REVERT')]
    const items: Item[] = [5, 0, 'TSTORE', 0, 0, 0, 0, OTHER, 'GAS', 'DELEGATECALL', 'POP', 0, 'TLOAD']
    expect(await answerOf(items, { accounts })).toBe(5n)
  })

  it('a frame begins without return data; a creation leaves some only if it reverts', async () => {
    const accounts = [
      code(OTHER, 32, 0, 'RETURN'),
      code(THIRD, 'RETURNDATASIZE', 0, 'MSTORE', 32, 0, 'RETURN'),
    ]
    const begins: Item[] = [...call(OTHER), 'POP', 32, 0, 0, 0, 0, THIRD, 'GAS', 'CALL', 'POP', 0, 'MLOAD']
    expect(await answerOf(begins, { accounts })).toBe(0n)
    const creation = (...init: Item[]): Item[] => {
      const bytes = assemble(...init)
      const word = new Uint8Array(32)
      word.set(bytes)
      return [toQuantity(word), 0, 'MSTORE', bytes.length, 0, 0, 'CREATE', 'POP', 'RETURNDATASIZE']
    }
    expect(await answerOf(creation(7, 0, 'REVERT'))).toBe(7n)
    expect(await answerOf([...call(OTHER), 'POP', ...creation(7, 0, 'RETURN')], { accounts })).toBe(0n)
  })

  it('no jump leads into the data of a PUSH32', async () => {
    const push = Uint8Array.of(0x7f, ...new Array<number>(32).fill(0x5b))
    expect((await run(assemble(6, 'JUMP', 0, push))).kind).toBe('halt')
    expect((await run(assemble(6, 'CALLVALUE', 'ADD', 'JUMP', push))).kind).toBe('halt')
  })

  it('1,024 items fit on the stack, and are paid for exactly, also where steps are watched', async () => {
    const full = assemble(...new Array<Item>(1_024).fill(1))
    for (const watcher of [undefined, { step: () => {} }]) {
      const watched = watcher === undefined ? {} : { watcher }
      expect((await run(full, { gas: 3_072n, ...watched })).kind).toBe('success')
      expect((await run(full, { gas: 3_071n, ...watched })).kind).toBe('halt')
      expect((await run(assemble(full, 1), { ...watched })).kind).toBe('halt')
    }
  })

  it('CALLDATALOAD reads zeros behind the end', async () => {
    const message = { data: new Uint8Array(33).fill(0xff) }
    const gas = 10_000_000n
    expect(await answerOf([1, 'CALLDATALOAD'], { message, gas })).toBe(2n ** 256n - 1n)
    expect(await answerOf([2, 'CALLDATALOAD'], { message, gas })).toBe(2n ** 256n - 2n ** 8n)
    expect(await answerOf([33, 'CALLDATALOAD'], { message, gas })).toBe(0n)
    expect(await answerOf([2n ** 64n, 'CALLDATALOAD'], { message, gas })).toBe(0n)
  })

  it('a call of an account that delegates costs that much more, and warms what it delegates to (EIP-7702)', async () => {
    const delegating = (at: Address, to: Address): AccountChange => ({
      address: at,
      code: assemble(Uint8Array.of(0xef, 1, 0), Uint8Array.from(Buffer.from(to.slice(2), 'hex'))),
    })
    const gasOf = async (accounts: readonly AccountChange[], calls: number) => {
      const items = new Array<Item[]>(calls).fill([...call(OTHER, 0), 'POP']).flat()
      return (await run(assemble(...items), { accounts })).gasUsed - BASE_GAS - BigInt(calls) * 23n
    }
    const toThird = [delegating(OTHER, THIRD)]
    expect(await gasOf(toThird, 1)).toBe(2_600n + 2_600n)
    expect(await gasOf(toThird, 2)).toBe(2_600n + 2_600n + 100n + 100n)
  })
})
