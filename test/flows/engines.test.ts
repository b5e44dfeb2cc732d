/** The option `engine`: two engines that disagree about a devnet's runs. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Hex } from 'viem'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { EthereumjsEngine } from '../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { createDevnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { startNode } from '../support/processes/process.ts'

const honest = EthereumjsEngine.prototype.transact

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** From now on EthereumJS reports one gas too much for what `liesAbout` holds. */
function lie(liesAbout: (from: string) => boolean = () => true): void {
  vi.spyOn(EthereumjsEngine.prototype, 'transact').mockImplementation(async function (
    this: EthereumjsEngine,
    run,
  ) {
    const execution = await honest.call(this, run)
    if (!liesAbout(run.message.from)) return execution
    return { ...execution, outcome: { ...execution.outcome, gasUsed: execution.outcome.gasUsed + 1n } }
  })
}

/** What is printed to the standard error output from now on. */
function errors(): unknown[][] {
  const printed: unknown[][] = []
  vi.spyOn(console, 'error').mockImplementation((...line) => void printed.push(line))
  return printed
}

/** It costs the floor of EIP-7623: 21,000 gas, and 40 for a byte that is not zero. */
const CALL = { to: STRANGER, data: '0x01' }

describe('a call about which the engines disagree', () => {
  it('is an error that names the difference, and is printed', async () => {
    const devnet = await started({ engine: 'both', rhythm: 'manual' })
    lie()
    const printed = errors()
    await expect(ask(devnet, 'eth_call', CALL)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('the engines wasm and ethereumjs differ in gasUsed'),
    })
    expect(printed).toHaveLength(1)
    expect(String(printed[0])).toContain('EngineDifference')
  })

  it('is an error that names the engine that threw', async () => {
    const devnet = await started({ engine: 'both', rhythm: 'manual' })
    vi.spyOn(EthereumjsEngine.prototype, 'transact').mockRejectedValue(new RangeError('no room'))
    errors()
    await expect(ask(devnet, 'eth_call', CALL)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('the engine ethereumjs threw RangeError: no room'),
    })
  })
})

describe('a transaction about which the engines disagree', () => {
  it('is dropped with the difference and printed; the others are included', async () => {
    const devnet = await started({ engine: 'both', rhythm: 'manual', receipts: 'preconfirmed' })
    const [alice, bob, carol] = devnet.accounts.map(({ address }) => address)
    lie((from) => from === alice!.toLowerCase())
    const printed = errors()
    const dropped: unknown[] = []
    devnet.on('dropped', ({ hash }, reason) => dropped.push([hash, reason]))
    const pay = (from: string | undefined) =>
      ask<Hex>(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1' })
    const [first, second, third] = [await pay(bob), await pay(alice), await pay(carol)]
    await devnet.tick()
    const { transactions } = await ask<{ transactions: Hex[] }>(
      devnet,
      'eth_getBlockByNumber',
      'pending',
      false,
    )
    expect([...transactions].sort()).toEqual([first, third].sort())
    expect(dropped).toMatchObject([[second, { kind: 'defect', error: { differences: ['gasUsed'] } }]])
    expect(printed).toHaveLength(1)
    expect(String(printed[0])).toContain(second)
    // The nonce is free: the sender goes on as soon as the engines agree.
    vi.mocked(EthereumjsEngine.prototype.transact).mockImplementation(honest)
    const again = await pay(alice)
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionReceipt', again)).toMatchObject({ status: '0x1' })
  })
})

describe('the environment variable PRESEAL_ENGINE', () => {
  it('chooses the engine where the option is absent', async () => {
    vi.stubEnv('PRESEAL_ENGINE', 'ethereumjs')
    const ran = vi.spyOn(EthereumjsEngine.prototype, 'transact')
    await ask(await started({ rhythm: 'manual', engine: 'wasm' }), 'eth_call', CALL)
    expect(ran).not.toHaveBeenCalled()
    await ask(await started({ rhythm: 'manual' }), 'eth_call', CALL)
    expect(ran).toHaveBeenCalledOnce()
  })

  it('is refused with the names of the engines where it has another', async () => {
    vi.stubEnv('PRESEAL_ENGINE', 'jit')
    await expect(createDevnet()).rejects.toThrow(/PRESEAL_ENGINE.*wasm, ethereumjs, both.*jit/s)
  })
})

/** Runs `lines` as a program in which no module of WebAssembly may be compiled. */
function withoutWasm(...lines: string[]) {
  const program = [
    'WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("blocked by CSP") } }',
    `const { createDevnet } = await import(${JSON.stringify(pathToFileURL(join(inject('bundle'), 'index.js')).href)})`,
    ...lines,
  ]
  return startNode(['--input-type=module', '-e', program.join('\n')], { ...process.env, PRESEAL_ENGINE: '' })
    .ended
}

describe('where WebAssembly is not allowed', () => {
  it('no devnet is created, with any engine', async () => {
    const { code, stdout } = await withoutWasm(
      `for (const engine of [undefined, 'wasm', 'ethereumjs', 'both'])`,
      `  await createDevnet({ ...(engine && { engine }) }).catch((error) => console.log(error.message))`,
    )
    const message =
      "preseal needs WebAssembly, which is not allowed here: allow it in the page's content security policy with 'wasm-unsafe-eval'\n"
    expect({ code, stdout }).toEqual({ code: 0, stdout: message.repeat(4) })
  })
})
