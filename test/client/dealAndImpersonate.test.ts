/** Money and names for tests: balances as they are wanted, and senders whose keys nobody has. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { WETH9 } from '../../fixtures/contracts/WETH9.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const payFrom = (devnet: Devnet, from: Hex) =>
  devnet.send({ from, to: devnet.accounts[1]!.address, value: 1n })

describe('deal', () => {
  it('sets what an account has, at once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.deal(STRANGER, { wei: 5n })
    await devnet.deal(STRANGER, { wei: 3n })
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x3')
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'pending')).toBe('0x3')
    await devnet.deal(STRANGER, { wei: 0n })
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
  })

  it.each([
    ['a token of ours', async (devnet: Devnet) => devnet.deploy(Token, { args: ['Gold', 'GOLD'] })],
    ['WETH', async (devnet: Devnet) => devnet.deploy(WETH9)],
  ])('sets how much of %s it has', async (_, deploy) => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = await deploy(devnet)
    const balance = { abi: Token.abi, address, functionName: 'balanceOf', args: [STRANGER] } as const
    for (const amount of [10n ** 30n, 7n, 0n]) {
      await devnet.deal(STRANGER, { token: address, amount })
      expect([await devnet.read(balance), await devnet.read({ ...balance, at: 'latest' })]).toEqual([
        amount,
        amount,
      ])
    }
  })

  it('says where a token cannot be dealt', async () => {
    const devnet = await started({ rhythm: 'manual' })
    // Whatever it is asked, it answers 42.
    const token = '0x00000000000000000000000000000000000c0de0'
    await ask(devnet, 'anvil_setCode', token, '0x602a5f5260205ff3')
    await expect(devnet.deal(STRANGER, { token, amount: 1n })).rejects.toMatchObject({
      code: -32004,
      message: expect.stringContaining(`no storage slot of ${token} holds the balance of ${STRANGER}`),
    })
  })
})

describe('impersonate', () => {
  it('lets an account send, and no longer than its block lasts', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.deal(STRANGER, { wei: 10n ** 18n })
    {
      await using pirate = await devnet.impersonate(STRANGER)
      expect(pirate.address).toBe(STRANGER)
      expect((await payFrom(devnet, pirate.address)).receipt).toMatchObject({ from: STRANGER })
    }
    await expect(payFrom(devnet, STRANGER)).rejects.toThrow(/^unknown account/)
  })

  it('lets a contract send', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
    await devnet.deal(address, { wei: 10n ** 18n })
    await using contract = await devnet.impersonate(address)
    await expect(payFrom(devnet, contract.address)).resolves.toMatchObject({ receipt: { from: address } })
  })

  it('can be nested, and ends with the last; to stop twice is to stop once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.deal(STRANGER, { wei: 10n ** 18n })
    const outer = await devnet.impersonate(STRANGER)
    const inner = await devnet.impersonate(STRANGER.toUpperCase().replace('0X', '0x') as Hex)
    await inner.stop()
    await inner.stop()
    await payFrom(devnet, STRANGER)
    await outer.stop()
    await expect(payFrom(devnet, STRANGER)).rejects.toThrow(/^unknown account/)
  })

  it('leaves be what somebody else began', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.deal(STRANGER, { wei: 10n ** 18n })
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    const pirate = await devnet.impersonate(STRANGER)
    await pirate.stop()
    await payFrom(devnet, STRANGER)
  })

  it('that begins while another ends is not taken for somebody else’s', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.deal(STRANGER, { wei: 10n ** 18n })
    const first = await devnet.impersonate(STRANGER)
    const [second] = await Promise.all([devnet.impersonate(STRANGER), first.stop()])
    await payFrom(devnet, STRANGER)
    const ending = second.stop()
    const third = await devnet.impersonate(STRANGER)
    await ending
    await payFrom(devnet, STRANGER)
    await third.stop()
    await expect(payFrom(devnet, STRANGER)).rejects.toThrow(/^unknown account/)
  })

  it('is for the accounts of a key too, which go on signing', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const own = devnet.accounts[0]!.address
    const impersonation = await devnet.impersonate(own)
    await impersonation.stop()
    await payFrom(devnet, own)
  })

  it('may outlive its devnet', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await using pirate = await devnet.impersonate(STRANGER)
    await devnet.close()
    await expect(pirate.stop()).resolves.toBeUndefined()
  })

  it('says what an account lacks that cannot pay for its gas', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await using pirate = await devnet.impersonate(STRANGER)
    await expect(payFrom(devnet, pirate.address)).rejects.toThrow('insufficient funds')
  })
})
