/** What Solidity says with `console.log`: when it is told, of which runs, and who said it. */
import { concat, encodeDeployData, type Hex, toHex } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import type { ConsoleLog, Devnet, DevnetOptions } from '../../src/index.ts'
import { buy, buyAt, CONSOLE, look, openShop, proxyTo, SHOP } from '../support/chains/shop.ts'
import { ask, started } from '../support/clients/clients.ts'
import { assemble, inMemory } from '../support/compilers/assembly.ts'

const OTHER: Hex = '0x0000000000000000000000000000000000005a4f'

/** An open shop, and all that is said there. */
async function shop(options: DevnetOptions = {}) {
  const scene = await openShop(options)
  const said: ConsoleLog[] = []
  scene.devnet.on('console', (log) => said.push(log))
  return { ...scene, said, texts: () => said.map(({ text }) => text) }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('what a transaction says', () => {
  it('is told when it is pre-confirmed, once, before its slice', async () => {
    const { devnet, said, from, send } = await shop()
    const order: string[] = []
    devnet.on('console', () => order.push('console'))
    devnet.on('preconfirmed', () => order.push('preconfirmed'))
    devnet.on('sealed', () => order.push('sealed'))
    const transaction = await send({ data: buy(1n) })
    expect(said).toEqual([])
    await devnet.tick()
    expect(said).toEqual([
      {
        text: `${from} wants 1`,
        values: ['%s wants %d', from, 1n],
        from: SHOP,
        name: undefined,
        transaction,
      },
    ])
    await devnet.tick()
    expect(order).toEqual(['console', 'preconfirmed', 'sealed', 'preconfirmed'])
  })

  it.each<DevnetOptions>([{ rhythm: 'instant' }, { ticksPerBlock: 0 }])(
    'is told once under %j',
    async (options) => {
      const { devnet, texts, from, send } = await shop(options)
      await send({ data: buy(1n) })
      await devnet.tick()
      await devnet.seal()
      expect(texts()).toEqual([`${from} wants 1`])
    },
  )

  it('is told where it reverts', async () => {
    const { devnet, texts, from, send } = await shop()
    const hash = await send({ data: buy(4n) })
    await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' })
    expect(texts()).toEqual([`${from} wants 4`])
  })

  it('is told in the order in which it was said, by calls that were undone too', async () => {
    const { devnet, texts, send } = await shop()
    await ask(devnet, 'anvil_setCode', OTHER, Shop.deployedBytecode)
    await send({ data: buyAt(OTHER, 4n) })
    await devnet.mine()
    expect(texts()).toEqual([`${SHOP} wants 4`, 'they have too few'])
  })

  it('is not told again by traces, nor by another devnet that imports its block', async () => {
    const { devnet, said, send } = await shop()
    const data = encodeDeployData({ ...Shop, args: [1n] })
    await send({ to: undefined, data })
    await devnet.mine()
    expect(said).toHaveLength(1)
    await ask(devnet, 'debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' })
    expect(said).toHaveLength(1)
    const plain = await started({ rhythm: 'manual', consoleLogs: false })
    await ask(plain, 'eth_sendTransaction', { from: plain.accounts[0]!.address, data, gas: '0x1e8480' })
    await plain.mine()
    const other = await started({ rhythm: 'manual', genesis: plain.genesis() })
    const tell = vi.fn()
    other.on('console', tell)
    await other.import(plain.export(), { rules: 'devnet' })
    expect(await ask(other, 'eth_blockNumber')).toBe('0x1')
    expect(tell).not.toHaveBeenCalled()
  })

  it('ends where it gets too much to keep, and says so', async () => {
    const { devnet, said, send } = await shop()
    // 200 times the same 100 kB
    const size = 100_000
    const loop = assemble(200, 'JUMPDEST', 0, 0, size, 0, CONSOLE, 'GAS', 'STATICCALL', 'POP')
    const again = assemble(1, 'SWAP1', 'SUB', 'DUP1', 2, 'JUMPI')
    await ask(devnet, 'anvil_setCode', OTHER, concat([toHex(loop), toHex(again)]))
    await send({ to: OTHER })
    await devnet.mine()
    expect(said.length).toBeGreaterThan(100)
    expect(said.length).toBeLessThan(200)
    expect(said[0]!.text).toHaveLength(2 + 2 * size)
    expect(said.at(-1)!.text).toBe('… further console calls are not kept')
    await send({ data: buy(1n) })
    await devnet.mine()
    expect(said.at(-1)!.text).toMatch(/ wants 1$/)
  })
})

