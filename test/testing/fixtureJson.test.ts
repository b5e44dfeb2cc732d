/** Fixtures as JSON: accounts, then transactions, one block after the other. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  encodeDeployData,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  parseAbi,
  parseEther,
  recoverTransactionAddress,
  type TransactionSerializedEIP1559,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import type { Devnet } from '../../src/index.ts'
import { fixtureFromJson } from '../../src/testing/jsonFixture.ts'
import { onWire, withChecksums } from '../support/clients/addresses.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const SOMEBODY = '0x7e5c0000000000000000000000000000000000aa'
/** Counts its calls in slot 0 and answers how many: `SSTORE(0, SLOAD(0) + 1)`. */
const COUNTER = '0x5f54600101805f555f5260205ff3'
/** Copies the 14 bytes after its own 12 and returns them. */
const CREATE_COUNTER = `0x600e600c600039600e6000f3${COUNTER.slice(2)}`
/** Reverts at once. */
const REVERT = '0x60006000fd'

interface BlockJson {
  readonly number: string
  readonly timestamp: string
  readonly transactions: readonly {
    readonly from: string
    readonly to: string | null
    readonly hash: string
  }[]
}

/** The blocks after block 0, and what is in them. */
async function blocksOf(devnet: Devnet): Promise<BlockJson[]> {
  const last = Number(await ask(devnet, 'eth_blockNumber'))
  return Promise.all(
    Array.from({ length: last }, (_, i) =>
      ask<BlockJson>(devnet, 'eth_getBlockByNumber', `0x${(i + 1).toString(16)}`, true),
    ),
  )
}

const use = async <N extends string>(json: object) => fixtureFromJson<N>(json).use()

describe('accounts of a JSON fixture', () => {
  it('are as it says, and otherwise as they were', async () => {
    const { devnet } = await use({
      accounts: {
        [SOMEBODY]: {
          balance: '250000000000000000000',
          nonce: 5,
          code: COUNTER,
          storage: { '0x0': 41, '0x1f': '0x07' },
        },
        [STRANGER]: { nonce: '0x2' },
      },
    })
    expect(await ask(devnet, 'eth_getBalance', SOMEBODY)).toBe(`0x${parseEther('250').toString(16)}`)
    expect(await ask(devnet, 'eth_getTransactionCount', SOMEBODY)).toBe('0x5')
    expect(await ask(devnet, 'eth_getCode', SOMEBODY)).toBe(COUNTER)
    expect(BigInt(await ask(devnet, 'eth_getStorageAt', SOMEBODY, '0x0'))).toBe(41n)
    expect(BigInt(await ask(devnet, 'eth_getStorageAt', SOMEBODY, '0x1f'))).toBe(7n)
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x0')
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x2')
  })

  it('have nothing where it says so', async () => {
    const { accounts } = await started()
    const first = accounts[0]!.address
    const { devnet } = await use({
      accounts: { [first]: { balance: 0, nonce: 0 }, [SOMEBODY]: { code: '0x' } },
    })
    expect(await ask(devnet, 'eth_getBalance', first)).toBe('0x0')
    expect(await ask(devnet, 'eth_getCode', SOMEBODY)).toBe('0x')
  })

  it('that have a name are among the values', async () => {
    const { somebody } = await use<'somebody'>({ accounts: { [SOMEBODY]: { name: 'somebody' } } })
    expect(somebody).toBe(withChecksums(SOMEBODY))
  })
})

