/** Tests that fail, each in its own way, at the line that ends with `// here`. `vitestFailures.test.ts` runs them. */

import { call, defineFixture, explore } from 'preseal/testing'
import { expect, expectEveryStory, testWith } from 'preseal/vitest'
import { describe } from 'vitest'
import { expectTotal } from './helper.ts'

const opened = defineFixture(
  async (devnet) => {
    const vault = await devnet.deploy('Vault')
    await devnet.write({ ...vault, functionName: 'store', args: [100n] })
    return { vault }
  },
  { devnet: { artifacts: 'solc.json' } },
)
const test = testWith(opened, { reportOnFailure: true })

const BOB = '0x00000000000000000000000000000000000000b0'
const GAS = 200_000n

describe('a value', () => {
  test('number', async ({ devnet, vault }) => {
    const total = await devnet.read({ ...vault, functionName: 'total' })
    expect(total).toBe(5n) // here
  })

  test('object', ({ devnet }) => {
    expect({ chain: devnet.settings.chainId, block: 2 }).toEqual({ chain: 1, block: 2 }) // here
  })

  test('text', ({ accounts }) => {
    expect(`paid by ${accounts.length} accounts`).toBe('paid by nobody') // here
  })

  test('list', async ({ devnet }) => {
    expect(await devnet.request({ method: 'eth_accounts' })).toHaveLength(3) // here
  })

  test('of a helper', async ({ devnet, vault }) => {
    await expectTotal(devnet, vault, 7n) // here
  })

  test('soft', async ({ devnet, vault }) => {
    expect.soft(await devnet.read({ ...vault, functionName: 'total' })).toBe(6n) // here
    expect.soft(await devnet.read({ ...vault, functionName: 'mode' })).toBe(1)
  })

  test('polled', async ({ devnet, vault }) => {
    const total = () => devnet.read({ ...vault, functionName: 'total' })
    await expect.poll(total, { timeout: 50, interval: 10 }).toBe(8n) // here
  })

  test('inline snapshot', ({ devnet }) => {
    expect(devnet.settings.rhythm).toMatchInlineSnapshot(`"instant"`) // here
  })

  test('that should be thrown', () => {
    expect(() => 5).toThrow('a problem') // here
  })
})

describe('an event', () => {
  test('not emitted', async ({ devnet, vault }) => {
    const sale = devnet.write({ ...vault, functionName: 'store', args: [1n] })
    await expect(sale).toEmit(vault.abi, 'Moved') // here
  })

  test('with another argument', async ({ devnet, vault }) => {
    const stored = devnet.write({ ...vault, functionName: 'store', args: [1n] })
    await expect(stored).toEmit(vault.abi, 'Stored', { amount: 2n }) // here
  })

  test('of a transaction that reverts', async ({ devnet, vault }) => {
    const moved = devnet.write({ ...vault, functionName: 'move', args: [BOB, 101n], gas: GAS })
    await expect(moved).toEmit(vault.abi, 'Moved') // here
  })

  test('unwanted', async ({ devnet, vault }) => {
    const stored = devnet.write({ ...vault, functionName: 'store', args: [1n] })
    await expect(stored).not.toEmit(vault.abi, 'Stored') // here
  })

  test('that the ABI lacks', async ({ devnet, vault }) => {
    const stored = await devnet.write({ ...vault, functionName: 'store', args: [1n] })
    await expect(stored).toEmit(vault.abi as never, 'Sold' as never) // here
  })
})

