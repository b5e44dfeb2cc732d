/** What a devnet's own client says of code that fails: what was called, why, and the error as a value. */
import { type Abi, encodeErrorResult, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { Pool } from '../../fixtures/contracts/Pool.ts'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { type DevnetOptions, Reverted } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

/** What `promise` rejects with. */
async function failure(promise: Promise<unknown>): Promise<Reverted> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Reverted)
  return error as Reverted
}

async function withReverter(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  const { address } = await devnet.deploy(Reverter)
  return { devnet, reverter: { abi: Reverter.abi, address } as const }
}

describe.each(['base', 'geth'] as const)('in the dialect %s', (dialect) => {
  it('a custom error is there with its name and its arguments', async () => {
    const { devnet, reverter } = await withReverter({ dialect })
    const owner = devnet.accounts[0]!.address
    const error = await failure(devnet.read({ ...reverter, functionName: 'revertCustom', args: [7n] }))
    expect(error).toMatchObject({
      name: 'Reverted',
      message: `revertCustom reverted: Custom(code: 7, caller: ${owner})`,
      reason: { name: 'Custom', args: [7n, owner] },
      data: encodeErrorResult({ abi: Reverter.abi, errorName: 'Custom', args: [7n, owner] }),
      hash: undefined,
      receipt: undefined,
    })
  })

  it.each([
    [
      'a text',
      'writeThenRevertString',
      'Something went wrong',
      { name: 'Error', args: ['Something went wrong'] },
    ],
    ['a panic', 'writeThenPanicDivide', 'division or modulo by zero', { name: 'Panic', args: [0x12n] }],
    ['nothing', 'writeThenRevertEmpty', 'no reason given', undefined],
  ] as const)('%s is told, and nothing is sent', async (_, functionName, text, reason) => {
    const { devnet, reverter } = await withReverter({ dialect })
    const error = await failure(devnet.write({ ...reverter, functionName }))
    expect(error).toMatchObject({ message: `${functionName} reverted: ${text}`, reason, hash: undefined })
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})

describe('wei', () => {
  it('that a function does not take, are named', async () => {
    const { devnet, reverter } = await withReverter()
    const sent = { ...reverter, functionName: 'writeThenRevertEmpty', value: 5n } as never
    const error = await failure(devnet.write(sent))
    expect(error.message).toBe(
      'writeThenRevertEmpty reverted: no reason given; it is not payable by its ABI, and 5 wei were sent',
    )
    const deploying = failure(devnet.deploy(Reverter, { value: 5n } as never))
    expect((await deploying).message).toBe(
      'deploy reverted: no reason given; it is not payable by its ABI, and 5 wei were sent',
    )
  })

  it('that are not there, are those of the sender, who is named', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const poor = await devnet.impersonate(STRANGER)
    await expect(devnet.send({ to: STRANGER, value: 1n, from: poor.address })).rejects.toThrow(
      new RegExp(`have 0 want \\d+; the sender is ${STRANGER}$`),
    )
  })
})

describe('with gas given', () => {
  it('it is sent all the same, and there are a hash and a receipt', async () => {
    const { devnet, reverter } = await withReverter()
    const owner = devnet.accounts[0]!.address
    const custom = { ...reverter, functionName: 'writeThenRevertCustom', args: [7n], gas: 200_000n } as const
    const error = await failure(devnet.write(custom))
    expect(error.message).toBe(`writeThenRevertCustom reverted: Custom(code: 7, caller: ${owner})`)
    expect(error.reason).toEqual({ name: 'Custom', args: [7n, owner] })
    expect(error.receipt).toMatchObject({ status: 'reverted', blockNumber: 2n, transactionHash: error.hash })
    expect(await ask(devnet, 'eth_getTransactionReceipt', error.hash)).toMatchObject({ status: '0x0' })
  })

  it('nothing is known of a transaction that nobody waits for', async () => {
    const { devnet, reverter } = await withReverter()
    const fails = { ...reverter, functionName: 'writeThenRevertEmpty', gas: 200_000n } as const
    await expect(devnet.write({ ...fails, until: 'accepted' })).resolves.toEqual({ hash: expect.any(String) })
    const error = await failure(devnet.write({ ...fails, until: 'preconfirmed' }))
    expect(error.receipt).toMatchObject({ status: 'reverted', blockHash: `0x${'00'.repeat(32)}` })
  })

  it('what stops the machine is told as well', async () => {
    const { devnet, reverter } = await withReverter()
    const outOfGas = { ...reverter, functionName: 'writeThenOutOfGas', gas: 100_000n } as const
    const error = await failure(devnet.write(outOfGas))
    expect(error).toMatchObject({
      message: 'writeThenOutOfGas failed: out of gas',
      reason: undefined,
      data: '0x',
    })
  })
})

describe('an error', () => {
  it('of a contract further down is known where that was deployed here, or added', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    const pool = await devnet.deploy(Pool, { args: [token.address, token.address] })
    const add = {
      abi: Pool.abi,
      address: pool.address,
      functionName: 'addLiquidity',
      args: [5n, 5n],
    } as const
    const error = await failure(devnet.write(add))
    expect(error.reason).toEqual({ name: 'InsufficientAllowance', args: [pool.address, 0n, 5n] })
    expect(error.message).toContain('addLiquidity reverted: InsufficientAllowance(spender: 0x')
  })

  it('of no known ABI is shown as it came, until it is added', async () => {
    const devnet = await started({ rhythm: 'manual', consoleLogs: false })
    const abi = parseAbi(['function buy(uint256, string)'])
    await ask(devnet, 'anvil_setCode', STRANGER, Shop.deployedBytecode)
    const buy = { abi, address: STRANGER, functionName: 'buy', args: [5n, ''] } as const
    const unknown = await failure(devnet.write(buy))
    const data = encodeErrorResult({ abi: Shop.abi, errorName: 'InsufficientStock', args: [0n, 5n] })
    expect(unknown).toMatchObject({ reason: undefined, data })
    expect(unknown.message).toBe(
      `buy reverted: ${data.slice(0, 66)}… (68 bytes), an error of no known ABI (add it with devnet.abis.add)`,
    )
    devnet.abis.add(Shop)
    expect(await failure(devnet.write(buy))).toMatchObject({
      message: 'buy reverted: InsufficientStock(available: 0, wanted: 5)',
      reason: { name: 'InsufficientStock', args: [0n, 5n] },
    })
  })

  it('of a transaction that was encoded elsewhere is told as well', async () => {
    const { devnet, reverter } = await withReverter()
    const data: Hex = '0xdeadbeef'
    const error = await failure(devnet.send({ to: reverter.address, data }))
    expect(error.message).toBe('transaction reverted: no reason given')
  })

  it('of a constructor names the deployment', async () => {
    const devnet = await started({ rhythm: 'manual' })
    // revert(0, 0)
    const deployment = devnet.deploy({ abi: [] as Abi, bytecode: '0x5f5ffd' })
    expect((await failure(deployment)).message).toBe('deploy reverted: no reason given')
  })
})

describe('what is refused and did not fail', () => {
  it('says so in the words of a node', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.send({ from: STRANGER, to: STRANGER })).rejects.toMatchObject({
      name: 'ProviderRpcError',
      code: -32000,
      message: expect.stringMatching(/^unknown account 0x0{36}5555: .*impersonate it/),
    })
    const value = 10n ** 24n
    await expect(devnet.send({ to: STRANGER, value })).rejects.toMatchObject({
      name: 'ProviderRpcError',
      message: expect.stringMatching(/^insufficient funds/),
    })
  })
})
