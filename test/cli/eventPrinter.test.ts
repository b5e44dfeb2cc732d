/** What the command line prints of a devnet: for people and as JSON, in the order in which it happened. */
import { stripVTControlCharacters } from 'node:util'
import { concat, encodeDeployData, encodeErrorResult, getAddress, type Hex, padHex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { EventPrinter, type EventPrinterOptions } from '../../src/cli/eventPrinter.ts'
import type { DevnetOptions } from '../../src/index.ts'
import { buy, buyAt, look, openShop, proxyTo, SHOP } from '../support/chains/shop.ts'
import { withChecksums } from '../support/clients/addresses.ts'
import { ask } from '../support/clients/clients.ts'
import { assemble, inMemory } from '../support/compilers/assembly.ts'

const OTHER: Hex = '0x0000000000000000000000000000000000005a4f'
const NOBODY: Hex = '0x000000000000000000000000000000000000b0b0'

/** A run of solc, as the option `artifacts` takes it. */
const compiledShop = {
  input: { language: 'Solidity', sources: { 'Shop.sol': {} } },
  output: {
    contracts: {
      'Shop.sol': {
        Shop: {
          abi: Shop.abi,
          evm: {
            bytecode: { object: Shop.bytecode.slice(2) },
            deployedBytecode: { object: Shop.deployedBytecode.slice(2) },
          },
        },
      },
    },
  },
}

/** A shop, and what is printed about it from now on. */
async function reported(
  { format = 'text', trace = false, consoleLogs = true, requests }: Partial<EventPrinterOptions> = {},
  options: DevnetOptions = {},
) {
  const scene = await openShop(options)
  const printed: string[] = []
  const reporter = new EventPrinter(
    scene.devnet,
    { format, trace, consoleLogs, ...(requests && { requests }) },
    (line) => printed.push(line),
  )
  reporter.begin()
  const lines = async () => {
    await reporter.flush()
    // Colours depend on where the tests run.
    return printed.splice(0).map(stripVTControlCharacters)
  }
  return { ...scene, lines, objects: async () => (await lines()).map((line) => JSON.parse(line)) }
}

describe('for people', () => {
  it('it prints what is said where it is said, then the block', async () => {
    const { devnet, from, send, lines } = await reported()
    await send({ data: buy(1n) })
    await devnet.mine()
    await ask(devnet, 'eth_call', { to: SHOP, data: look() })
    const before = await lines()
    devnet.abis.add({ Shop })
    await ask(devnet, 'eth_call', { to: SHOP, data: look() })
    expect([...before, ...(await lines())]).toEqual([
      `  ${SHOP}: ${from} wants 1`,
      expect.stringMatching(/^block 1 {2}1 transaction {2}[\d,]+ gas {2}0x[0-9a-f]{64}$/),
      expect.stringMatching(
        new RegExp(
          `^ {2}0x[0-9a-f]{64} {2}${getAddress(from)} → ${getAddress(SHOP)} {2}0x[0-9a-f]+…? .*\\([\\d,]+ gas\\)$`,
        ),
      ),
      `  ${SHOP}: 2 left`,
      '  Shop: 2 left',
    ])
  })

  it('it names contracts that print by artifacts, behind proxies and while they are created', async () => {
    const { devnet, from, send, lines } = await reported({}, { artifacts: [compiledShop] })
    const said = async () => (await lines()).filter((line) => /^ {2}\w+: /.test(line))
    await ask(devnet, 'anvil_setCode', OTHER, proxyTo(SHOP))
    await ask(devnet, 'anvil_setStorageAt', OTHER, '0x0', toHex(3n, { size: 32 }))
    await send({ to: OTHER, data: buy(1n) })
    await send({ to: undefined, data: encodeDeployData({ ...Shop, args: [8n] }) })
    await devnet.tick()
    expect(await said()).toEqual([`  Shop: ${from} wants 1`, '  Shop: opened with 8'])
    devnet.abis.add(Shop, { name: 'Corner', address: OTHER })
    await send({ to: OTHER, data: buy(1n) })
    await devnet.tick()
    expect(await said()).toEqual([`  Corner: ${from} wants 1`])
    const json = await reported({ format: 'json' }, { artifacts: [compiledShop] })
    await json.send({ data: buy(1n) })
    await json.devnet.tick()
    expect((await json.objects())[0]).toMatchObject({ event: 'console', name: 'Shop', from: SHOP })
  })

  it('it leaves out the deposit of each block of an L2, and blocks that have nothing else', async () => {
    for (const trace of [false, true]) {
      const { devnet, send, lines } = await reported({ trace }, { profile: 'base-flashblocks' })
      await devnet.mine(3)
      expect(await lines()).toEqual([])
      const hash = await send({ data: buy(1n) })
      await devnet.mine()
      const [, block, bought, ...calls] = await lines()
      expect(block).toMatch(/^block 4 {2}1 transaction {2}/)
      expect(bought).toContain(hash)
      expect(calls.join()).not.toContain('0x4200000000000000000000000000000000000015')
      expect(calls.length > 0).toBe(trace)
    }
  })

  it('it says why a transaction failed, decoded where its ABI is known', async () => {
    const { devnet, send, lines } = await reported()
    const unknown = encodeErrorResult({ abi: Shop.abi, errorName: 'InsufficientStock', args: [3n, 9n] })
    for (let i = 0; i < 2; i++) {
      const hash = await send({ data: buy(9n) })
      await devnet.mine()
      const reason = i === 0 ? unknown.slice(0, 66) : 'InsufficientStock(available: 3, wanted: 9)'
      const [, , failed] = await lines()
      expect(failed).toContain(`  failed ${hash}: reverted: ${reason}`)
      expect(failed).toMatch(/\([\d,]+ gas\)$/)
      devnet.abis.add({ Shop })
    }
  })

  it('it indents what is said in several lines, and prints none of it without consoleLogs', async () => {
    const text = toHex('a\nb')
    const input = `0x41304fac${padHex('0x20').slice(2)}${padHex('0x03').slice(2)}${padHex(text, { dir: 'right' }).slice(2)}`
    for (const consoleLogs of [true, false]) {
      const { devnet, from, send, lines } = await reported({ consoleLogs })
      await send({ to: '0x000000000000000000636f6e736f6c652e6c6f67', data: input })
      await devnet.mine()
      const [first, second] = await lines()
      if (consoleLogs) expect([first, second]).toEqual([`  ${from}: a`, '    b'])
      else expect(first).toMatch(/^block 1 /)
    }
  })

  it('it prints what each transaction made or called, by known ABIs, and what it sent', async () => {
    const { devnet, from, send, lines } = await reported({ consoleLogs: false })
    devnet.abis.add({ Shop })
    const sold = await send({ data: buy(1n, 'now'), value: '0x14d1120d7b160000' })
    await devnet.mine()
    const made = await ask<Hex>(devnet, 'eth_sendTransaction', {
      from,
      data: encodeDeployData({ ...Shop, args: [3n] }),
    })
    await devnet.mine()
    const { contractAddress } = await ask<{ contractAddress: Hex }>(devnet, 'eth_getTransactionReceipt', made)
    const [, call, , creation] = await lines()
    expect(call).toMatch(/\([\d,]+ gas\)$/)
    expect(call).toContain(
      `  ${sold}  ${getAddress(from)} → Shop ${getAddress(SHOP)}  buy(amount: 1, note: "now")  1.5 ETH  (`,
    )
    expect(creation).toContain(`  ${made}  ${getAddress(from)} → new Shop ${getAddress(contractAddress)}  (`)
  })

  it('it prints the requests that are refused; all of them, or none, where that is asked for', async () => {
    for (const requests of ['refused', 'all', 'none'] as const) {
      const { devnet, lines } = await reported({ requests })
      await devnet.respond('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
      await devnet.respond(
        `{"jsonrpc":"2.0","id":1,"method":"eth_nothing","params":["0x${'ab'.repeat(500)}"]}`,
      )
      await devnet.respond('{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x12"]}')
      await devnet.respond('nothing')
      const short = `["0x${'ab'.repeat(31)}a…"]`
      const refused = [
        expect.stringContaining(`refused eth_nothing ${short}: -32601 `),
        expect.stringContaining('refused eth_getBalance ["0x12"]: -32602 '),
        expect.stringContaining('refused a message: -32700 '),
      ]
      const [nothing, balance, message] = refused
      const all = [
        'eth_chainId []',
        `eth_nothing ${short}`,
        nothing,
        'eth_getBalance ["0x12"]',
        balance,
        message,
      ]
      expect(await lines()).toEqual(requests === 'none' ? [] : requests === 'all' ? all : refused)
    }
  })

  it('it says which transactions will not come', async () => {
    const { devnet, send, lines } = await reported()
    const hash = await send({ data: buy(1n) })
    await ask(devnet, 'anvil_dropTransaction', hash)
    expect(await lines()).toEqual([`  dropped ${hash}: removed on request`])
  })

  it('it prints nothing when it is to be silent', async () => {
    const { devnet, send, lines } = await reported({ format: 'silent', trace: true })
    await send({ data: buy(9n) })
    await devnet.mine()
    expect(await lines()).toEqual([])
  })
})

describe('a tree of calls', () => {
  /** The tree of what is sent, without the lines of what is said and of the block. */
  async function treeOf(fields: (scene: Awaited<ReturnType<typeof reported>>) => object, names = true) {
    const scene = await reported({ trace: true, consoleLogs: false })
    if (names) scene.devnet.abis.add({ Shop })
    await ask(scene.devnet, 'anvil_setCode', OTHER, Shop.deployedBytecode)
    const hash = await scene.send(fields(scene))
    await scene.devnet.mine()
    const [, head, ...tree] = await scene.lines()
    expect(head).toContain(hash)
    const { gasUsed } = await ask<{ gasUsed: Hex }>(scene.devnet, 'eth_getTransactionReceipt', hash)
    expect(tree[0]).toContain(`[${BigInt(gasUsed).toLocaleString('en')}]`)
    return tree.map((line) =>
      line.replaceAll(/\[[\d,]+\]/g, '[gas]').replaceAll(new RegExp(scene.from, 'gi'), 'ALICE'),
    )
  }

  it('has names, arguments, events, what is said, and results', async () => {
    expect(await treeOf(() => ({ data: buy(2n, 'now'), value: '0x5' }))).toEqual([
      '    [gas] Shop::buy{value: 5}(amount: 2, note: "now")',
      '      ├─ console.log "ALICE wants 2"',
      '      ├─ emit Sold(buyer: ALICE, amount: 2, note: "now")',
      '      └─ ← [Return] left: 1',
    ])
  })

  it('has calls within calls, and what made them fail', async () => {
    expect(await treeOf(() => ({ data: buyAt(OTHER, 4n) }))).toEqual([
      `    [gas] Shop::buyAt(other: ${withChecksums(OTHER)}, amount: 4)`,
      '      ├─ [gas] Shop::buy(amount: 4, note: "for a friend")',
      `      │   ├─ console.log "${SHOP} wants 4"`,
      '      │   └─ ← [Revert] InsufficientStock(available: 0, wanted: 4)',
      '      ├─ console.log "they have too few"',
      '      └─ ← [Return] bought: false',
    ])
  })

  it('has addresses and bytes where no ABI is known', async () => {
    const word = (value: Hex) => padHex(value).slice(2)
    const [selector, input] = [buyAt(OTHER, 4n).slice(2, 10), `${word(OTHER)}${word('0x04')}`]
    const said = `console.log "${SHOP} wants 4"`
    expect(await treeOf(() => ({ data: buyAt(OTHER, 4n) }), false)).toEqual([
      `    [gas] ${SHOP}::${selector}(0x${input})`,
      expect.stringMatching(`^ {6}├─ \\[gas\\] ${OTHER}::b7dc3b18\\(0x0{63}4.*… \\(128 bytes\\)\\)$`),
      `      │   ├─ ${said}`,
      expect.stringMatching(/^ {6}│ {3}└─ ← \[Revert\] 0x[0-9a-f]{64}… \(68 bytes\)$/),
      '      ├─ console.log "they have too few"',
      `      └─ ← [Return] 0x${word('0x00')}`,
    ])
  })

  it('has creations, with the name of what is created', async () => {
    const data = encodeDeployData({ ...Shop, args: [7n] })
    const [title, said, end] = await treeOf(() => ({ to: undefined, data }))
    expect(title).toMatch(/^ {4}\[gas\] → new Shop@0x[0-9a-f]{40}$/)
    expect(said).toBe('      ├─ console.log "opened with 7"')
    const size = ((Shop.deployedBytecode.length - 2) / 2).toLocaleString('en')
    expect(end).toBe(`      └─ ← [Return] ${size} bytes of code`)
  })

  it('shows how code is called: delegated to, looked at, not there', async () => {
    const proxy = await treeOf(({ devnet }) => {
      void ask(devnet, 'anvil_setCode', NOBODY, proxyTo(SHOP))
      return { to: NOBODY, data: look() }
    })
    expect(proxy).toEqual([
      `    [gas] ${NOBODY} → Shop::look()`,
      '      ├─ [gas] Shop::look() [delegatecall]',
      '      │   ├─ console.log "0 left"',
      '      │   └─ ← [Return] 0',
      '      └─ ← [Return] 0',
    ])
    const delegating = await treeOf(({ devnet }) => {
      void ask(devnet, 'anvil_setCode', NOBODY, concat(['0xef0100', SHOP]))
      return { to: NOBODY, data: look() }
    })
    expect(delegating[0]).toBe('    [gas] Shop::look()')
    expect(await treeOf(() => ({ to: NOBODY, value: '0x7' }))).toEqual([
      `    [gas] ${NOBODY}::fallback{value: 7}()`,
      '      └─ ← [Stop]',
    ])
  })

  it('shows logs without an ABI, halts, and money that is left behind', async () => {
    const logging = assemble(inMemory(Uint8Array.of(1, 2)), 7, 2, 0, 'LOG1', 'INVALID')
    const leaving = assemble(inMemory(Uint8Array.of(1, 2)), 7, 2, 0, 'LOG1', NOBODY, 'SELFDESTRUCT')
    const run = (code: Uint8Array) =>
      treeOf(({ devnet }) => {
        void ask(devnet, 'anvil_setCode', OTHER, toHex(code))
        return { to: OTHER, value: '0x3' }
      })
    expect(await run(logging)).toEqual([
      `    [gas] ${OTHER}::fallback{value: 3}()`,
      '      └─ ← [Halt] invalid opcode: INVALID',
    ])
    expect(await run(leaving)).toEqual([
      `    [gas] ${OTHER}::fallback{value: 3}()`,
      `      ├─ emit (topic 0: ${padHex('0x07')}, data: 0x0102)`,
      `      ├─ [gas] selfdestruct → ${NOBODY}{value: 3}`,
      '      │   └─ ← [Stop]',
      '      └─ ← [Stop]',
    ])
  })

  it('is missing, with the reason, where the block cannot be run again', async () => {
    const { devnet, from, send, lines } = await reported({ trace: true, consoleLogs: false })
    await send({ data: buy(1n) })
    await devnet.tick()
    await ask(devnet, 'anvil_setCode', SHOP, toHex(assemble(0, 0, 'REVERT')))
    await send({ data: buy(1n) })
    await ask(devnet, 'anvil_setBalance', from, '0xde0b6b3a7640000')
    await devnet.mine()
    expect((await lines())[1]).toMatch(/^ {2}not traced: /)
  })
})

describe('as JSON', () => {
  it('it prints an object for each event, with numbers of any size as texts', async () => {
    const { devnet, from, send, objects } = await reported({ format: 'json' })
    devnet.abis.add({ Shop })
    const hashes = [await send({ data: buy(1n) }), await send({ data: buy(9n) })]
    await devnet.mine()
    const said = { event: 'console', from: SHOP, name: 'Shop' }
    const [first, second, sealed] = await objects()
    expect(first).toEqual({
      ...said,
      text: `${from} wants 1`,
      values: ['%s wants %d', from, '1'],
      transaction: hashes[0],
    })
    expect(second).toMatchObject({ ...said, transaction: hashes[1] })
    expect(sealed).toMatchObject({ event: 'sealed', number: 1, transactions: hashes })
    expect(sealed.failed).toEqual([
      {
        hash: hashes[1],
        reason: 'reverted: InsufficientStock(available: 2, wanted: 9)',
        error: {
          name: 'InsufficientStock',
          args: [
            { name: 'available', type: 'uint256', value: '2' },
            { name: 'wanted', type: 'uint256', value: '9' },
          ],
        },
      },
    ])
  })

  it('it prints the calls of each transaction as callTracer has them', async () => {
    const { devnet, send, objects } = await reported({ format: 'json', trace: true, consoleLogs: false })
    const hash = await send({ data: buy(1n) })
    await devnet.mine()
    const tracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }
    expect((await objects())[1]).toEqual({
      event: 'trace',
      transaction: hash,
      call: await ask(devnet, 'debug_traceTransaction', hash, tracer),
    })
    await devnet.mine()
    expect(await objects()).toMatchObject([{ event: 'sealed', transactions: [], failed: [] }])
  })
  it('it prints what each included transaction made or called, by known ABIs', async () => {
    const { devnet, from, send, objects } = await reported({ format: 'json', consoleLogs: false })
    devnet.abis.add({ Shop })
    const sold = await send({ data: buy(1n, 'now'), value: '0x5' })
    await devnet.mine()
    const made = await ask<Hex>(devnet, 'eth_sendTransaction', {
      from,
      data: encodeDeployData({ ...Shop, args: [3n] }),
    })
    await devnet.mine()
    const [first, second] = await objects()
    const gasUsed = async (hash: Hex) =>
      Number((await ask<{ gasUsed: Hex }>(devnet, 'eth_getTransactionReceipt', hash)).gasUsed)
    const { contractAddress } = await ask<{ contractAddress: Hex }>(devnet, 'eth_getTransactionReceipt', made)
    expect(first.included).toEqual([
      {
        hash: sold,
        status: 'success',
        gasUsed: await gasUsed(sold),
        from,
        to: SHOP,
        contract: 'Shop',
        call: 'buy(amount: 1, note: "now")',
        value: '5',
      },
    ])
    expect(second.included).toEqual([
      {
        hash: made,
        status: 'success',
        gasUsed: await gasUsed(made),
        from,
        contractAddress,
        contract: 'Shop',
        value: '0',
      },
    ])
  })

  it('it prints each refused request with its code, and what can not be read without a method', async () => {
    const { devnet, objects } = await reported({ format: 'json' })
    await devnet.respond('{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x12"]}')
    await devnet.respond('nothing')
    const [balance, message] = await objects()
    expect(balance).toEqual({
      event: 'refused',
      method: 'eth_getBalance',
      params: '["0x12"]',
      code: -32602,
      message: expect.stringContaining('params[0]'),
    })
    expect(message).toEqual({ event: 'refused', code: -32700, message: expect.any(String) })
  })
})
