/** A devnet as its own client: what is deployed, written and read without any other. */
import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Pool } from '../../fixtures/contracts/Pool.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { onWire, withChecksums } from '../support/clients/addresses.ts'
import { ask, clientOf, inProcess, STRANGER, started } from '../support/clients/clients.ts'

/** Returns what follows the selector of its calldata. */
const ECHO = '0x6004360360045f37600436035ff3'
const GOLD = { args: ['Gold', 'GOLD'] } as const

async function withToken() {
  const devnet = await started({ rhythm: 'manual' })
  const { address } = await devnet.deploy(Token, GOLD)
  return { devnet, token: { abi: Token.abi, address } as const, owner: devnet.accounts[0]!.address }
}

describe('deploy', () => {
  it('answers where the contract is, and the receipt that viem would', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address, hash, receipt } = await devnet.deploy(Token, GOLD)
    expect(receipt).toEqual(withChecksums(await clientOf(devnet).getTransactionReceipt({ hash })))
    expect(receipt).toMatchObject({ contractAddress: address, status: 'success', blockNumber: 1n })
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({
      from: onWire(devnet.accounts[0]!.address),
      input: encodeDeployData({ ...Token, ...GOLD }),
    })
  })

  it('knows where a contract will be that waits', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const from = devnet.accounts[3]!.address
    await devnet.send({ from, to: STRANGER })
    const deployed = await devnet.deploy(Token, { ...GOLD, from, until: 'accepted' })
    expect(deployed).toEqual({
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      address: getContractAddress({ from, nonce: 1n }),
      abi: Token.abi,
    })
    expect(await ask(devnet, 'eth_getTransactionReceipt', deployed.hash)).toBeNull()
  })

  it.each([
    ['hex without 0x', Emitter.bytecode.slice(2)],
    ['an object of Foundry’s', { object: Emitter.bytecode }],
  ])('takes code as %s', async (_, bytecode) => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = await devnet.deploy({ abi: Emitter.abi, bytecode })
    expect(await ask(devnet, 'eth_getCode', address)).toBe(Emitter.deployedBytecode)
  })

  it('takes what solc writes of a contract', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { abi, bytecode } = Emitter
    const { address } = await devnet.deploy({ abi, evm: { bytecode: { object: bytecode.slice(2) } } })
    expect(await ask(devnet, 'eth_getCode', address)).toBe(Emitter.deployedBytecode)
  })

  it('lets devnet.abis know the ABI, once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.deploy(Token, GOLD)
    await devnet.deploy(Token, GOLD)
    expect([...devnet.abis].map(({ abi }) => abi)).toEqual([Token.abi])
  })
})