describe('what a simulation says', () => {
  it('is told of eth_call, whether it succeeds or reverts', async () => {
    const { devnet, said, texts } = await shop()
    await ask(devnet, 'eth_call', { to: SHOP, data: look() })
    await expect(ask(devnet, 'eth_call', { to: SHOP, data: buy(9n) })).rejects.toThrow('execution reverted')
    expect(texts()).toEqual(['3 left', '0x0000000000000000000000000000000000000000 wants 9'])
    expect(said.map(({ transaction }) => transaction)).toEqual([undefined, undefined])
  })

  it('is told of eth_estimateGas only where it fails, and once', async () => {
    const { devnet, texts, from } = await shop()
    await ask(devnet, 'eth_estimateGas', { from, to: SHOP, data: buy(1n) })
    expect(texts()).toEqual([])
    await expect(ask(devnet, 'eth_estimateGas', { from, to: SHOP, data: buy(4n) })).rejects.toThrow()
    const scarce = { from, to: SHOP, data: buy(2n), gas: '0x6978' }
    await expect(ask(devnet, 'eth_estimateGas', scarce)).rejects.toThrow('gas required exceeds allowance')
    expect(texts()).toEqual([`${from} wants 4`, `${from} wants 2`])
  })

  it('is told once of a transaction whose gas had to be estimated', async () => {
    const { devnet, texts, from, send } = await shop()
    await send({ data: buy(1n), gas: undefined })
    await devnet.mine()
    expect(texts()).toEqual([`${from} wants 1`])
  })
})

describe('who says it', () => {
  it('is named where its ABI was added with its code, from its creation on', async () => {
    const { devnet, said, send } = await shop()
    devnet.abis.add({ Shop })
    await send({ to: undefined, data: encodeDeployData({ ...Shop, args: [5n] }) })
    await send({ data: buy(1n) })
    await devnet.mine()
    expect(said.map(({ name, text }) => [name, text.replace(/^0x\w+/, '…')])).toEqual([
      ['Shop', 'opened with 5'],
      ['Shop', '… wants 1'],
    ])
  })

  it('is named where its address was added', async () => {
    const { devnet, said } = await shop()
    devnet.abis.add(Shop.abi, { name: 'Corner shop', address: SHOP })
    await ask(devnet, 'eth_call', { to: SHOP, data: look() })
    expect(said).toMatchObject([{ name: 'Corner shop', from: SHOP }])
  })

  it('is the proxy, under the name of the code that it runs', async () => {
    const { devnet, said } = await shop()
    devnet.abis.add({ Shop })
    await ask(devnet, 'anvil_setCode', OTHER, proxyTo(SHOP))
    await ask(devnet, 'eth_call', { to: OTHER, data: look() })
    expect(said).toMatchObject([{ name: 'Shop', from: OTHER, text: '0 left' }])
    devnet.abis.add([], { name: 'Branch', address: OTHER })
    await ask(devnet, 'eth_call', { to: OTHER, data: look() })
    expect(said[1]).toMatchObject({ name: 'Shop' })
  })

  it('is an account where it calls the console itself, in whatever words', async () => {
    const { devnet, said, from, send } = await shop()
    await send({ to: CONSOLE, data: '0xdeadbeef' })
    await devnet.mine()
    expect(said).toMatchObject([{ text: '0xdeadbeef', values: [], from, name: undefined }])
  })

  it('is known to a fork, which learns nothing from then on', async () => {
    const { devnet, said } = await shop()
    devnet.abis.add(Shop.abi, { name: 'Shop', address: SHOP })
    await using fork = devnet.fork()
    const heard: ConsoleLog[] = []
    fork.on('console', (log) => heard.push(log))
    devnet.abis.add(Shop.abi, { name: 'Other shop', address: OTHER })
    await ask(devnet, 'anvil_setCode', OTHER, Shop.deployedBytecode)
    const question = [{ to: SHOP, data: look() }] as const
    await ask(fork, 'eth_call', ...question)
    await ask(fork, 'eth_call', { to: OTHER, data: look() }, 'latest', {
      [OTHER]: { code: Shop.deployedBytecode },
    })
    expect(heard.map(({ name }) => name)).toEqual(['Shop', undefined])
    expect(said).toEqual([])
  })
})