describe('transactions of a JSON fixture', () => {
  it('are mined one after the other, and together where they stand in an array', async () => {
    const pay = { to: STRANGER, value: 1 }
    const { devnet } = await use({
      transactions: [pay, [pay, { ...pay, from: 1 }], { mine: 2, seconds: 12 }, pay],
    })
    const blocks = await blocksOf(devnet)
    expect(blocks.map(({ transactions }) => transactions.length)).toEqual([1, 2, 0, 0, 1])
    expect(Number(blocks[3]!.timestamp) - Number(blocks[2]!.timestamp)).toBe(12)
    const [first, second] = devnet.accounts
    expect(blocks.flatMap(({ transactions }) => transactions.map(({ from }) => from))).toEqual([
      onWire(first!.address),
      onWire(first!.address),
      onWire(second!.address),
      onWire(first!.address),
    ])
  })

  it('have names for their contracts and hashes, which stand for addresses further below', async () => {
    const { devnet, counter, call } = await use<'counter' | 'call'>({
      accounts: { [SOMEBODY]: { name: 'somebody', balance: '1000000000000000000' } },
      transactions: [
        { name: 'counter', data: CREATE_COUNTER },
        [
          { name: 'call', from: 'somebody', to: 'counter' },
          { to: 'counter', from: 1 },
        ],
        { to: 2, value: 5, from: 'somebody' },
      ],
    })
    expect(await ask(devnet, 'eth_getCode', counter)).toBe(COUNTER)
    expect(BigInt(await ask(devnet, 'eth_getStorageAt', counter, '0x0'))).toBe(2n)
    expect(await ask(devnet, 'eth_getTransactionByHash', call)).toMatchObject({
      from: SOMEBODY,
      to: onWire(counter),
    })
    const blocks = await blocksOf(devnet)
    expect(blocks[2]!.transactions[0]!.to).toBe(onWire(devnet.accounts[2]!.address))
  })

  it('are sent by whom they name, who is not impersonated afterwards', async () => {
    const { devnet } = await use({
      accounts: { [SOMEBODY]: { balance: '1000000000000000000' } },
      transactions: [{ from: SOMEBODY, to: STRANGER, value: 1 }],
    })
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x1')
    expect(await ask(devnet, 'eth_accounts')).not.toContain(SOMEBODY)
  })

  it('may have been signed elsewhere', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const signer = privateKeyToAccount(devnet.accounts[0]!.privateKey)
    const signed = (nonce: number) =>
      signer.signTransaction({
        chainId: 31337,
        nonce,
        to: STRANGER,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 10n ** 10n,
        type: 'eip1559',
      })
    const transactions = [await signed(0), [{ raw: await signed(1), name: 'second' }]]
    const { second } = await fixtureFromJson<'second'>({ transactions })(devnet)
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x2')
    expect(await ask(devnet, 'eth_getRawTransactionByHash', second)).toBe(await signed(1))
  })

  it('have the gas, fees and nonce that they say', async () => {
    const { devnet, sent } = await use<'sent'>({
      transactions: [
        {
          name: 'sent',
          to: STRANGER,
          nonce: 0,
          gas: 50_000,
          maxFeePerGas: '0x77359400',
          maxPriorityFeePerGas: '7',
        },
      ],
    })
    expect(await ask(devnet, 'eth_getTransactionByHash', sent)).toMatchObject({
      nonce: '0x0',
      gas: '0xc350',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x7',
    })
  })

  it.each(['instant', 'interval'] as const)('are all mined under the rhythm %s, too', async (rhythm) => {
    const pay = { to: STRANGER, value: 1 }
    const devnet = await started({ rhythm, tickMs: 5, sealEmptyBlocks: false })
    await fixtureFromJson({ transactions: [pay, [pay, { ...pay, from: 1 }], pay] })(devnet)
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x4')
  })

  it('need no further block where each was sealed at once', async () => {
    const pay = { to: STRANGER, value: 1 }
    const devnet = await started({ rhythm: 'instant' })
    await fixtureFromJson({ transactions: [pay, [pay, { ...pay, from: 1 }], pay] })(devnet)
    expect((await blocksOf(devnet)).map(({ transactions }) => transactions.length)).toEqual([1, 1, 1, 1])
  })

  it('are sealed, not only pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'manual', profile: 'base-flashblocks' })
    devnet.on('accepted', () => void devnet.tick())
    await fixtureFromJson({ transactions: [{ to: STRANGER, value: 1 }] })(devnet)
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x1')
  })

  it('are signed where there is a key, however the address of their sender is written', async () => {
    const { accounts } = await started()
    const from = getAddress(accounts[1]!.address)
    const { devnet, sent } = await use<'sent'>({ transactions: [{ name: 'sent', from, to: STRANGER }] })
    const raw = await ask<TransactionSerializedEIP1559>(devnet, 'eth_getRawTransactionByHash', sent)
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(from)
  })

  it('that fail say with which words, and nothing where there are none', async () => {
    const data = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      errorName: 'Error',
      args: ['no luck'],
    })
    // Reverts with the 100 bytes after its own 9.
    const withWords = { data: `0x60648060095f395ffd${data.slice(2)}`, gas: 200_000 }
    await expect(use({ transactions: [withWords] })).rejects.toThrow(
      /^transactions\[0\]: execution reverted: no luck$/,
    )
    await expect(use({ transactions: [{ data: REVERT, gas: 200_000 }] })).rejects.toThrow(
      /^transactions\[0\]: execution reverted$/,
    )
  })

  it.each<[string, object, string]>([
    ['reverts when it is estimated', { data: REVERT }, 'transactions[1]: execution reverted'],
    ['reverts when it is mined', { data: REVERT, gas: 100_000 }, 'transactions[1]: execution reverted'],
    [
      'waits for another',
      { to: STRANGER, nonce: 7 },
      'transactions[1]: it is in no block; its nonce is 7; a transaction with nonce 1 must be included first',
    ],
    [
      'costs more than there is',
      { from: STRANGER, to: SOMEBODY, value: 1 },
      'transactions[1]: insufficient funds',
    ],
  ])('that %s fail with their place and the reason', async (_, transaction, message) => {
    await expect(use({ transactions: [{ to: STRANGER }, transaction] })).rejects.toThrow(message)
  })

  it('that are no transactions fail with their place', async () => {
    await expect(use({ transactions: [['0x1234']] })).rejects.toThrow(/^transactions\[0\]\[0\]: /)
  })

  it('that revert with a custom error say it by the ABIs of the fixture', async () => {
    const data = encodeDeployData({ ...Shop, args: [3n] })
    const json = (abis: object) => ({
      abis,
      transactions: [
        { name: 'shop', data },
        // More than there are.
        {
          to: 'shop',
          gas: 200_000,
          data: encodeFunctionData({ abi: Shop.abi, functionName: 'buy', args: [5n, ''] }),
        },
      ],
    })
    const shop = fixtureFromJson(json({ Shop }), { devnet: { consoleLogs: false } })
    await expect(shop.use()).rejects.toThrow(
      'transactions[1]: execution reverted: InsufficientStock(available: 3, wanted: 5)',
    )
  })

  it('are decoded by its ABIs afterwards', async () => {
    const { devnet } = await use({ abis: { Reverter, Plain: Shop.abi } })
    expect([...devnet.abis].map(({ name }) => name)).toEqual(['Reverter', 'Plain'])
  })
})