describe('write and read', () => {
  it('do what a client would', async () => {
    const { devnet, token, owner } = await withToken()
    const { receipt, logs } = await devnet.write({ ...token, functionName: 'mint', args: [STRANGER, 5n] })
    expect(receipt).toMatchObject({ status: 'success', from: owner, to: token.address, blockNumber: 2n })
    expect(logs).toEqual([
      {
        eventName: 'Transfer',
        args: { from: `0x${'00'.repeat(20)}`, to: STRANGER, value: 5n },
        address: token.address,
        logIndex: 0,
      },
    ])
    expect(await devnet.read({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(5n)
    expect(await devnet.read({ ...token, functionName: 'name' })).toBe('Gold')
    expect(await devnet.read({ ...token, functionName: 'decimals' })).toBe(18)
    expect(await devnet.read({ ...token, functionName: 'owner' })).toBe(owner)
  })

  it('send wei along', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = await devnet.deploy(Emitter)
    const { logs } = await devnet.write({ abi: Emitter.abi, address, functionName: 'touch', value: 7n })
    expect(logs).toMatchObject([{ eventName: 'Touched', args: { value: 7n } }])
    expect(await ask(devnet, 'eth_getBalance', address)).toBe('0x7')
  })

  it('name the events of the ABI, whoever emitted them, and no others', async () => {
    const { devnet, token, owner } = await withToken()
    const silver = await devnet.deploy(Token, GOLD)
    const pool = await devnet.deploy(Pool, { args: [token.address, silver.address] })
    for (const address of [token.address, silver.address]) {
      await devnet.write({ ...token, address, functionName: 'mint', args: [owner, 1000n] })
      await devnet.write({ ...token, address, functionName: 'approve', args: [pool.address, 1000n] })
    }
    const { logs, receipt } = await devnet.write({
      abi: Pool.abi,
      address: pool.address,
      functionName: 'addLiquidity',
      args: [100n, 400n],
    })
    expect(logs).toMatchObject([
      { eventName: 'LiquidityAdded', args: { provider: owner, amount0: 100n, amount1: 400n, shares: 200n } },
    ])
    expect(receipt.logs.map(({ address }) => address)).toEqual([token.address, silver.address, pool.address])
  })

  it('act for whom they are told to', async () => {
    const { devnet, token, owner } = await withToken()
    const from = devnet.accounts[4]!.address
    await devnet.write({ ...token, functionName: 'approve', args: [STRANGER, 3n], from })
    const allowance = (account: Hex) =>
      devnet.read({ ...token, functionName: 'allowance', args: [account, STRANGER] })
    expect([await allowance(from), await allowance(owner)]).toEqual([3n, 0n])
    const whoAsks = parseAbi(['function who() view returns (address)'])
    // CALLER, as a word.
    await ask(devnet, 'anvil_setCode', STRANGER, '0x335f5260205ff3')
    const who = { abi: whoAsks, address: STRANGER, functionName: 'who' } as const
    expect([await devnet.read(who), await devnet.read({ ...who, from })]).toEqual([owner, from])
  })

  it('reads what is pre-confirmed, or whichever block is named', async () => {
    const { devnet, token } = await withToken()
    const mint = { ...token, functionName: 'mint', args: [STRANGER, 1n] } as const
    const { receipt } = await devnet.write(mint)
    await devnet.write({ ...mint, until: 'preconfirmed' })
    const balance = { ...token, functionName: 'balanceOf', args: [STRANGER] } as const
    expect(await devnet.read(balance)).toBe(2n)
    const ats = [
      'pending',
      'latest',
      1n,
      2n,
      receipt.blockHash,
      { blockHash: receipt.blockHash, requireCanonical: true },
      { blockNumber: 3n, slice: 1n },
    ] as const
    const found = await Promise.all(ats.map((at) => devnet.read({ ...balance, at })))
    expect(found).toEqual([2n, 1n, 0n, 1n, 1n, 1n, 2n])
  })

  it('encode what viem encodes, and decode what the contract returns', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setCode', STRANGER, ECHO)
    const abi = parseAbi([
      'struct Item { uint8 small; int256 large; string text }',
      'function echo(Item[] items, bytes4 tag, bool[2] flags, address[] owners, bytes data) view returns (Item[] items, bytes4 tag, bool[2] flags, address[] owners, bytes data)',
    ])
    const args = [
      [
        { small: 255, large: -(2n ** 255n), text: 'ä€' },
        { small: 0, large: 1n, text: '' },
      ],
      '0x01020304',
      [true, false],
      [STRANGER],
      '0x',
    ] as const
    const question = { abi, address: STRANGER, functionName: 'echo', args } as const
    expect(await devnet.read(question)).toEqual(args)
    const writes = parseAbi([
      'struct Item { uint8 small; int256 large; string text }',
      'function echo(Item[] items, bytes4 tag, bool[2] flags, address[] owners, bytes data)',
    ])
    const written = await devnet.write({ abi: writes, address: STRANGER, functionName: 'echo', args })
    expect(await ask(devnet, 'eth_getTransactionByHash', written.hash)).toMatchObject({
      input: encodeFunctionData(question),
    })
  })

  it('choose among functions of one name by the arguments, or by a signature', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setCode', STRANGER, '0x00')
    const abi = parseAbi([
      'function put(uint256 value)',
      'function put(address owner)',
      'function put(uint256 a, uint256 b)',
    ])
    const put = { abi, address: STRANGER, functionName: 'put' } as const
    const sent = [
      await devnet.write({ ...put, args: [1n] }),
      await devnet.write({ ...put, args: [STRANGER] }),
      await devnet.write({ ...put, args: [1n, 2n] }),
      await devnet.write({ ...put, functionName: 'put(address)', args: [STRANGER] }),
    ]
    const inputs = await Promise.all(
      sent.map(
        async ({ hash }) => (await ask<{ input: Hex }>(devnet, 'eth_getTransactionByHash', hash)).input,
      ),
    )
    expect(inputs).toEqual([
      encodeFunctionData({ abi, functionName: 'put', args: [1n] }),
      encodeFunctionData({ abi, functionName: 'put', args: [STRANGER] }),
      encodeFunctionData({ abi, functionName: 'put', args: [1n, 2n] }),
      encodeFunctionData({ abi, functionName: 'put', args: [STRANGER] }),
    ])
  })

  it('take ABIs as lines', async () => {
    const { devnet, token } = await withToken()
    const abi = [
      'function balanceOf(address) view returns (uint256)',
      'function mint(address to, uint256 value)',
      'event Transfer(address indexed from, address indexed to, uint256 value)',
    ] as const
    const lines = { abi, address: token.address } as const
    const { logs } = await devnet.write({ ...lines, functionName: 'mint', args: [STRANGER, 5n] })
    expect(logs).toMatchObject([{ eventName: 'Transfer', args: { value: 5n } }])
    expect(await devnet.read({ ...lines, functionName: 'balanceOf', args: [STRANGER] })).toBe(5n)
  })
})

