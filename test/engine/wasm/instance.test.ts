/** The engine's instance, with programs written by hand. */
import { describe, expect, it } from 'vitest'
import { type Address, fromHex, toHex, toQuantity, ZERO_HASH } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import type { MovedPrecompiles, Watcher } from '../../../src/engine/engine.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import type { FrameEnd } from '../../../src/engine/wasm/results.ts'
import { CONSOLE_ADDRESS } from '../../../src/model/execution/call.ts'
import { type AnyHardfork, createRules } from '../../../src/model/hardfork/hardfork.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import type { StateView } from '../../../src/state/view.ts'
import { EventLoop } from '../../../src/work/eventLoop.ts'
import { TimeLimitExceeded, URGENT, Work } from '../../../src/work/work.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { CONTEXT as SCENE_CONTEXT } from '../../support/engines/scenes.ts'

const SENDER: Address = `0x${'5'.repeat(40)}`
const CONTRACT: Address = `0x${'c'.repeat(40)}`
const OTHER: Address = `0x${'d'.repeat(40)}`

const CONTEXT: BlockContext = {
  ...SCENE_CONTEXT,
  number: 300n,
  coinbase: SENDER,
  prevRandao: ZERO_HASH,
  blockHash: (number) => `0x${number.toString(16).padStart(64, '0')}`,
}

const instance = new Instance()

interface Options {
  readonly hardfork?: AnyHardfork
  readonly gas?: bigint
  readonly data?: Uint8Array
  readonly value?: bigint
  readonly work?: Work
  readonly watcher?: Watcher
  readonly moved?: MovedPrecompiles
  readonly accounts?: readonly AccountChange[]
  readonly codeSizeLimit?: number
}

interface Ran {
  readonly end: FrameEnd
  readonly changes: readonly AccountChange[]
}

function begin(code: string, options: Options) {
  const { hardfork = 'osaka', accounts = [], codeSizeLimit } = options
  const state = State.empty.with([
    { address: SENDER, balance: 10n ** 18n },
    { address: CONTRACT, code: bytes(code) },
    ...accounts,
  ])
  instance.begin(createRules(hardfork, 1n, codeSizeLimit === undefined ? {} : { codeSizeLimit }), {
    state,
    context: CONTEXT,
    message: { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: options.moved },
    watcher: options.watcher,
  })
}

/** Calls a contract with `code`: hex digits, spaces allowed. */
async function call(code: string, options: Options = {}): Promise<Ran> {
  begin(code, options)
  const { gas = 10_000_000n, data = new Uint8Array(0), value = 0n, work = URGENT } = options
  const to = instance.account(CONTRACT)
  const end = await instance.call({ from: instance.account(SENDER), to, codeAt: to, value, data, gas }, work)
  return { end, changes: instance.changes() }
}

async function create(initCode: string, options: Options = {}): Promise<Ran> {
  begin('', options)
  const { gas = 10_000_000n, value = 0n } = options
  const from = instance.account(SENDER)
  const end = await instance.create({ from, address: OTHER, value, data: bytes(initCode), gas }, URGENT)
  return { end, changes: instance.changes() }
}

function bytes(code: string): Uint8Array {
  return fromHex(`0x${code.replaceAll(/\s/g, '')}`)
}

/** Returns the top of the stack. */
const RETURN = '6000 52 6020 6000 f3'

const push = (value: bigint | number, width = 32) =>
  `${(0x5f + width).toString(16)}${value.toString(16).padStart(2 * width, '0')}`

