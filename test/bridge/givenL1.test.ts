/** A devnet as the option `l1`. */
import { parseEther } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { bridged, derived, EPOCH, initiated, OP_ON_L1, proven, statusOf } from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

async function ethereum(options: DevnetOptions = {}): Promise<Devnet> {
  const l1 = await createDevnet({
    ...{ profile: 'ethereum', rhythm: 'manual', ticksPerBlock: 0, tickMs: 12_000, chainId: 1 },
    ...options,
  })
  onTestFinished(() => l1.close())
  return l1
}

describe('a devnet of Ethereum as the L1', () => {
  it('is the L1 of the L2, and keeps its contracts, blocks and accounts', async () => {
    const l1 = await ethereum({ accounts: 2 })
    const { address } = await l1.deploy(Token, { args: ['Gold', 'GLD'] })
    await l1.mine(2)
    const { l2 } = await bridged({ l1 })
    expect(l2.l1).toBe(l1)
    expect(l2.settings.l1).toMatchObject({ chainId: 1, tickMs: 12_000 })
    expect(await ask(l1, 'eth_getCode', address)).not.toBe('0x')
    expect(await ask(l1, 'eth_accounts')).toHaveLength(2)
    expect(l1.latest.header.number).toBe(3n)
    expect(await ask(l2, 'optimism_syncStatus')).toMatchObject({ unsafe_l2: { l1origin: { number: 3 } } })
  })

  it('has deposits and withdrawals', async () => {
    const pair = await bridged({ l1: await ethereum() })
    const { l1, l2, account, clientL1, clientL2 } = pair
    const deposit = await clientL2.buildDepositTransaction({ mint: parseEther('3'), to: STRANGER, account })
    await derived(l2, await clientL1.depositTransaction(deposit))
    expect(await clientL2.getBalance({ address: STRANGER })).toBe(parseEther('3'))
    const receipt = await initiated(pair)
    await l2.advance(EPOCH)
    await proven(pair, receipt)
    await l2.advance({ days: 7, minutes: 1 })
    expect(await statusOf(pair, receipt)).toBe('ready-to-finalize')
    expect(l1.latest.header.timestamp).toBeGreaterThan(0n)
  })

  it('gives the L2 its time, in which both then go on', async () => {
    const l1 = await ethereum({ timestamp: 2_000_000_000 })
    await l1.advance({ hours: 1 })
    const { l2 } = await bridged({ l1 })
    expect(l2.latest.header.timestamp).toBe(2_000_003_600n)
    const { number } = l1.latest.header
    await l2.advance({ seconds: 51 })
    expect(l1.latest.header.number).toBe(number + 4n)
  })

  it('returns to the block at which the L2 began when the L2 is reset, and is in its snapshots and forks', async () => {
    const l1 = await ethereum()
    await l1.mine(2)
    const pair = await bridged({ l1 })
    const { l2 } = pair
    const snapshot = l2.snapshot()
    await l2.advance({ minutes: 1 })
    await l2.restore(snapshot)
    expect(l1.latest.header.number).toBe(2n)
    await l2.advance({ minutes: 1 })
    const fork = l2.fork()
    await ask(l2, 'anvil_reset')
    expect(l1.latest.header.number).toBe(2n)
    await derived(
      l2,
      await pair.clientL1.depositTransaction(
        await pair.clientL2.buildDepositTransaction({ mint: 5n, to: STRANGER, account: pair.account }),
      ),
    )
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(5n)
    await ask(fork, 'anvil_reset')
    expect(fork.l1!.latest.header.number).toBe(2n)
    await fork.close()
  })

  it('keeps the contracts of the bridge when it is reset', async () => {
    const l1 = await ethereum()
    await l1.mine(2)
    await bridged({ l1 })
    await l1.mine()
    await ask(l1, 'anvil_reset')
    expect(l1.latest.header.number).toBe(2n)
    expect(await ask(l1, 'eth_getCode', OP_ON_L1.portal)).not.toBe('0x')
  })

  it('is closed with the L2', async () => {
    const l1 = await ethereum()
    const { l2 } = await bridged({ l1 })
    await l2.close()
    await expect(ask(l1, 'eth_blockNumber')).rejects.toThrow(/closed/)
  })

  it('is refused if it has slices, is an L2 or a fork, has an L2, or is closed', async () => {
    const refused = async (l1: Devnet, got: string) => {
      const expected =
        'option l1: expected a devnet of Ethereum with ticksPerBlock 0, which is no fork and has no L2, got '
      await expect(bridged({ l1 })).rejects.toThrow(`${expected}"${got}"`)
    }
    await refused(await ethereum({ ticksPerBlock: 60, tickMs: 200 }), 'a devnet with ticksPerBlock 60')
    await refused(await ethereum({ profile: 'op-flashblocks' }), 'an L2 with ticksPerBlock 0')
    const l1 = await ethereum()
    const fork = await ethereum({ chainId: undefined, fork: { provider: l1 } } as DevnetOptions)
    await refused(fork, 'a fork with ticksPerBlock 0')
    await bridged({ l1 })
    await refused(l1, 'the L1 of another L2')
    const closed = await ethereum()
    await closed.close()
    await refused(closed, 'a closed devnet')
  })

  it('is given to one of two L2s that are created at the same time', async () => {
    const l1 = await ethereum()
    const created = await Promise.allSettled([bridged({ l1 }), bridged({ l1 })])
    expect(created.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused with options that it decides, with a fork, and with an L2 that begins earlier', async () => {
    const l1 = await ethereum({ timestamp: 2_000_000_000 })
    await expect(bridged({ l1: { devnet: l1, chainId: 5 } })).rejects.toThrow(
      'option l1.chainId: expected nothing, because the devnet decides it, got 5',
    )
    await expect(
      bridged({ chainId: undefined, l1, fork: { provider: l1 } } as DevnetOptions),
    ).rejects.toThrow(/^option fork: expected nothing, because the L1 is a devnet/)
    await expect(bridged({ l1, timestamp: 1_999_999_999 })).rejects.toThrow(
      'option timestamp: expected 2000000000, the time of the L1, or later, got 1999999999',
    )
    await expect(bridged({ l1: { settings: {}, accounts: [] } as never })).rejects.toThrow(
      /^option l1: expected a devnet/,
    )
  })
})
