/** Functions, step positions, gas and results of debugged runs. */
import { describe, expect, it } from 'vitest'
import { createDevnet } from '../../../src/index.ts'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { askAt } from '../../support/clients/askAt.ts'
import { debugged, framesIn, knowing, linesIn, placed } from '../../support/compilers/debugged.ts'
import { type CompileOptions, compiled } from '../../support/compilers/solidity.ts'

const BANK = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
library Fees {
  function cut(uint256 amount) internal pure returns (uint256) {
    uint256 fee = amount / 10;
    return amount - fee;
  }
}
contract Limited {
  uint256 limit;
  constructor(uint256 most) {
    limit = most;
  }
  modifier within(uint256 amount) {
    require(amount <= limit, "too much");
    _;
  }
}
contract Bank is Limited {
  error Poor(address who, uint256 has);
  event Paid(address indexed to, uint256 amount);
  mapping(address => uint256) balances;
  constructor(uint256 first) Limited(100) {
    balances[msg.sender] = first;
  }
  function pay(address to, uint256 amount)
    external
    within(amount)
    returns (uint256 paid)
  {
    paid = Fees.cut(amount);
    take(msg.sender, amount);
    balances[to] += paid;
    emit Paid(to, paid);
  }
  function take(address from, uint256 amount) internal {
    uint256 has = balances[from];
    if (has < amount)
      revert Poor(from, has);
    balances[from] = has - amount;
  }
  function twice(address to, uint256 amount) external {
    this.pay(to, amount);
    try this.pay(to, amount) {
    } catch {}
  }
}`

const compilations = new Map<string, Compilation>()

function compiledBank(options: CompileOptions): Compilation {
  const key = JSON.stringify(options)
  const compilation = compilations.get(key) ?? compiled({ 'contracts/Bank.sol': BANK }, options)
  compilations.set(key, compilation)
  return compilation
}

const bank = async (options: CompileOptions = {}) => {
  const compilation = compiledBank(options)
  const devnet = await knowing(compilation)
  const placedBank = await placed(devnet, compilation, 'Bank', [50n])
  const [me, other] = devnet.accounts.map(({ address }) => address)
  const run = (name: string, ...args: unknown[]) => debugged(devnet, placedBank, name, args)
  return { devnet, bank: placedBank, me: me!, other: other!, run }
}

describe('the frames of a run', () => {
  it('are calls with their arguments and results, and functions, modifiers and libraries in them', async () => {
    const { run, me, other } = await bank()
    const told = await run('pay', other, 20n)
    expect(framesIn(told)).toEqual([
      `CALL Bank.pay(${other}, 20)`,
      '  Limited.within (modifier)',
      '  Fees.cut',
      '  Bank.take',
    ])
    expect(told.frames[0]).toMatchObject({
      from: me.toLowerCase(),
      value: 0n,
      args: [
        { name: 'to', type: 'address', value: other },
        { name: 'amount', type: 'uint256', value: 20n },
      ],
      result: [{ name: 'paid', type: 'uint256', value: 18n }],
      error: undefined,
    })
    expect(told.frames[3]).toMatchObject({
      parent: 0,
      function: 'take',
      declaredAt: { file: 'contracts/Bank.sol', line: 36, column: 3, endLine: 41, endColumn: 4 },
    })
  })

  it('of a creation are those of its constructors', async () => {
    const {
      devnet,
      bank: { hash },
    } = await bank()
    const told = await devnet.debug(hash as never)
    expect(framesIn(told)).toEqual(['CREATE Bank.constructor(50)', '  Limited.constructor'])
    // The contract, its constructor's arguments, that of its base and its end, and its own.
    expect(linesIn(told)).toEqual([19, 23, 12, 11, 24, 23])
  })

  it('end with the error, and the calls around go on', async () => {
    const {
      run,
      bank: { address },
      other,
    } = await bank()
    const told = await run('twice', other, 30n)
    expect(framesIn(told)).toEqual(
      [
        `CALL Bank.twice(${other}, 30)`,
        `  CALL Bank.pay(${other}, 30) fails: Poor(who: ${address}, has: 0)`,
        '    Limited.within (modifier)',
        '    Fees.cut',
        '    Bank.take',
      ].map((line, i) => (i === 0 ? `${line} fails: Poor(who: ${address}, has: 0)` : line)),
    )
    expect(told.frames[1]).toMatchObject({
      error: { name: 'Poor', args: [{ value: address }, { value: 0n }] },
    })
    expect(told.status).toBe('reverted')
    expect(told.steps.at(-1)?.position?.line).toBe(43)
    const inner = told.steps.slice(told.frames[1]!.steps.first, told.frames[1]!.steps.last + 1)
    expect(inner.at(-1)?.position).toMatchObject({ line: 39, text: 'Poor(from, has)' })
  })

  it('of a failed requirement has the reason', async () => {
    const { run, other } = await bank()
    const told = await run('pay', other, 101n)
    expect(framesIn(told)[0]).toBe(`CALL Bank.pay(${other}, 101) fails: too much`)
    expect(told.steps.at(-1)?.position).toMatchObject({ line: 15, column: 5 })
  })
})

describe('the steps of a run', () => {
  it('stand where the source says, with the events that were emitted', async () => {
    const { run, other } = await bank()
    const told = await run('pay', other, 20n)
    // From the contract to the function, its results and the arguments of its modifier, and so on.
    expect(linesIn(told)).toEqual([
      19, 26, 29, 28, 15, 31, 4, 5, 6, 4, 31, 32, 36, 37, 38, 40, 36, 32, 33, 34, 26,
    ])
    const [log] = told.steps.flatMap(({ logs }) => logs)
    expect(log).toMatchObject({
      event: 'Paid',
      args: [
        { name: 'to', value: other },
        { name: 'amount', value: 18n },
      ],
      isReverted: false,
    })
    const emitting = told.steps.find(({ logs }) => logs.length > 0)
    expect(emitting?.position?.text).toBe('Paid(to, paid)')
  })

  it('use the gas of the run, but for what a transaction costs by itself', async () => {
    const { run, other } = await bank()
    for (const amount of [20n, 101n]) {
      const told = await run('pay', other, amount)
      const inSteps = told.steps.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
      const input = told.frames[0] as { gasUsed: bigint }
      expect(inSteps).toBe(input.gasUsed)
    }
    const nested = await run('twice', other, 20n)
    const inSteps = nested.steps.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    expect(inSteps).toBe((nested.frames[0] as { gasUsed: bigint }).gasUsed)
  })

  // The executed lines, one or none for each step.
  const RAN = [19, 26, 15, 31, 4, 5, 6, 32, 36, 37, 38, 40, 33, 34, 27, 28, 29, 16, 14, '?']
  it.each<[string, CompileOptions]>([
    ['optimized', { optimizer: true }],
    ['via IR', { viaIR: true }],
    ['optimized via IR', { viaIR: true, optimizer: true }],
  ])('of code that is %s are on lines that ran, in the right function', async (_, options) => {
    const { run, other } = await bank(options)
    const told = await run('pay', other, 20n)
    expect(RAN).toEqual(expect.arrayContaining(linesIn(told)))
    expect(told.steps.find(({ logs }) => logs.length > 0)?.position?.line).toBe(34)
    const failed = await run('pay', other, 90n)
    const last = failed.steps.at(-1)!.position?.line ?? '?'
    expect([39, '?']).toContain(last)
    expect(framesIn(failed)[0]).toContain('fails: Poor(')
  })

  it('of equal functions that the optimizer made one are told of the call, and of no other function', async () => {
    const compilation = compiled({ 'Equal.sol': EQUAL }, { optimizer: true })
    const devnet = await knowing(compilation)
    const equal = await placed(devnet, compilation, 'Equal')
    const told = await debugged(devnet, equal, 'run', [5n])
    const lines = linesIn(told)
    // The first function is in line 6; the second, which is called second, in line 10.
    const [from, to] = [lines.indexOf(15), lines.lastIndexOf(15)]
    expect(from).toBeGreaterThan(0)
    expect(lines.slice(from, to + 1)).not.toContain(6)
    expect(framesIn(told).filter((frame) => frame.includes('Equal.one'))).toHaveLength(2)
  })

  it('end at the limit, frames do not', async () => {
    const { devnet, bank: placedBank, other } = await bank()
    const call = { ...placedBank, functionName: 'pay', args: [other, 20n] }
    const whole = await devnet.debug(call)
    const cut = await devnet.debug(call, { limit: 5, disableStorage: true })
    expect(cut.steps.map(({ position }) => position)).toEqual(
      whole.steps.slice(0, 5).map(({ position }) => position),
    )
    expect(cut.isCut).toBe(true)
    expect(whole.isCut).toBe(false)
    expect(cut.frames.map(({ contract }) => contract)).toEqual(whole.frames.map(({ contract }) => contract))
    expect(cut.steps.every(({ storage }) => storage.length === 0)).toBe(true)
  })
})

describe('devnet.debug', () => {
  it('runs a call on the state of a block, and changes nothing', async () => {
    const { devnet, bank: placedBank, other } = await bank()
    const before = await devnet.request({ method: 'eth_blockNumber' })
    const call = { ...placedBank, functionName: 'pay', args: [other, 20n] }
    const there = await devnet.debug(call)
    expect(there.status).toBe('success')
    const poor = await devnet.debug({ ...call, from: other })
    expect(framesIn(poor)[0]).toContain('fails: Poor(')
    const earlier = await devnet.debug({ ...call, at: 0n })
    expect(earlier.frames).toMatchObject([{ kind: 'message', contract: undefined }])
    expect(await devnet.request({ method: 'eth_blockNumber' })).toBe(before)
  })

  it('says what is wrong', async () => {
    const { devnet, bank: placedBank } = await bank()
    await expect(devnet.debug(`0x${'12'.repeat(32)}`)).rejects.toThrow(/transaction .*0x1212|not found/)
    await expect(devnet.debug('0x12')).rejects.toThrow(
      'debug: expected the hash of a transaction (0x and 64 hex digits), or a call, got "0x12"',
    )
    await expect(devnet.debug({ ...placedBank, functionName: 'pays', args: [] })).rejects.toThrow(
      'did you mean pay?',
    )
    await expect(devnet.debug({ to: placedBank.address, block: 1 } as never)).rejects.toThrow(
      'the block is at',
    )
    await using bare = await createDevnet({ rhythm: 'manual', artifacts: [] })
    await expect(bare.debug({ to: placedBank.address })).rejects.toThrow('devnet.artifacts.add')
  })

  it('names what it does not know', async () => {
    const { devnet } = await bank()
    await devnet.request({ method: 'anvil_setCode', params: [STRANGER, '0x60015500'] })
    const told = await devnet.debug({ to: STRANGER, data: '0x' })
    expect(told.gaps).toMatchObject([{ reason: 'unknownCode', address: STRANGER, contract: undefined }])
    expect(told.frames).toMatchObject([{ contract: undefined, function: undefined, args: undefined }])
  })
})

const EQUAL = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Equal {
  uint8 small;
  function one(uint256 n) internal {
    require(n > 1, "bad"); small = uint8(n);
  }

  function two(uint256 n) internal {
    require(n > 1, "bad"); small = uint8(n);
  }

  function run(uint256 n) external {
    one(n);
    two(n + 1);
    one(n);
  }
}`

