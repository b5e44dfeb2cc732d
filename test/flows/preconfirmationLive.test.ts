/** The story of `preconfirmation.test.ts` as a user lives it: viem, HTTP, the real clock with a tick of two seconds or more. */
import {
  type BlockTag,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  InsufficientFundsError,
  parseAbiItem,
  parseEther,
  zeroAddress,
} from 'viem'
import { expect, it, vi } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { type Client, clientOf, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

it('a transaction waits, is pre-confirmed and is sealed', async () => {
  let life: Awaited<ReturnType<typeof live>>
  // A machine that has other things to do is given more time to look.
  for (let tickMs = 2_000; life === undefined; tickMs *= 2) life = await live(tickMs)
  const { token, waiting, preconfirmed, sealed, block } = life

  const nothing = { balance: 0n, code: undefined, nonce: 0, call: 'fails', spend: 'insufficient funds' }
  expect(waiting.latest).toEqual(nothing)
  expect(waiting.pending).toEqual({ ...nothing, nonce: 3 })
  expect(waiting.pendingLogs).toEqual([])
  expect(waiting.receipt).toBe('none')
  expect(waiting.transaction).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null })

  expect(preconfirmed.latest).toEqual(nothing)
  expect(preconfirmed.pending).toEqual({
    balance: parseEther('1'),
    code: Token.deployedBytecode,
    nonce: 3,
    call: true,
    spend: 21_000n,
  })
  expect(preconfirmed.pendingLogs).toEqual([
    expect.objectContaining({
      address: token,
      args: { from: zeroAddress, to: STRANGER, value: 100n },
      blockHash: ZERO_HASH,
      blockNumber: block.number,
      transactionIndex: 1,
      logIndex: 0,
    }),
  ])
  expect(preconfirmed.latestLogs).toEqual([])
  expect(preconfirmed.receipt).toMatchObject({ status: 'success', blockHash: ZERO_HASH })
  expect(preconfirmed.transaction).toMatchObject({ blockHash: null, blockNumber: block.number })

  expect(sealed.latest).toEqual(preconfirmed.pending)
  expect(sealed.pendingLogs).toEqual([])
  expect(sealed.latestLogs).toEqual(
    preconfirmed.pendingLogs.map((log) => ({ ...log, blockHash: block.hash })),
  )
  expect(sealed.receipt).toMatchObject({ status: 'success', blockHash: block.hash })
  expect(sealed.transaction).toMatchObject({ blockHash: block.hash, blockNumber: block.number })
})

/** Deploys a token, mints and pays on a new devnet; looks at each stage. Nothing where a stage went by meanwhile. */
async function live(tickMs: number) {
  const devnet = await started({ rhythm: 'interval', tickMs, receipts: 'preconfirmed' })
  const { url } = await devnet.listen({ port: 0 })
  const client = clientOf(devnet, 0, http(url))
  const token = getContractAddress({ from: client.account.address, nonce: 0n }).toLowerCase() as Hex
  const raws = await sign(client, token)

  const start = await openNumber(client)
  const hashes: Hex[] = []
  for (const serializedTransaction of raws) {
    hashes.push(await client.sendRawTransaction({ serializedTransaction }))
  }
  const hash = hashes[1]!
  const waiting = await look(client, token, hash)
  if ((await openNumber(client)) !== start) return undefined

  await vi.waitUntil(async () => (await openNumber(client)) > start, SOON)
  const preconfirmed = await look(client, token, hash)
  if ((await openNumber(client)) !== start + 1n) return undefined

  await vi.waitUntil(async () => (await client.getBlockNumber()) > start, SOON)
  const sealed = await look(client, token, hash)
  return { token, waiting, preconfirmed, sealed, block: await client.getBlock({ blockNumber: start + 1n }) }
}

async function sign({ account }: Client, token: Hex): Promise<Hex[]> {
  const common = { type: 'eip1559', chainId: 31337, maxFeePerGas: 10n ** 10n, gas: 1_500_000n } as const
  const mint = encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [STRANGER, 100n] })
  return [
    await account.signTransaction({
      ...common,
      nonce: 0,
      data: encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] }),
    }),
    await account.signTransaction({ ...common, nonce: 1, to: token, data: mint }),
    await account.signTransaction({ ...common, nonce: 2, to: STRANGER, value: parseEther('1') }),
  ]
}

/** The number of the block that `pending` is. */
async function openNumber(client: Client): Promise<bigint> {
  const block = await client.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })
  return BigInt(block?.number ?? 0)
}

async function look(client: Client, token: Hex, hash: Hex) {
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const logs = (at: BlockTag) => client.getLogs({ address: token, event, fromBlock: at, toBlock: at })
  return {
    latest: await stateAt(client, token, 'latest'),
    pending: await stateAt(client, token, 'pending'),
    latestLogs: await logs('latest'),
    pendingLogs: await logs('pending'),
    receipt: await client.getTransactionReceipt({ hash }).catch(() => 'none' as const),
    transaction: await client.getTransaction({ hash }),
  }
}

async function stateAt(client: Client, token: Hex, blockTag: 'latest' | 'pending') {
  const transfer = { address: token, abi: Token.abi, functionName: 'transfer' } as const
  return {
    balance: await client.getBalance({ address: STRANGER, blockTag }),
    code: await client.getCode({ address: token, blockTag }),
    nonce: await client.getTransactionCount({ address: client.account.address, blockTag }),
    /** Needs the token and what was minted. */
    call: await client
      .simulateContract({ ...transfer, account: STRANGER, args: [zeroAddress, 100n], blockTag })
      .then(
        ({ result }) => result,
        () => 'fails',
      ),
    /** Needs the payment. */
    spend: await client
      .estimateGas({ account: STRANGER, to: zeroAddress, value: parseEther('1'), blockTag })
      .catch((error) => {
        if (error.walk((cause: unknown) => cause instanceof InsufficientFundsError))
          return 'insufficient funds'
        throw error
      }),
  }
}
