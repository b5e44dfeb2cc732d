/** A fork of anvil: its block, hardforks and state. */
import { afterEach, expect, it } from 'vitest'
import { spawnAnvil } from '../../scripts/anvil.ts'
import { type Address, toHex } from '../../src/bytes/hex.ts'
import { connectUpstream } from '../../src/upstream/connection.ts'
import { openFork } from '../../src/upstream/openFork.ts'
import { assemble } from '../support/compilers/assembly.ts'
import { isAnvilHere } from '../support/nodes/besideAnvil.ts'

const SENDER: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const READER: Address = `0x${'12'.repeat(20)}`
const NOBODY: Address = `0x${'34'.repeat(20)}`

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

it.skipIf(!isAnvilHere).each(['prague', 'osaka'] as const)(
  'of %s: with one batch and an access list',
  async (hardfork) => {
    const anvil = (await spawnAnvil(['--hardfork', hardfork, '--chain-id', '987']))!
    ended.push(() => anvil.stop())
    const direct = connectUpstream({ url: anvil.url })
    // Reads slots 0 to 2 and the balance of an account.
    const code = assemble(0, 'SLOAD', 1, 'SLOAD', 2, 'SLOAD', NOBODY, 'BALANCE', 'STOP')
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
    const ask = async (method: string, ...params: unknown[]) => (await direct.send([{ method, params }]))[0]
    await ask('anvil_setCode', READER, toHex(code))
    for (const at of [0, 1, 2]) await ask('anvil_setStorageAt', READER, `0x${at}`, word(at + 7))
    await ask('anvil_mine', '0x3')
    const { point, schedule, network, upstream } = await openFork({ url: anvil.url })
    ended.push(
      () => direct.close(),
      () => upstream.close(),
    )
    expect(point).toMatchObject({ chainId: 987n, header: { number: 3n }, isVerified: true })
    const { state } = network
    expect((await schedule()).at(point.header).hardfork).toBe(hardfork)
    const call = { from: SENDER, to: READER, value: 0n, data: new Uint8Array() }
    const before = upstream.counts.asked
    await state.fetch(
      [
        { kind: 'account', address: SENDER },
        { kind: 'account', address: READER },
      ],
      call,
    )
    expect(state.account(SENDER)).toMatchObject({ balance: 10_000n * 10n ** 18n, nonce: 0n })
    expect(state.account(READER)).toMatchObject({ code })
    expect([0n, 1n, 2n].map((slot) => state.slot(READER, slot))).toEqual([7n, 8n, 9n])
    expect(state.account(NOBODY)).toBeUndefined()
    // Six for two accounts, the access list, three slots, and three for the account in the list.
    expect(upstream.counts.asked - before).toBe(13)
    await state.fetch([{ kind: 'blockHash', number: 1n }])
    expect(state.blockHash(1n)).toBe(
      ((await ask('eth_getBlockByNumber', '0x1', false)) as { result: { hash: string } }).result.hash,
    )
    expect(state.blockHash(2n)).toBe(point.header.parentHash)
  },
)