describe('a halt', () => {
  it.each([
    ['outOfGas', 'of an endless loop', '5b 6000 56', { gas: 1_000n }],
    ['stackUnderflow', 'though its block costs too much', '50 6001 54 00', { gas: 3n }],
    ['outOfGas', 'though it would take too much from the stack', '6001 54 50 50 00', { gas: 100n }],
    [
      'stackUnderflow',
      'though its block cannot be paid for in advance',
      `6000 54 50 50 ${'6001 50'.repeat(2_000)} 00`,
      { gas: 2_200n },
    ],
    ['stackOverflow', 'after 1,024 items', `5b ${'6001'.repeat(1_025)}`, {}],
    ['invalidJump', 'to what is no JUMPDEST', '6003 56 00 00', {}],
    ['invalidJump', 'on a condition, behind the end', '6001 6064 57 00', {}],
    ['invalidJump', 'into the data of a PUSH', '6004 56 60 5b', {}],
    ['invalidOpcode', 'at INVALID', 'fe', {}],
    ['invalidOpcode', 'at a byte without meaning', '0c', {}],
    ['invalidOpcode', 'before its hardfork', '5f', { hardfork: 'paris' }],
    ['outOfGas', 'behind the return data', '6001 6000 6000 3e', {}],
    ['outOfGas', 'at memory that nobody can pay for', `${push(2n ** 255n)} 51`, {}],
    ['initCodeTooLarge', 'of 49,153 bytes', '62 00c001 6000 6000 f0 00', {}],
  ] as const)('has the reason %s %s', async (reason, _, code, options) => {
    const { end, changes } = await call(code, options)
    expect(end).toMatchObject({ kind: 'halt', reason, gasLeft: 0n })
    expect(changes).toEqual([])
  })

  it('of a creation has the reason why its code was refused', async () => {
    const returned = (length: number) => `${push(length, 3)} 6000 f3`
    expect((await create(returned(24_577))).end.reason).toBe('codeTooLarge')
    expect((await create(returned(24_577), { codeSizeLimit: 30_000 })).end.kind).toBe('success')
    expect((await create('60ef 6000 53 6001 6000 f3')).end.reason).toBe('invalidCode')
    expect((await create(returned(100), { gas: 10_000n })).end.reason).toBe('outOfGas')
    const taken = { address: OTHER, storage: [[1n, 1n]] } as const
    expect((await create('00', { accounts: [taken] })).end.reason).toBe('createCollision')
  })

  it('of a creation under Frontier that cannot pay for its code is a contract without code', async () => {
    const { end, changes } = await create('6064 6000 f3', { gas: 5_000n, hardfork: 'frontier' })
    expect(end).toMatchObject({ kind: 'success', output: new Uint8Array(0) })
    expect(end.gasLeft).toBeGreaterThan(0n)
    expect(changes).toEqual([{ address: OTHER, nonce: 0n, balance: 0n }])
  })
})

describe('a long run', () => {
  /** Counts down from a million. */
  const LOOP = `${push(1_000_000, 3)} 5b 6001 90 03 80 6004 57 ${RETURN}`
  const ENDLESS = '5b 6000 56'

  it('goes on after pauses where it was', async () => {
    let turns = 0
    let now = 0
    const loop = new EventLoop(
      {
        now: () => (now += 10),
        soon: (next) => {
          turns++
          setImmediate(next)
        },
      },
      40,
    )
    const { end } = await call(LOOP, { gas: 100_000_000n, work: new Work({ loop }) })
    expect(end.kind).toBe('success')
    // 3 for the first, 26 and a JUMPDEST for each round, and the return.
    expect(100_000_000n - end.gasLeft).toBe(3n + 1_000_000n * 26n + 15n)
    expect(turns).toBeGreaterThan(5)
  })

  it('ends at its time limit, in both readings', async () => {
    for (const watcher of [undefined, { step: () => {} }]) {
      const work = new Work({ limitMs: 20 })
      const ran = call(ENDLESS, { gas: 2n ** 62n, work, ...(watcher && { watcher }) })
      await expect(ran).rejects.toThrow(TimeLimitExceeded)
      instance.drop()
    }
    expect((await call(`602a ${RETURN}`)).end.kind).toBe('success')
  })

  it('that a watcher breaks off leaves nothing behind', async () => {
    const watcher: Watcher = {
      step: ({ pc }) => {
        if (pc > 10) throw new Error('enough')
      },
    }
    // A write, memory, and a call that is open.
    const code = `6001 6000 55 6001 61ffff 53 ${push(0, 1).repeat(5)} 30 5a f1 00`
    await expect(call(code, { watcher })).rejects.toThrow('enough')
    instance.drop()
    const { end, changes } = await call(`6000 54 ${RETURN}`)
    expect(toQuantity(end.output)).toBe(0n)
    expect(changes).toEqual([])
  })
})