describe('a devnet', () => {
  const call = (devnet: Devnet) => ask(devnet, 'eth_call', { to: SHOP, data: look() })

  it('prints what is said, and who says it where that is known', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {})
    const { devnet } = await shop({ consoleLogs: true })
    await call(devnet)
    devnet.abis.add({ Shop })
    await call(devnet)
    await call(devnet.fork())
    expect(print.mock.calls).toEqual([['3 left'], ['Shop: 3 left'], ['Shop: 3 left']])
  })

  it('prints nothing without consoleLogs', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {})
    const { devnet, said } = await shop()
    await call(devnet)
    expect(print).not.toHaveBeenCalled()
    expect(said).toHaveLength(1)
  })

  it('tells those no more who have ceased to listen', async () => {
    const { devnet } = await shop()
    const [one, other] = [vi.fn(), vi.fn()]
    const end = devnet.on('console', one)
    devnet.on('console', other)
    end()
    devnet.removeListener('console', other)
    await call(devnet)
    expect(one).not.toHaveBeenCalled()
    expect(other).not.toHaveBeenCalled()
  })
})

describe('code that talks', () => {
  // What anvil 1.7.1 says of the same transactions under Osaka: gas used, and gas estimated.
  it.each<[what: string, fields: object, used: number, estimated: number | undefined]>([
    ['a creation', { to: undefined, data: encodeDeployData({ ...Shop, args: [5n] }) }, 483_094, 483_094],
    ['a call that logs, too', { data: buy(1n, 'one') }, 33_149, 33_149],
    ['a call that reverts', { data: buy(9n) }, 27_464, undefined],
    ['calls of calls', { data: buyAt(OTHER, 4n) }, 33_771, 33_771],
    ['code of another', { to: OTHER, data: look() }, 29_247, 29_298],
  ])('uses the gas that anvil says: %s', async (_, fields, used, estimated) => {
    const { devnet, from, send } = await shop()
    await ask(devnet, 'anvil_setCode', OTHER, proxyTo(SHOP))
    const estimate = ask<Hex>(devnet, 'eth_estimateGas', { from, to: SHOP, ...fields })
    expect(await estimate.then(Number, () => undefined)).toBe(estimated)
    const hash = await send(fields)
    await devnet.mine()
    const { gasUsed } = await ask<{ gasUsed: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
    expect(Number(gasUsed)).toBe(used)
  })

  it('needs the gas that any call of an empty account needs, and leaves the console an empty account', async () => {
    const { devnet, send } = await shop()
    const calling = (to: Hex) =>
      toHex(assemble(inMemory(new Uint8Array(36).fill(7)), 0, 0, 36, 0, to, 'GAS', 'STATICCALL', 'POP'))
    const empty: Hex = '0x00000000000000000000000000000000000000e3'
    const used = []
    for (const code of [calling(CONSOLE), calling(empty)]) {
      await ask(devnet, 'anvil_setCode', OTHER, code)
      const hash = await send({ to: OTHER })
      await devnet.mine()
      used.push((await ask<{ gasUsed: Hex }>(devnet, 'eth_getTransactionReceipt', hash)).gasUsed)
    }
    expect(used[0]).toBe(used[1])
    expect(await ask(devnet, 'eth_getCode', CONSOLE)).toBe('0x')
    expect(await ask(devnet, 'eth_getBalance', CONSOLE)).toBe('0x0')
  })
})
