/** `preseal_findByPrefix`: hashes and addresses of the chain by their first and last digits. */
import { expect, it } from 'vitest'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface Found {
  readonly transactions: readonly string[]
  readonly blocks: readonly { readonly hash: string; readonly number: string }[]
  readonly addresses: readonly string[]
}

it('finds each of a thousand transactions and blocks by its first digits, and by its last', async () => {
  const devnet = await started({ rhythm: 'manual', finalizedDistance: 1_000 })
  const [from] = devnet.accounts.map(({ address }) => address)
  const find = (...params: string[]) => ask<Found>(devnet, 'preseal_findByPrefix', ...params)
  const sent: string[] = []
  for (let i = 0; i < 1_000; i++) {
    sent.push(await ask<string>(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1' }))
    if (i % 4 === 3) await devnet.mine()
  }
  for (const hash of [sent[0]!, sent[400]!, sent[999]!]) {
    expect(await find(hash.slice(0, 12))).toMatchObject({ transactions: [hash], blocks: [] })
    expect((await find(hash.slice(0, 5))).transactions).toContain(hash)
    expect(await find(hash.slice(0, 5), hash.slice(-6))).toMatchObject({ transactions: [hash] })
  }
  const { hash } = await ask<{ hash: string }>(devnet, 'eth_getBlockByNumber', '0x7', false)
  expect(await find(hash.slice(0, 12))).toMatchObject({ blocks: [{ hash, number: '0x7' }] })
  await ask(devnet, 'anvil_rollback', '0xf6')
  expect(await find(hash.slice(0, 12))).toMatchObject({ blocks: [] })
})

it('finds transactions that wait, are pre-confirmed or were dropped, and accounts', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const from = devnet.accounts[0]!.address.toLowerCase()
  const send = () => ask<string>(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1' })
  const find = (start: string) => ask<Found>(devnet, 'preseal_findByPrefix', start)
  const preconfirmed = await send()
  await devnet.tick()
  const dropped = await send()
  await ask(devnet, 'anvil_dropTransaction', dropped)
  const waiting = await send()
  for (const hash of [preconfirmed, dropped, waiting])
    expect((await find(hash.slice(0, 12))).transactions).toEqual([hash])
  expect((await find(from.slice(0, 8).toUpperCase().replace('0X', '0x'))).addresses).toEqual([from])
  await expect(find('0x12')).rejects.toThrow(/3 to 64 hex digits/)
})