describe('a JSON fixture with a mistake', () => {
  const rich = { [SOMEBODY]: { balance: 5 } }

  it.each<[object, string]>([
    [
      { acounts: {} },
      'fixture: expected one of the members $schema, fork, accounts, transactions, abis, got "acounts"',
    ],
    [[] as object, 'fixture: expected an object with fork, accounts, transactions, abis, got an array'],
    [{ accounts: { '0x12': {} } }, 'accounts: expected an address (0x and 40 hex digits), got "0x12"'],
    [
      { accounts: { [SOMEBODY]: { balance: '1 ether' } } },
      `accounts.${SOMEBODY}.balance: expected a whole number of at most 256 bits (5, "5" or "0x5"), got "1 ether"`,
    ],
    [
      { accounts: { [SOMEBODY]: { balance: 1e20 } } },
      `accounts.${SOMEBODY}.balance: expected a whole number of at most 256 bits (5, "5" or "0x5"), got 100000000000000000000`,
    ],
    [
      { accounts: { [SOMEBODY]: { code: '0x600' } } },
      `accounts.${SOMEBODY}.code: expected bytes (0x and an even number of hex digits), got "0x600"`,
    ],
    [
      { accounts: { [SOMEBODY]: { storage: { slot: 1 } } } },
      `accounts.${SOMEBODY}.storage: expected a storage slot (0x and 1 to 64 hex digits), got "slot"`,
    ],
    [
      { accounts: { [SOMEBODY]: { storage: { '0x1': {} } } } },
      `accounts.${SOMEBODY}.storage.0x1: expected a whole number of at most 256 bits (5, "5" or "0x5"), got an object`,
    ],
    [
      { transactions: [{}, { gasLimit: 5 }] },
      'transactions[1]: expected one of the members name, from, to, data, value, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, got "gasLimit"',
    ],
    [
      { transactions: [[{}, { to: '0x12' }]] },
      'transactions[0][1].to: expected an address (0x and 40 hex digits), a name, or the number of a development account, got "0x12"',
    ],
    [
      { transactions: [{ to: 'token' }] },
      'transactions[0].to: expected a name from a block above (there is none), got "token"',
    ],
    [
      { transactions: [[{ name: 'a' }, { to: 'a' }]], accounts: { [SOMEBODY]: { name: 'b' } } },
      'transactions[0][1].to: expected a name from a block above (b), got "a"',
    ],
    [
      { transactions: [{ name: 'a' }, { name: 'a' }] },
      'transactions[1].name: expected a name that nothing above has, got "a"',
    ],
    [
      { transactions: [{ name: 'devnet' }] },
      'transactions[0].name: expected another name: devnet is the fork, which stands beside the values, got "devnet"',
    ],
    [
      { abis: { Token: {} } },
      'abis.Token: expected an ABI (an array), or the artifact of a compiler: { abi, deployedBytecode }',
    ],
  ])('is refused when it is defined: %j', (json, message) => {
    expect(() => fixtureFromJson(json)).toThrow(message)
  })

  it('that shows on the devnet alone changes nothing there', async () => {
    const devnet = await started({ rhythm: 'manual', accounts: 2 })
    const json = { accounts: rich, transactions: [{ to: STRANGER }, { from: 2 }] }
    await expect(fixtureFromJson(json)(devnet)).rejects.toThrow(
      'transactions[1].from: expected the number of a development account, of which there are 2, got 2',
    )
    expect(await ask(devnet, 'eth_getBalance', SOMEBODY)).toBe('0x0')
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
  })
})

