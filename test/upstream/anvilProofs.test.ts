/** A fork of anvil with proofs. */
import { afterEach, expect, it, vi } from 'vitest'
import { spawnAnvil } from '../../scripts/anvil.ts'
import { toHex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'
import { assemble, creationOf } from '../support/compilers/assembly.ts'
import { isAnvilHere } from '../support/nodes/besideAnvil.ts'

const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

interface Receipt {
  readonly contractAddress: string
  readonly gasUsed: string
}

/** Sets the slot that its data names to the word after it. */
const STORE = assemble(32, 'CALLDATALOAD', 0, 'CALLDATALOAD', 'SSTORE', 'STOP')
const word = (value: number) => value.toString(16).padStart(64, '0')

it.skipIf(!isAnvilHere).each(['paris', 'cancun', 'osaka'] as const)(
  'of %s: the fork has the state roots that anvil has after the same transactions',
  async (hardfork) => {
    const anvil = (await spawnAnvil(['--hardfork', hardfork, '--chain-id', '987']))!
    ended.push(() => anvil.stop())
    const there = async (method: string, ...params: unknown[]) => {
      const response = await fetch(anvil.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const { result, error } = (await response.json()) as { result: unknown; error?: unknown }
      expect(error).toBeUndefined()
      return result
    }
    const [alice, bob] = (await there('eth_accounts')) as string[]
    const price = { gasPrice: '0x77359400', gas: '0x30000' }
    const mined = async (transaction: object) => {
      const hash = await there('eth_sendTransaction', transaction)
      return vi.waitUntil(() => there('eth_getTransactionReceipt', hash) as Promise<Receipt>, SOON)
    }
    const { contractAddress: store } = await mined({
      ...price,
      from: alice,
      data: toHex(creationOf(STORE)),
    })
    const write = (slot: number, value: number) => ({
      ...price,
      from: alice,
      to: store,
      data: `0x${word(slot)}${word(value)}`,
    })
    for (let slot = 0; slot < 12; slot++) await mined(write(slot, slot + 1))
    // Such slots stay in the tries of anvil: there the proof of zero is a leaf.
    await mined(write(5, 0))

    const fork = await createDevnet({
      rhythm: 'manual',
      accounts: 0,
      autoImpersonate: true,
      // The coinbase of anvil's blocks.
      coinbase: `0x${'00'.repeat(20)}`,
      fork: { url: anvil.url, proofs: true },
    })
    ended.unshift(() => fork.close())
    const transactions = [
      ...[3, 7, 9].map((slot) => write(slot, 77)),
      { ...price, from: alice, to: bob, value: '0x5' },
      { ...price, from: bob, to: `0x${'77'.repeat(20)}`, value: '0x5' },
      write(40, 9),
    ]
    // Since Prague the state has the hashes of the blocks before (EIP-2935), which are other ones here.
    for (const transaction of hardfork === 'osaka' ? transactions.slice(0, 1) : transactions) {
      const receipt = await mined(transaction)
      const { baseFeePerGas, timestamp, stateRoot } = (await there(
        'eth_getBlockByNumber',
        'latest',
        false,
      )) as Record<string, string>
      await ask(fork, 'evm_setNextBlockTimestamp', Number(timestamp))
      await ask(fork, 'anvil_setNextBlockBaseFeePerGas', baseFeePerGas)
      const ours = await ask<string>(fork, 'eth_sendTransaction', transaction)
      await fork.mine()
      const { gasUsed } = await ask<Receipt>(fork, 'eth_getTransactionReceipt', ours)
      expect(gasUsed).toBe(receipt.gasUsed)
      expect(await ask(fork, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ stateRoot })
    }
  },
)
