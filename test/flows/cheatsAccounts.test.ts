/** Accounts changed by hand: seen at once in the newest moments, in roots from the next block on. */
import { encodeDeployData, encodeFunctionData, type Hex, keccak256, numberToHex, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const ONE = parseEther('1')

async function balances(devnet: Devnet): Promise<Record<'latest' | 'pending', bigint>> {
  return {
    latest: BigInt(await ask<Hex>(devnet, 'eth_getBalance', STRANGER, 'latest')),
    pending: BigInt(await ask<Hex>(devnet, 'eth_getBalance', STRANGER, 'pending')),
  }
}

/** The root against which accounts of the moment are proved. */
async function provedRoot(devnet: Devnet, at: string): Promise<Hex> {
  const { accountProof } = await ask<{ accountProof: Hex[] }>(devnet, 'eth_getProof', STRANGER, [], at)
  return keccak256(accountProof[0]!)
}

async function stateRoot(devnet: Devnet, at = 'latest'): Promise<Hex> {
  return (await ask<{ stateRoot: Hex }>(devnet, 'eth_getBlockByNumber', at, false)).stateRoot
}

describe('an account that is changed', () => {
  it('is changed in latest and pending at once, whether a block is open or not', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setBalance', STRANGER, numberToHex(ONE))
    expect(await balances(devnet)).toEqual({ latest: ONE, pending: ONE })
    await devnet.tick()
    await ask(devnet, 'anvil_setBalance', STRANGER, numberToHex(2n * ONE))
    expect(await balances(devnet)).toEqual({ latest: 2n * ONE, pending: 2n * ONE })
    await devnet.tick()
    expect(await balances(devnet)).toEqual({ latest: 2n * ONE, pending: 2n * ONE })
  })

  it('leaves sealed headers as they are, and is in the root of the next block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.tick()
    await devnet.tick()
    const sealed = await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    const before = await stateRoot(devnet)
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x1')
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', true)).toEqual(sealed)
    const after = await provedRoot(devnet, 'pending')
    expect(after).not.toBe(before)
    await devnet.tick()
    expect(await stateRoot(devnet)).toBe(after)
    expect(await provedRoot(devnet, 'latest')).toBe(after)
  })

  it('was not changed in older blocks', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x1')
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBalance', STRANGER, '0x0')).toBe('0x0')
    expect(await ask(devnet, 'eth_getBalance', STRANGER, '0x2')).toBe('0x1')
  })

  it('is not changed for who read before', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.tick()
    const { chain } = devnet.snapshot().mark
    const roots = [chain.history.latest.state.root(), chain.preconfirmed!.state.root()]
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x1')
    expect([chain.history.latest.state.root(), chain.preconfirmed!.state.root()]).toEqual(roots)
    expect(chain.history.latest.state.account(STRANGER)).toBeUndefined()
  })

  it('keeps what pre-confirmed transactions did to it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x5' })
    await devnet.tick()
    await ask(devnet, 'anvil_addBalance', STRANGER, 100)
    expect(await balances(devnet)).toEqual({ latest: 100n, pending: 105n })
    await devnet.tick()
    expect(await balances(devnet)).toEqual({ latest: 105n, pending: 105n })
  })

  it('does not begin to exist by being set to nothing', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const before = await stateRoot(devnet)
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x0')
    await ask(devnet, 'anvil_setNonce', STRANGER, 0)
    await ask(devnet, 'anvil_setCode', STRANGER, '0x')
    await ask(devnet, 'anvil_setStorageAt', STRANGER, '0x0', '0x0')
    await devnet.mine()
    expect(await stateRoot(devnet)).toBe(before)
  })

  it('never has more than a word of wei', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const most = numberToHex(2n ** 256n - 1n)
    await ask(devnet, 'anvil_setBalance', STRANGER, most)
    await ask(devnet, 'anvil_addBalance', STRANGER, '0x1')
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe(most)
  })

  it('can be many at once, as Tenderly has it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const [one, two] = devnet.accounts
    await ask(devnet, 'tenderly_setBalance', [one!.address, two!.address, STRANGER], '0x7')
    await ask(devnet, 'tenderly_addBalance', [one!.address, STRANGER], '0x1')
    const seen = [one!.address, two!.address, STRANGER].map((owner) => ask(devnet, 'eth_getBalance', owner))
    expect(await Promise.all(seen)).toEqual(['0x8', '0x7', '0x8'])
  })

  it('has the nonce, the code and the storage that it was given', async () => {
    const devnet = await started({ rhythm: 'manual' })
    // Answers what stands in slot 1.
    await ask(devnet, 'hardhat_setCode', STRANGER, '0x60015460005260206000f3')
    await ask(devnet, 'hardhat_setStorageAt', STRANGER, '0x1', '0x2a')
    await ask(devnet, 'hardhat_setNonce', STRANGER, '0x9')
    expect(await ask(devnet, 'eth_call', { to: STRANGER })).toBe(numberToHex(42, { size: 32 }))
    expect(await ask(devnet, 'eth_getStorageAt', STRANGER, '0x1')).toBe(numberToHex(42, { size: 32 }))
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER, 'pending')).toBe('0x9')
    await ask(devnet, 'hardhat_setStorageAt', STRANGER, '0x1', `0x${'00'.repeat(32)}`)
    expect(await ask(devnet, 'eth_getStorageAt', STRANGER, '0x1')).toBe(numberToHex(0, { size: 32 }))
  })

  it('sends with the nonce that it was given', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'anvil_setNonce', from, 1000)
    const hash = await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER })
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({ nonce: '0x3e8' })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })

  it('leaves the genesis that others are given as it was', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const genesis = devnet.genesis()
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x1')
    expect(devnet.genesis()).toEqual(genesis)
  })
})