describe('a JSON fixture in a file', () => {
  async function fileWith(text: string): Promise<string> {
    const file = join(await mkdtemp(join(tmpdir(), 'preseal-')), 'fixture.json')
    await writeFile(file, text)
    return file
  }

  it('is read by its path or URL', async () => {
    const file = await fileWith(JSON.stringify({ accounts: { [SOMEBODY]: { name: 'somebody' } } }))
    for (const place of [file, pathToFileURL(file)]) {
      expect((await fixtureFromJson(place).use()).somebody).toBe(withChecksums(SOMEBODY))
    }
  })

  it('is named with what is wrong in it', async () => {
    const broken = await fileWith('{ "accounts": ')
    await expect(fixtureFromJson(broken).use()).rejects.toThrow(`${broken}: not JSON: `)
    const wrong = await fileWith('{ "accounts": 5 }')
    await expect(fixtureFromJson(wrong).use()).rejects.toThrow(
      `${wrong}: accounts: expected an object from addresses to accounts, got 5`,
    )
    const failing = await fileWith(`{ "transactions": [{ "data": "${REVERT}" }] }`)
    await expect(fixtureFromJson(failing).use()).rejects.toThrow(
      `${failing}: transactions[0]: execution reverted`,
    )
    await expect(fixtureFromJson('nowhere.json').use()).rejects.toThrow('nowhere.json')
  })
})