it('a step shows the memory that it finds, whether or not the steps before it were asked', async () => {
  const items: readonly Item[] = [
    1,
    0,
    'MSTORE8',
    5,
    32,
    'MSTORE',
    64,
    'MLOAD',
    'POP',
    32,
    0,
    100,
    'CALLDATACOPY',
    20,
    0,
    140,
    'CODECOPY',
    10,
    0,
    160,
    'ADDRESS',
    'EXTCODECOPY',
    32,
    0,
    200,
    'MCOPY',
    32,
    300,
    'KECCAK256',
    'POP',
    32,
    400,
    'LOG0',
    32,
    500,
    32,
    0,
    0,
    4,
    'GAS',
    'CALL',
    'POP',
    32,
    600,
    32,
    0,
    4,
    'GAS',
    'STATICCALL',
    'POP',
    32,
    700,
    32,
    0,
    4,
    'GAS',
    'DELEGATECALL',
    'POP',
    32,
    0,
    800,
    'RETURNDATACOPY',
    1,
    900,
    0,
    'CREATE',
    'POP',
    0,
    1,
    1_000,
    0,
    'CREATE2',
    'POP',
    'STOP',
  ]
  const code = toHex(assemble(...items)).slice(2)
  const all: string[] = []
  await call(code, { watcher: { step: ({ memory }) => void all.push(toHex(memory)) } })
  expect(all.at(-1)!.length).toBe(2 + 2 * 1_024)
  for (let i = 0; i < all.length; i++) {
    let at = 0
    let alone: string | undefined
    const step: Watcher['step'] = (seen) => {
      if (at++ === i) alone = toHex(seen.memory)
    }
    await call(code, { watcher: { step } })
    expect(alone, `step ${i}`).toBe(all[i])
  }
})

it('calls 1,024 frames deep and no deeper', async () => {
  // Counts in slot 0, calls itself, and returns the counter.
  const code = `6000 54 6001 01 6000 55 ${push(0, 1).repeat(5)} 30 5a f1 50 6000 54 ${RETURN}`
  // Without EIP-150 a frame passes all its gas on.
  const { end } = await call(code, { hardfork: 'osaka', gas: 2n ** 50n })
  expect(toQuantity(end.output)).toBe(1_025n)
})

it('keeps tens of thousands of slots and logs, and megabytes of memory', async () => {
  // for (i = 20,000; i > 0; i--) { slot[i] = i; log0(0, 32) }, then memory of 4 MB, and the sum of two slots.
  const code = `${push(20_000, 2)} 5b 80 81 55 6020 6000 a0 6001 90 03 80 6003 57
    ${push(4_000_000, 3)} 51 ${push(20_000, 2)} 54 6001 54 01 ${RETURN}`
  begin(code, {})
  const to = instance.account(CONTRACT)
  const gas = 2_000_000_000n
  const from = instance.account(SENDER)
  const end = await instance.call({ from, to, codeAt: to, value: 0n, data: new Uint8Array(0), gas }, URGENT)
  expect(toQuantity(end.output)).toBe(20_001n)
  expect(instance.logsLater()()).toHaveLength(20_000)
  const [change] = instance.changes()
  expect([...change!.storage!].length).toBe(20_000)
})

describe('the gas need', () => {
  it('is what SSTORE wants beyond its cost, from the beginning on', async () => {
    const { end } = await call('6001 6000 55 00')
    expect(end.gasNeed).toBe(6n + 2_301n)
  })

  it('is unknown where the code reads its gas, or a call uses all its gas', async () => {
    // The address of a STATICCALL is that of a precompile which accepts no input of this length (BLAKE2F).
    for (const code of ['5a 00', `${push(0, 1).repeat(4)} 6009 5a fa 00`]) {
      expect((await call(code)).end.gasNeed).toBeUndefined()
    }
    expect((await call('6001 00')).end.gasNeed).toBe(0n)
  })

  it('of a call is what the callee needs as 63/64 of the gas left (EIP-150)', async () => {
    // The precompile at 1 takes 3,000 gas, which is 3,047 without 1/64, rounded down.
    const { end } = await call(`${push(0, 1).repeat(4)} 6001 5a fa 00`)
    expect(end).toMatchObject({ gasNeed: 5n * 3n + 2n + 100n + 3_047n, makesCalls: true })
  })
})

it('notes the calls of the console with who called, reverted ones too', async () => {
  const code = `602a 6000 52 6000 6000 6020 6000 73${CONSOLE_ADDRESS.slice(2)} 5a fa 6000 6000 fd`
  begin(code, {})
  const to = instance.account(CONTRACT)
  const call = {
    from: instance.account(SENDER),
    to,
    codeAt: to,
    value: 0n,
    data: new Uint8Array(0),
    gas: 100_000n,
  }
  const end = await instance.call(call, URGENT)
  expect(end.kind).toBe('revert')
  expect(instance.console).toEqual([
    {
      from: CONTRACT,
      codeAddress: CONTRACT,
      code: bytes(code),
      input: bytes(42n.toString(16).padStart(64, '0')),
    },
  ])
  instance.drop()
})