describe('a revert', () => {
  test('with a custom error', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'move', args: [BOB, 500n] }) // here
  })

  test('in a sealed transaction', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'move', args: [BOB, 501n], gas: GAS }) // here
  })

  test('in a loop of calls', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'moveAll', args: [[BOB, BOB, BOB], 40n] }) // here
  })

  test('in a library', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'limited', args: [1_001n] }) // here
  })

  test('with a reason', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'said', args: [5n] }) // here
  })

  test('without a reason', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'silent' }) // here
  })

  test('of another contract', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'noted', args: [13n] }) // here
  })

  test('in a modifier', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'close' })
    await devnet.write({ ...vault, functionName: 'store', args: [1n] }) // here
  })

  test('in a constructor', async ({ devnet }) => {
    await devnet.deploy('Ledger', { args: ['0x0000000000000000000000000000000000000000'] } as never) // here
  })

  test('of a contract without code', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'ask', args: [BOB] }) // here
  })

  test('after a payment that was refused', async ({ devnet, vault }) => {
    const ledger = await devnet.read({ ...vault, functionName: 'ledger' })
    await devnet.write({ ...vault, functionName: 'pay', args: [ledger], value: 5n }) // here
  })

  test('in a call of viem', async ({ client, vault }) => {
    await client.readContract({ ...vault, functionName: 'said', args: [4n] } as never) // here
  })

  test('in a simulation of viem', async ({ client, vault }) => {
    await client.simulateContract({ ...vault, functionName: 'move', args: [BOB, 502n] } as never) // here
  })

  test('in a transaction of viem', async ({ devnet, client, vault }) => {
    const moved = { ...vault, functionName: 'move', args: [BOB, 503n], gas: GAS }
    const hash = await client.writeContract(moved as never)
    await devnet.mine()
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success') // here
  })

  test('of code without artifacts', async ({ devnet }) => {
    await devnet.request({ method: 'anvil_setCode', params: [BOB, '0x5f5ffd'] } as never)
    await devnet.request({ method: 'eth_call', params: [{ to: BOB }, 'latest'] }) // here
  })
})

describe('a panic', () => {
  test('of arithmetic', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'subtract', args: [101n] }) // here
  })

  test('of a division', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'divide', args: [0n] }) // here
  })

  test('of an index', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'amountAt', args: [7n] }) // here
  })

  test('of an enum', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'setMode', args: [2n] }) // here
  })

  test('of an empty list', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'drop' })
    await devnet.write({ ...vault, functionName: 'drop' }) // here
  })

  test('of an assertion', async ({ devnet }) => {
    const empty = await devnet.deploy('Vault')
    await devnet.read({ ...empty, functionName: 'check' } as never) // here
  })
})

describe('a halt', () => {
  test('without gas', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'loop', gas: 100_000n }) // here
  })

  test('of an invalid opcode', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'stop' }) // here
  })

  test('of a function that is not payable', async ({ devnet, vault }) => {
    await devnet.write({ ...vault, functionName: 'store', args: [1n], value: 1n } as never) // here
  })

  test('of an unknown function', async ({ devnet, vault }) => {
    await devnet.send({ to: vault.address, data: '0x12345678' }) // here
  })
})

describe('an expectation', () => {
  test('of a revert', async ({ devnet, vault }) => {
    await expect(devnet.write({ ...vault, functionName: 'store', args: [1n] })).toRevert() // here
  })

  test('of no revert', async ({ devnet, vault }) => {
    await expect(devnet.read({ ...vault, functionName: 'said', args: [3n] })).not.toRevert() // here
  })

  test('of another reason', async ({ devnet, vault }) => {
    const said = devnet.read({ ...vault, functionName: 'said', args: [2n] })
    await expect(said).toRevertWith('too large') // here
  })

  test('of another panic', async ({ devnet, vault }) => {
    const divided = devnet.read({ ...vault, functionName: 'divide', args: [0n] })
    await expect(divided).toRevertWith({ panic: 0x11 }) // here
  })

  test('of another balance', async ({ devnet }) => {
    const sent = await devnet.send({ to: BOB, value: 5n })
    await expect(sent).toChangeBalance(devnet, BOB, 6n) // here
  })

  test('of less gas', async ({ devnet, vault }) => {
    const stored = await devnet.write({ ...vault, functionName: 'store', args: [1n] })
    await expect(stored).toCostGas(21_000n) // here
  })

  test('of a seal', async ({ devnet }) => {
    const { hash } = await devnet.send({ to: BOB, value: 5n, until: 'accepted' })
    await devnet.tick()
    await expect(hash).toBeSealed() // here
  })
})