const STRANGER = '0x00000000000000000000000000000000000057a6'

describe('the tracer soliditySource', () => {
  it('gives the same over JSON-RPC, as JSON', async () => {
    const { devnet, bank: placedBank, me, other } = await bank()
    const { hash } = (await devnet.write({
      ...placedBank,
      functionName: 'pay',
      args: [other, 20n],
    } as never)) as {
      hash: `0x${string}`
    }
    const { url } = await devnet.listen({ port: 0 })
    const ask = (method: string, ...params: unknown[]) => askAt<never>(url, method, ...params)
    const config = { tracer: 'soliditySource' }
    const told = (await ask('debug_traceTransaction', hash, config)) as { frames: object[]; steps: object[] }
    const { gasUsed, frames, steps } = await devnet.debug(hash)
    expect(told).toMatchObject({
      status: 'success',
      gasUsed: `0x${gasUsed.toString(16)}`,
      isCut: false,
      gaps: [],
    })
    expect(told.frames).toHaveLength(frames.length)
    expect(told.frames[0]).toMatchObject({
      kind: 'message',
      call: 'CALL',
      contract: 'Bank',
      function: 'pay',
      value: '0x0',
      args: [
        { name: 'to', type: 'address', value: other },
        { name: 'amount', type: 'uint256', value: '20' },
      ],
    })
    expect(told.steps).toHaveLength(steps.length)
    const written = told.steps.flatMap((step) => (step as { storage: object[] }).storage)
    expect(written).toContainEqual({
      kind: 'write',
      isTransient: false,
      address: placedBank.address.toLowerCase(),
      slot: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      name: `balances[${me}]`,
      variable: 'balances',
      path: [{ kind: 'key', type: 'address', value: me }],
      type: 'uint256',
      value: '30',
      before: '50',
      isReverted: false,
    })

    const block = await ask('eth_getBlockByNumber', 'latest', false)
    const inBlock = await ask('debug_traceBlockByHash', (block as { hash: string }).hash, config)
    expect(inBlock).toEqual([{ txHash: hash, result: told }])
    const call = { from: me, to: placedBank.address, data: (frames[0] as { input: string }).input }
    const limited = { ...config, tracerConfig: { limit: 2, disableStorage: true } }
    expect(await ask('debug_traceCall', call, 'latest', limited)).toMatchObject({ isCut: true })
  })
})