it('runs a precompile where it was moved, and code where it was', async () => {
  const identity: Address = `0x${'4'.padStart(40, '0')}`
  const moved = new Map([[identity, OTHER]])
  const at = (address: Address) =>
    `602a 6000 52 6020 6020 6020 6000 73${address.slice(2)} 5a fa 50 6020 51 ${RETURN}`
  expect(toQuantity((await call(at(identity))).end.output)).toBe(42n)
  expect(toQuantity((await call(at(identity), { moved })).end.output)).toBe(0n)
  expect(toQuantity((await call(at(OTHER), { moved })).end.output)).toBe(42n)
})

it('reads blocks, and hashes of the last 256 of them', async () => {
  const hash = async (number: bigint) => toQuantity((await call(`${push(number)} 40 ${RETURN}`)).end.output)
  expect(await hash(299n)).toBe(299n)
  expect(await hash(44n)).toBe(44n)
  expect(await hash(43n)).toBe(0n)
  expect(await hash(300n)).toBe(0n)
  expect(await hash(2n ** 200n)).toBe(0n)
})

it('runs the code that a delegation names, once, and shows the designation to EXTCODE*', async () => {
  const accounts = [
    { address: OTHER, code: bytes(`ef0100${'e'.repeat(40)}`) },
    { address: `0x${'e'.repeat(40)}`, code: bytes(`30 ${RETURN}`) },
  ] as const
  const code = `6020 6000 6000 6000 73${OTHER.slice(2)} 5a fa 50 73${OTHER.slice(2)} 3b 6000 51 01 ${RETURN}`
  const { end } = await call(code, { accounts })
  expect(toQuantity(end.output)).toBe(BigInt(OTHER) + 23n)
})

it('forgets what a run changed: the next one on the same state begins with the state', async () => {
  const state = State.empty.with([
    {
      address: CONTRACT,
      balance: 5n,
      code: bytes(`6000 54 6001 01 80 6000 55 6007 6000 5d ${RETURN}`),
      storage: [[0n, 8n]],
    },
  ])
  const rules = createRules('osaka', 1n)
  for (let run = 0; run < 3; run++) {
    const watcher = undefined
    instance.begin(rules, {
      state,
      context: CONTEXT,
      message: { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined },
      watcher,
    })
    const to = instance.account(CONTRACT)
    const end = await instance.call(
      { from: to, to, codeAt: to, value: 0n, data: new Uint8Array(0), gas: 100_000n },
      URGENT,
    )
    expect(toQuantity(end.output)).toBe(9n)
    expect(end.gasLeft).toBe(100_000n - 2_100n - 2_900n - 100n - 36n)
    expect(instance.changes()).toEqual([{ address: CONTRACT, storage: new Map([[0n, 9n]]) }])
  }
})

it('asks again for what a state could not answer', async () => {
  const below = State.empty.with([
    { address: CONTRACT, code: bytes(`6001 54 ${RETURN}`), storage: [[1n, 8n]] },
    { address: SENDER, balance: 5n },
  ])
  let isThere = false
  const ask = <T>(answer: T): T => {
    if (!isThere) throw new Error('not here')
    return answer
  }
  const state: StateView = {
    account: (address) => (address === SENDER ? ask(below.account(address)) : below.account(address)),
    code: (address) => below.code(address),
    storage: (address, slot) => ask(below.storage(address, slot)),
    hasStorage: (address) => below.hasStorage(address),
  }
  const rules = createRules('osaka', 1n)
  const run = async () => {
    const message = { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined }
    instance.begin(rules, { state, context: CONTEXT, message })
    const to = instance.account(CONTRACT)
    const frame = { to, codeAt: to, value: 0n, data: new Uint8Array(0), gas: 100_000n }
    return instance.call({ ...frame, from: isThere ? instance.account(SENDER) : to }, URGENT)
  }
  await expect(run()).rejects.toThrow('not here')
  expect(() => instance.account(SENDER)).toThrow('not here')
  instance.drop()
  isThere = true
  expect(toQuantity((await run()).output)).toBe(8n)
  expect(instance.balance(instance.account(SENDER))).toBe(5n)
  instance.drop()
})