describe('send', () => {
  it('moves wei, and answers the receipt', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const from = devnet.accounts[1]!.address
    const { hash, receipt } = await devnet.send({ from, to: STRANGER, value: 5n })
    expect(receipt).toEqual(withChecksums(await clientOf(devnet).getTransactionReceipt({ hash })))
    expect(receipt).toMatchObject({ from, to: STRANGER, gasUsed: 21_000n, type: 'eip1559', logs: [] })
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x5')
  })

  it('takes calldata made elsewhere', async () => {
    const { devnet, token } = await withToken()
    const data = encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [STRANGER, 5n] })
    await devnet.send({ to: token.address, data })
    expect(await devnet.read({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(5n)
  })
})

describe('faults of requests', () => {
  it('are for clients under test, and not for the devnet’s own', async () => {
    const { devnet, token } = await withToken()
    await devnet.faults.rpcError({ method: 'eth_*', code: -32000, message: 'busy' }, { times: 2 })
    expect(await devnet.read({ ...token, functionName: 'name' })).toBe('Gold')
    await devnet.write({ ...token, functionName: 'mint', args: [STRANGER, 1n] })
    await expect(ask(devnet, 'eth_chainId')).rejects.toThrow('busy')
    await expect(inProcess(devnet)({}).request({ method: 'eth_chainId' })).rejects.toThrow('busy')
  })
})

describe('a closed devnet', () => {
  it('refuses each of them', async () => {
    const { devnet, token } = await withToken()
    await devnet.close()
    const closed = { code: 4900, message: 'the devnet is closed' }
    await expect(devnet.read({ ...token, functionName: 'name' })).rejects.toMatchObject(closed)
    await expect(devnet.send({ to: STRANGER })).rejects.toMatchObject(closed)
    await expect(devnet.deal(STRANGER, { wei: 1n })).rejects.toMatchObject(closed)
    await expect(devnet.impersonate(STRANGER)).rejects.toMatchObject(closed)
  })
})

describe('a fork', () => {
  it('is a client of its own', async () => {
    const { devnet, token } = await withToken()
    await using fork = devnet.fork()
    await fork.write({ ...token, functionName: 'mint', args: [STRANGER, 5n] })
    const balance = { ...token, functionName: 'balanceOf', args: [STRANGER] } as const
    expect([await fork.read(balance), await devnet.read(balance)]).toEqual([5n, 0n])
  })
})
