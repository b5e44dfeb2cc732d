/** Tracers in JavaScript that clients send: what they can read, and how they end. */
import { createPublicClient, custom } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../../../../src/bytes/hex.ts'
import { toHex } from '../../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../../src/index.ts'
import { assemble } from '../../../support/compilers/assembly.ts'

const CONTRACT: Hex = '0x00000000000000000000000000000000000c0de0'
const OTHER: Hex = '0x00000000000000000000000000000000000c0de1'

/** Traces a call of `code` at `CONTRACT`. */
async function traced(
  code: Uint8Array,
  tracer: string,
  { config = {}, devnet = undefined as Devnet | undefined } = {},
): Promise<unknown> {
  if (devnet === undefined) {
    await using own = await createDevnet({ rhythm: 'manual' })
    return await traced(code, tracer, { config, devnet: own })
  }
  const stateOverrides = {
    [CONTRACT]: {
      code: toHex(code),
      balance: '0x7',
      state: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}2a` },
    },
    [OTHER]: { code: toHex(assemble(0, 0, 'REVERT')) },
  }
  const params = [{ to: CONTRACT, data: '0x010203' }, 'latest', { tracer, stateOverrides, ...config }]
  return await devnet.request({ method: 'debug_traceCall', params } as never)
}

/** Returns a tracer whose result is what `step` pushes to `seen`. */
const stepping = (step: string, rest = '') =>
  `{ seen: [], step: function (log, db) { ${step} }, fault: function () {}, result: function (ctx, db) { return this.seen }, ${rest} }`

describe('a tracer in JavaScript', () => {
  it('reads each step: instruction, gas, depth, stack, memory and contract', async () => {
    const push =
      'this.seen.push([log.op.toString(), log.op.toNumber(), log.op.isPush(), log.getPC(), log.getCost(), log.getDepth(), log.stack.length(), log.memory.length()])'
    expect(await traced(assemble(7, 0, 'MSTORE', 'STOP'), stepping(push))).toEqual([
      ['PUSH1', 0x60, true, 0, 3, 1, 0, 0],
      ['PUSH1', 0x60, true, 2, 3, 1, 1, 0],
      ['MSTORE', 0x52, false, 4, 6, 1, 2, 0],
      ['STOP', 0, false, 5, 0, 1, 0, 32],
    ])
    const last =
      "if (log.op.toString() === 'STOP') this.seen = [log.memory.getUint(0), toHex(log.memory.slice(31, 33)), toHex(log.contract.getAddress()), toHex(log.contract.getCaller()), toHex(log.contract.getInput()), log.contract.getValue()]"
    expect(await traced(assemble(7, 0, 'MSTORE', 'STOP'), stepping(last))).toEqual([
      '7',
      '0x0700',
      CONTRACT,
      `0x${'00'.repeat(20)}`,
      '0x010203',
      '0',
    ])
  })

  it('reads the state at the step', async () => {
    const code = assemble(1, 0, 'SSTORE', 'STOP')
    const step =
      'var a = log.contract.getAddress(); this.seen.push([toHex(db.getState(a, toWord("0x0"))).slice(-2), db.getBalance(a), db.getNonce(a), db.getCode(a).length, db.exists(a), db.exists(toAddress("0xabc"))])'
    const answer = (await traced(code, stepping(step))) as unknown[]
    const others = ['7', 0, code.length, true, false]
    expect(answer).toEqual([...[1, 2, 3].map(() => ['2a', ...others]), ['01', ...others]])
  })

  it('reads any item of a deep stack, and may keep it', async () => {
    const items = Array.from({ length: 12 }, (_, i) => i + 1)
    const step =
      "if (log.op.toString() === 'STOP') for (var i = 0; i < 12; i++) this.seen.push(log.stack.peek(i).toString())"
    expect(await traced(assemble(...items, 'STOP'), stepping(step))).toEqual(items.toReversed().map(String))
  })

  it('enters and exits each call below the outermost, and hears of a revert as a fault', async () => {
    const tracer = `{ seen: [],
      fault: function (log) { this.seen.push(['fault', log.getError()]) },
      enter: function (frame) { this.seen.push([frame.getType(), toHex(frame.getFrom()), toHex(frame.getTo()), toHex(frame.getInput()), frame.getValue()]) },
      exit: function (result) { this.seen.push([result.getGasUsed(), toHex(result.getOutput()), result.getError()]) },
      result: function (ctx) { return { seen: this.seen, type: ctx.type, to: toHex(ctx.to), input: toHex(ctx.input), error: ctx.error } } }`
    const code = assemble(0, 0, 0, 0, 3, OTHER, 50_000, 'CALL', 'STOP')
    expect(await traced(code, tracer)).toEqual({
      seen: [
        ['CALL', CONTRACT, OTHER, '0x', '3'],
        ['fault', 'execution reverted'],
        [6, '0x', 'execution reverted'],
      ],
      type: 'CALL',
      to: CONTRACT,
      input: '0x010203',
    })
  })

  it('hears of an instruction that fails before it runs in step, and of others in fault', async () => {
    const rest = 'other: 1'
    const tracer = stepping('this.seen.push([log.op.toString(), log.getError()])', rest).replace(
      'fault: function () {}',
      'fault: function (log) { this.seen.push(["fault", log.getError()]) }',
    )
    expect(await traced(assemble('POP'), tracer)).toEqual([['POP', 'stack underflow']])
    expect(await traced(assemble(9, 'JUMP'), tracer)).toEqual([
      ['PUSH1', null],
      ['JUMP', null],
      ['fault', 'invalid jump destination'],
    ])
  })

  it('has the functions of geth', async () => {
    // The addresses are those of EIP-1014, and of the first contract of the account 0x6ac7ea33….
    const result = `{ step: function () {}, fault: function () {}, result: function () { return [
      toHex(toWord('0x01')), toHex(toAddress('0xabc')), isPrecompiled(toAddress('0x1')), isPrecompiled(toAddress('0xabc')),
      toHex(slice([1, 2, 3, 4], 1, 3)),
      toHex(toContract('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0', 0)),
      toHex(toContract2('0xdeadbeef00000000000000000000000000000000', '0x00', '0x00')),
      bigInt('123456789012345678901234567890').multiply(2).subtract(bigInt(1)), bigInt('ff', 16), bigInt(7).divmod(2).remainder
    ] } }`
    expect(await traced(assemble('STOP'), result)).toEqual([
      `0x${'00'.repeat(31)}01`,
      '0x0000000000000000000000000000000000000abc',
      true,
      false,
      '0x0203',
      '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d',
      '0xb928f69bb1d91cd65274e3c79d8986362984fda3',
      '246913578024691357802469135779',
      '255',
      '1',
    ])
  })

  it('receives its configuration in setup', async () => {
    const rest = 'setup: function (config) { this.seen.push(JSON.parse(config)) }'
    const config = { tracerConfig: { depth: 3 } }
    expect(await traced(assemble('STOP'), stepping('', rest), { config })).toEqual([{ depth: 3 }])
  })

  it('runs beside other tracers in a muxTracer', async () => {
    const tracer = stepping('this.seen.push(log.getPC())')
    const config = { tracerConfig: { [tracer]: {}, callTracer: {} } }
    expect(await traced(assemble('STOP'), 'muxTracer', { config })).toEqual({
      [tracer]: [0],
      callTracer: expect.objectContaining({ to: CONTRACT }),
    })
  })

  it('traces transactions and blocks, with the hashes of both', async () => {
    await using devnet = await createDevnet({ rhythm: 'instant' })
    const [from] = (await devnet.request({ method: 'eth_accounts' })) as Hex[]
    const hash = await devnet.request({
      method: 'eth_sendTransaction',
      params: [{ from, to: from }],
    } as never)
    const tracer =
      '{ step: function () {}, fault: function () {}, result: function (ctx) { return [toHex(ctx.txHash), ctx.txIndex, ctx.block, ctx.gasUsed, toHex(ctx.blockHash).length] } }'
    const ask = (method: string, ...params: unknown[]) => devnet.request({ method, params } as never)
    const answer = [hash, 0, 1, 21_000, 66]
    expect(await ask('debug_traceTransaction', hash, { tracer })).toEqual(answer)
    expect(await ask('debug_traceBlockByNumber', '0x1', { tracer })).toEqual([
      { txHash: hash, result: answer },
    ])
  })

  it('is answered to a viem client', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const client = createPublicClient({ transport: custom(devnet, { retryCount: 0 }) })
    const tracer = '{ step() {}, fault() {}, result: () => ({ done: true }) }'
    const params = [{ to: CONTRACT }, 'latest', { tracer }]
    expect(await client.request({ method: 'debug_traceCall', params } as never)).toEqual({ done: true })
  })
})

describe('a tracer in JavaScript that fails', () => {
  it.each([
    ['is no JavaScript', '((', /^SyntaxError: /],
    ['has no result', '{ step() {}, fault() {} }', /^trace object must expose a function result\(\)/],
    [
      'has enter without exit',
      '{ fault() {}, result() {}, enter() {} }',
      /either both or none of enter\(\) and exit\(\)/,
    ],
    [
      'throws',
      '{ step() { throw new Error("no") }, fault() {}, result() {} }',
      /^Error: no at step \(tracer:1:\d+\) {4}in server-side tracer function 'step'$/,
    ],
    [
      'calls what is not there',
      '{ step(log) { log.nothing() }, fault() {}, result() {} }',
      /^TypeError: not a function at step/,
    ],
    [
      'reads beyond the stack',
      '{ step(log) { try { log.stack.peek(3) } catch (e) {} }, fault() {}, result() {} }',
      /^tracer accessed out of bound stack: size 0, index 3/,
    ],
    [
      'recurses without end',
      '{ step() { const f = () => f() + 1; f() }, fault() {}, result() {} }',
      /^InternalError: stack overflow/,
    ],
    [
      'allocates without end',
      '{ step() { for (let a = []; ; ) a.push(new Uint8Array(1000000)) }, fault() {}, result() {} }',
      /^out of memory: the tracer used more than 67108864 bytes/,
    ],
  ])('is answered with a sentence if it %s', async (_, tracer, message) => {
    await expect(traced(assemble('STOP'), tracer)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(message),
    })
  })

  it('ends at the time limit, and the devnet answers on', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const loops = '{ step() { for (;;) { try { for (;;) {} } catch (e) {} } }, fault() {}, result() {} }'
    const config = { timeout: '100ms' }
    await expect(traced(assemble('STOP'), loops, { devnet, config })).rejects.toMatchObject({
      code: -32002,
      message: expect.stringContaining('trace timed out: it was not finished within 100 ms'),
    })
    expect(await traced(assemble('STOP'), stepping('this.seen.push(1)'), { devnet })).toEqual([1])
  })

  it('reaches nothing but its own functions', async () => {
    const tracer =
      '{ step() {}, fault() {}, result: () => ["process", "require", "fetch", "WebAssembly", "console", "setTimeout"].filter((name) => name in globalThis) }'
    expect(await traced(assemble('STOP'), tracer)).toEqual([])
  })
})
