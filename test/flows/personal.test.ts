/** Accounts behind passwords, as ganache's `personal` methods have them. */
import { parseTransaction, type TransactionSerialized } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const PAYMENT = { to: STRANGER, value: '0x5', gas: '0x5208' }

async function funded(devnet: Devnet, address: string): Promise<string> {
  await ask(devnet, 'anvil_setBalance', address, '0xde0b6b3a7640000')
  return address
}

function status(devnet: Devnet, hash: unknown): Promise<unknown> {
  return ask(devnet, 'eth_getTransactionReceipt', hash)
}

const locked = { code: -32000, message: expect.stringContaining('unknown account') }
const wrong = { code: -32000, message: expect.stringContaining('could not decrypt key with given password') }

describe('an account behind a password', () => {
  it('is made, the same in each devnet, and is listed after those that were there', async () => {
    const [devnet, other] = await Promise.all([started(), started()])
    const made = await ask<string>(devnet, 'personal_newAccount', 'secret')
    const next = await ask<string>(devnet, 'personal_newAccount', 'secret')
    expect(await ask(other, 'personal_newAccount', 'another')).toBe(made)
    const addresses = devnet.accounts.map(({ address }) => onWire(address))
    expect(await ask(devnet, 'personal_listAccounts')).toEqual([...addresses, made, next])
    expect(await ask(devnet, 'eth_accounts')).toEqual(addresses)
  })

  it('is another than all there are, though one was removed', async () => {
    const devnet = await started()
    const first = await ask<string>(devnet, 'personal_newAccount', 'secret')
    const second = await ask<string>(devnet, 'personal_newAccount', 'secret')
    await ask(devnet, 'evm_removeAccount', first, 'secret')
    expect(await ask(devnet, 'personal_newAccount', 'another')).not.toBe(second)
  })

  it('is that of the key that was brought', async () => {
    const devnet = await started()
    const key = generatePrivateKey()
    const address = privateKeyToAccount(key).address.toLowerCase()
    expect(await ask(devnet, 'personal_importRawKey', key, 'secret')).toBe(address)
    expect(await ask(devnet, 'personal_importRawKey', key.slice(2), 'secret')).toBe(address)
  })

  it('sends while it is unlocked', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const from = await funded(devnet, await ask(devnet, 'personal_newAccount', 'secret'))
    const send = () => ask(devnet, 'eth_sendTransaction', { from, ...PAYMENT })
    await expect(send()).rejects.toMatchObject(locked)
    await expect(ask(devnet, 'personal_unlockAccount', from, 'guess')).rejects.toMatchObject(wrong)
    expect(await ask(devnet, 'personal_unlockAccount', from, 'secret', 300)).toBe(true)
    expect(await ask(devnet, 'eth_accounts')).toContain(from)
    expect(await status(devnet, await send())).toMatchObject({ from, status: '0x1' })
    expect(await ask(devnet, 'personal_lockAccount', from)).toBe(true)
    await expect(send()).rejects.toMatchObject(locked)
  })

  it('sends and signs for who has the password, locked or not', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const from = await funded(devnet, await ask(devnet, 'personal_newAccount', 'secret'))
    const wish = { from, ...PAYMENT }
    for (const method of ['personal_sendTransaction', 'personal_signTransaction']) {
      await expect(ask(devnet, method, wish, 'guess')).rejects.toMatchObject(wrong)
    }
    const raw = await ask<TransactionSerialized<'eip1559'>>(
      devnet,
      'personal_signTransaction',
      wish,
      'secret',
    )
    expect(parseTransaction(raw)).toMatchObject({ to: STRANGER, value: 5n, nonce: 0 })
    expect(await status(devnet, await ask(devnet, 'eth_sendRawTransaction', raw))).toMatchObject({ from })
    const hash = await ask(devnet, 'personal_sendTransaction', wish, 'secret')
    expect(await status(devnet, hash)).toMatchObject({ from, status: '0x1' })
  })

  it('may be one whose key nobody has', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const from = await funded(devnet, '0x000000000000000000000000000000000000a11c')
    expect(await ask(devnet, 'evm_addAccount', from, 'secret')).toBe(true)
    expect(await ask(devnet, 'evm_addAccount', from, 'secret')).toBe(false)
    await expect(ask(devnet, 'eth_sendTransaction', { from, ...PAYMENT })).rejects.toMatchObject(locked)
    await ask(devnet, 'personal_unlockAccount', from, 'secret')
    const hash = await ask(devnet, 'eth_sendTransaction', { from, ...PAYMENT })
    expect(await status(devnet, hash)).toMatchObject({ from, status: '0x1' })

    await expect(ask(devnet, 'evm_removeAccount', from, 'guess')).rejects.toMatchObject(wrong)
    expect(await ask(devnet, 'evm_removeAccount', from, 'secret')).toBe(true)
    expect(await ask(devnet, 'evm_removeAccount', from, 'secret')).toBe(false)
    await expect(ask(devnet, 'eth_sendTransaction', { from, ...PAYMENT })).rejects.toMatchObject(locked)
    await expect(ask(devnet, 'personal_unlockAccount', from, 'secret')).rejects.toMatchObject(locked)
    expect(await ask(devnet, 'personal_lockAccount', from)).toBe(false)
  })

  it('may be a development account, which any password opens', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const from = devnet.accounts[3]!.address
    await ask(devnet, 'personal_lockAccount', from)
    expect(await ask(devnet, 'eth_accounts')).not.toContain(from)
    await expect(ask(devnet, 'eth_sendTransaction', { from, ...PAYMENT })).rejects.toMatchObject(locked)
    await ask(devnet, 'personal_unlockAccount', from, 'anything')
    await ask(devnet, 'eth_sendTransaction', { from, ...PAYMENT })
  })

  it('goes into forks, and each then has its own', async () => {
    const devnet = await started()
    const made = await ask(devnet, 'personal_newAccount', 'secret')
    const fork = devnet.fork()
    await ask(fork, 'personal_unlockAccount', made, 'secret')
    await ask(fork, 'personal_newAccount', 'secret')
    expect(await ask(fork, 'personal_listAccounts')).toHaveLength(12)
    expect(await ask(devnet, 'personal_listAccounts')).toHaveLength(11)
    expect(await ask(devnet, 'eth_accounts')).not.toContain(made)
  })

  it.each([
    ['personal_newAccount', []],
    ['personal_newAccount', [5]],
    ['personal_importRawKey', [`0x${'00'.repeat(32)}`, '']],
    ['personal_importRawKey', [`0x${'ff'.repeat(32)}`, '']],
    ['personal_importRawKey', ['0x12', '']],
    ['personal_unlockAccount', [STRANGER]],
    ['personal_lockAccount', ['0x12']],
    ['personal_sendTransaction', [{}]],
    ['evm_addAccount', [STRANGER]],
  ])('is refused where the parameters are wrong: %s %j', async (method, params) => {
    await expect(ask(await started(), method, ...params)).rejects.toMatchObject({ code: -32602 })
  })
})
