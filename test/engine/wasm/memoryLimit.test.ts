/** The memory that one run may take: of all kinds together, whatever earlier runs left. */
import { describe, expect, it } from 'vitest'
import { BothEngines } from '../../../src/engine/both/bothEngines.ts'
import type { Engine, Message } from '../../../src/engine/engine.ts'
import { WasmEngine } from '../../../src/engine/wasm/wasmEngine.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { State } from '../../../src/state/state.ts'
import { DEFAULT_MEMORY_LIMIT, MemoryLimitExceeded, Work } from '../../../src/work/work.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { address, CONTEXT } from '../../support/engines/scenes.ts'

const SENDER = address(0x5e)
const CONTRACT = address(0xc0)
const MEGABYTE = 1024 * 1024
const RULES = createRules('osaka', 1n)
const ENGINE = new WasmEngine(RULES)

async function run(
  items: readonly Item[],
  memoryLimit: number,
  { gas = 10_000_000n, engine = ENGINE }: { gas?: bigint; engine?: Engine } = {},
) {
  const state = State.empty.with([
    { address: SENDER, balance: 10n ** 18n },
    { address: CONTRACT, code: assemble(...items) },
  ])
  const message: Message = {
    kind: 'simulation',
    type: 2,
    from: SENDER,
    to: CONTRACT,
    nonce: 0n,
    gasLimit: 21_000n + gas,
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    authorizationList: [],
    gasPrice: 0n,
    tip: 0n,
    blobGasPrice: 0n,
    blobVersionedHashes: [],
    mayComeFromContract: false,
    movedPrecompiles: undefined,
    dropsChanges: true,
  }
  const { outcome } = await engine.transact({
    state,
    context: CONTEXT,
    message,
    work: new Work({ memoryLimit }),
  })
  return outcome.kind
}

const loop = (...items: Item[]): Item[] => ['JUMPDEST', ...items, 0, 'JUMP']
/** Writes 10,000 slots of transient storage. */
const WRITES: Item[] = [
  10_000,
  ...['JUMPDEST', 1, 'SWAP1', 'SUB', 'DUP1', 'DUP1', 'TSTORE', 'DUP1', 3, 'JUMPI'],
] as Item[]

describe('a run that takes more memory than it may', () => {
  it.each<[what: string, items: readonly Item[], gas?: bigint]>([
    ['slots of transient storage', loop('GAS', 'GAS', 'TSTORE')],
    ['memory', [1, 12 * MEGABYTE, 'MSTORE'], 2n ** 40n],
    ['memory of which a part alone has room', [1, 0xff_000_000, 'MSTORE'], 2n ** 50n],
    ['memory of open frames', [1, MEGABYTE, 'MSTORE', 0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL'], 2n ** 32n],
    ['logs', loop(MEGABYTE, 0, 'LOG0'), 2n ** 32n],
    ['accounts', loop('GAS', 'BALANCE', 'POP'), 2n ** 32n],
    ['code', loop('0x6160005ff3', 0, 'MSTORE', 5, 27, 0, 'CREATE', 'POP'), 2n ** 32n],
    ['what it returns', [4 * MEGABYTE, 0, 'RETURN'], 2n ** 32n],
  ])('is broken off: %s', async (_, items, gas) => {
    await expect(run(items, 5 * MEGABYTE, gas === undefined ? {} : { gas })).rejects.toMatchObject({
      name: 'MemoryLimitExceeded',
      limitBytes: 5 * MEGABYTE,
    })
  })
})

it('what earlier runs took counts for no later one', async () => {
  // 10,000 slots of 128 bytes and 40 of the journal, and an index: 2 MB.
  for (let round = 0; round < 20; round++) expect(await run(WRITES, 3 * MEGABYTE)).toBe('success')
  await expect(run(WRITES, MEGABYTE)).rejects.toThrow(MemoryLimitExceeded)
  for (let round = 0; round < 20; round++) expect(await run(WRITES, 3 * MEGABYTE)).toBe('success')
})

it('memory that a frame gave back may be taken again', async () => {
  // Calls the identity precompile with 1 MB again and again.
  const items: Item[] = loop(MEGABYTE, 0, MEGABYTE, 0, 4, 'GAS', 'STATICCALL', 'POP')
  expect(await run(items, 5 * MEGABYTE, { gas: 20_000_000n })).toBe('halt')
})

it('two engines that run everything are not to blame', async () => {
  const never: Engine = { rules: RULES, transact: () => Promise.reject(new Error('not reached')) }
  const both = new BothEngines(ENGINE, never)
  const ran = run([1, MEGABYTE, 'MSTORE'], MEGABYTE, { engine: both, gas: 2n ** 40n })
  await expect(ran).rejects.toThrow(MemoryLimitExceeded)
})

it('60,000,000 gas take less than a third of what a run may take if nothing else is said', async () => {
  // Frames that call themselves until they are 1,024 deep; each has the memory for which it has gas.
  const deep = (bytes: number): Item[] => [1, bytes, 'MSTORE8', 0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL']
  for (const items of [loop('GAS', 'GAS', 'TSTORE'), deep(128 * 1024), deep(130 * 1024)]) {
    expect(await run(items, DEFAULT_MEMORY_LIMIT / 3, { gas: 60_000_000n })).not.toBe('revert')
  }
})