describe('tokens that are dealt', () => {
  async function withToken() {
    const devnet = await started({ rhythm: 'instant' })
    const from = devnet.accounts[0]!.address
    const data = encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] })
    const hash = await ask(devnet, 'eth_sendTransaction', { from, data })
    const { contractAddress: token } = await ask<{ contractAddress: Hex }>(
      devnet,
      'eth_getTransactionReceipt',
      hash,
    )
    const balanceOf = async (owner: Hex) => {
      const input = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [owner] })
      return BigInt(await ask<Hex>(devnet, 'eth_call', { to: token, input }))
    }
    return { devnet, token, from, balanceOf }
  }

  it('are there, and can be spent', async () => {
    const { devnet, token, from, balanceOf } = await withToken()
    await ask(devnet, 'anvil_dealERC20', from, token, numberToHex(500n))
    expect(await balanceOf(from)).toBe(500n)
    const input = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [STRANGER, 100n] })
    await ask(devnet, 'eth_sendTransaction', { from, to: token, input })
    expect([await balanceOf(from), await balanceOf(STRANGER)]).toEqual([400n, 100n])
  })

  it('are dealt under other names and in other orders', async () => {
    const { devnet, token, from, balanceOf } = await withToken()
    await ask(devnet, 'anvil_dealErc20', { erc20: token, account: STRANGER, amount: '0x1' })
    expect(await balanceOf(STRANGER)).toBe(1n)
    await ask(devnet, 'anvil_deal', { erc20: token, account: STRANGER, amount: '0x2' })
    expect(await balanceOf(STRANGER)).toBe(2n)
    await ask(devnet, 'tenderly_setErc20Balance', token, [STRANGER, from], '0x3')
    expect([await balanceOf(STRANGER), await balanceOf(from)]).toEqual([3n, 3n])
    await ask(devnet, 'anvil_deal', { account: STRANGER, amount: '0x5' })
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x5')
  })

  it('may be taken by whom they were allowed to', async () => {
    const { devnet, token, from } = await withToken()
    const spender = devnet.accounts[1]!.address
    await ask(devnet, 'anvil_setERC20Balance', from, token, '0xa')
    await ask(devnet, 'anvil_setERC20Allowance', from, spender, token, '0x7')
    const input = encodeFunctionData({
      abi: Token.abi,
      functionName: 'transferFrom',
      args: [from, STRANGER, 5n],
    })
    await ask(devnet, 'eth_sendTransaction', { from: spender, to: token, input })
    const left = encodeFunctionData({ abi: Token.abi, functionName: 'allowance', args: [from, spender] })
    expect(BigInt(await ask<Hex>(devnet, 'eth_call', { to: token, input: left }))).toBe(2n)
  })

  it.each([
    ['nobody there', '0x'],
    ['one that answers what it likes', '0x602a60005260206000f3'],
    ['one that reads, and reverts', '0x60005460006000fd'],
  ])('are refused where no slot decides: %s', async (_, code) => {
    const { devnet, from } = await withToken()
    await ask(devnet, 'anvil_setCode', STRANGER, code)
    await expect(ask(devnet, 'anvil_dealERC20', from, STRANGER, '0x1')).rejects.toMatchObject({
      code: -32004,
      message: expect.stringContaining(`no storage slot of ${STRANGER} holds the balance of ${onWire(from)}`),
    })
  })
})