describe('a transaction', () => {
  test('that is dropped', async ({ devnet }) => {
    await devnet.faults.dropTransaction({ lands: 'never' })
    const { hash } = await devnet.send({ to: BOB, value: 5n, until: 'preconfirmed' })
    await devnet.seal()
    await expect(hash).toBeSealed() // here
  })

  test('that a reorg removes', async ({ devnet }) => {
    const { hash } = await devnet.send({ to: BOB, value: 5n })
    await devnet.faults.reorg({ depth: 1, transactions: 'drop' })
    await expect(hash).toBeSealed() // here
  })

  test('that nobody can pay', async ({ devnet }) => {
    await devnet.send({ to: BOB, value: 10n ** 30n }) // here
  })

  test('of the wrong chain', async ({ client }) => {
    const chain = { ...client.chain, id: 5 }
    await client.sendTransaction({ chain, to: BOB, value: 1n }) // here
  })

  test('that waits too long', { timeout: 300 }, async ({ client }) => {
    const hash = await client.sendTransaction({ to: BOB, value: 1n })
    await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
  })

  test('whose receipt does not come', async ({ client }) => {
    const hash = await client.sendTransaction({ to: BOB, value: 1n })
    await client.waitForTransactionReceipt({ hash, timeout: 50 }) // here
  })

  test('whose request fails', async ({ devnet }) => {
    await devnet.faults.rpcError({ method: 'eth_chainId', code: -32000, message: 'the node is busy' })
    await devnet.provider.request({ method: 'eth_chainId' }) // here
  })
})

describe('a bug of the test', () => {
  test('a member of nothing', ({ vault }) => {
    const none = (vault as unknown as { other: { name: string } }).other
    expect(none.name).toBe('other') // here
  })

  test('an unknown function', async ({ devnet, vault }) => {
    await devnet.read({ ...vault, functionName: 'sum' } as never) // here
  })

  test('an unknown contract', async ({ devnet }) => {
    await devnet.deploy('Valt' as never) // here
  })

  test('a thrown text', ({ devnet }) => {
    throw `no error, but text ${devnet.settings.rhythm}`
  })

  test('a matcher that is not awaited', async ({ devnet }) => {
    const sent = await devnet.send({ to: BOB, value: 5n })
    void expect(sent).toRevert() // here
  })

  test('a long message', ({ vault }) => {
    expect(JSON.stringify(vault.abi, undefined, 1)).toBe('short') // here
  })
})

describe('an exploration', () => {
  test('of a contract', async () => {
    // biome-ignore format: the comment ends the line.
    await explore(opened, { // here
      actions: ({ vault }) => ({ store: call(vault, 'store', { args: [1n] }) }),
      invariants: { small: (world, { vault }) => (world.read(vault, 'total') as bigint) < 102n },
    })
  })

  test('of an app', async () => {
    // biome-ignore format: the comment ends the line.
    await expectEveryStory(opened, { // here
      run: () => {},
      acts: [
        (devnet, { vault }) =>
          devnet.write({ ...vault, functionName: 'store', args: [1n], until: 'accepted' }),
      ],
      async holds(_, devnet, { vault }) {
        expect(await devnet.read({ ...vault, functionName: 'total' })).toBe(101n)
      },
      faults: ['dropped'],
    })
  })
})

describe('a hook', () => {
  describe('before', () => {
    test.beforeEach(async ({ devnet, vault }) => {
      await devnet.write({ ...vault, functionName: 'move', args: [BOB, 504n] }) // here
    })
    test('runs before each test', ({ devnet }) => expect(devnet.settings.rhythm).toBe('manual'))
  })

  describe('after', () => {
    test.afterEach(async ({ devnet, vault }) => {
      expect(await devnet.read({ ...vault, functionName: 'total' })).toBe(9n) // here
    })
    test('runs after each test', ({ devnet }) => expect(devnet.settings.rhythm).toBe('manual'))
  })
})
