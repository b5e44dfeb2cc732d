/** Another chain id by hand: for code that runs, transactions that come and the questions about it, until it is taken back. */
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const HOME = '0x7a69'
/** CHAINID, as a word. */
const TELLS = '0x4660005260206000f3'
/** CHAINID into slot 0. */
const KEEPS = '0x46600055'

/** The chain id by each way to ask for it. */
async function seen(devnet: Devnet): Promise<Hex[]> {
  const told = await ask<Hex>(devnet, 'eth_call', { data: TELLS })
  const version = await ask<string>(devnet, 'net_version')
  const { chainId } = await ask<{ chainId: number }>(devnet, 'anvil_metadata')
  const ids = [BigInt(told), BigInt(version), BigInt(chainId)].map((id): Hex => `0x${id.toString(16)}`)
  return [await ask<Hex>(devnet, 'eth_chainId'), ...ids]
}

const everywhere = (chainId: Hex): Hex[] => Array.from({ length: 4 }, () => chainId)

/** Sends a transaction that viem has signed for the chain with this id. */
async function sendSignedFor(devnet: Devnet, chainId: number, nonce: number): Promise<Hex> {
  const account = privateKeyToAccount(devnet.accounts[1]!.privateKey)
  const fields = { to: STRANGER, nonce, gas: 21_000n, maxFeePerGas: 2n * 10n ** 9n } as const
  return ask(devnet, 'eth_sendRawTransaction', await account.signTransaction({ chainId, ...fields }))
}

describe('another chain id', () => {
  it('is what code, methods and simulations tell', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await seen(devnet)).toEqual(everywhere(HOME))
    await ask(devnet, 'anvil_setChainId', 5)
    expect(await seen(devnet)).toEqual(everywhere('0x5'))
    expect(await ask(devnet, 'eth_config')).toMatchObject({ current: { chainId: '0x5' } })
  })

  it('is what transactions have to be signed for from then on', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await sendSignedFor(devnet, 31_337, 0)
    await ask(devnet, 'anvil_setChainId', 5)
    await expect(sendSignedFor(devnet, 31_337, 1)).rejects.toMatchObject({
      message: expect.stringContaining('invalid chain ID: have 31337, want 5'),
    })
    const hash = await sendSignedFor(devnet, 5, 1)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    const from = devnet.accounts[0]!.address
    const own = await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER })
    expect(await ask(devnet, 'eth_getTransactionByHash', own)).toMatchObject({ chainId: '0x5' })
  })

  it('runs in blocks, and those of before are traced under theirs', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const from = devnet.accounts[0]!.address
    const deploy = async () => {
      const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, data: KEEPS, gas: '0x186a0' })
      const { contractAddress } = await ask<{ contractAddress: Hex }>(
        devnet,
        'eth_getTransactionReceipt',
        hash,
      )
      return { hash, kept: BigInt(await ask<Hex>(devnet, 'eth_getStorageAt', contractAddress, '0x0')) }
    }
    const before = await deploy()
    await ask(devnet, 'anvil_setChainId', 5)
    expect([before.kept, (await deploy()).kept]).toEqual([31_337n, 5n])
    const { structLogs } = await ask<{ structLogs: { stack: Hex[] }[] }>(
      devnet,
      'debug_traceTransaction',
      before.hash,
    )
    expect(structLogs[1]!.stack).toEqual([HOME])
  })

  it('is taken back with everything else', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const id = await ask(devnet, 'evm_snapshot')
    const mark = devnet.snapshot()
    await ask(devnet, 'anvil_setChainId', 5)
    await ask(devnet, 'evm_revert', id)
    expect(await seen(devnet)).toEqual(everywhere(HOME))
    await ask(devnet, 'anvil_setChainId', 6)
    await devnet.restore(mark)
    expect(await seen(devnet)).toEqual(everywhere(HOME))
    await ask(devnet, 'anvil_setChainId', 7)
    await ask(devnet, 'anvil_reset')
    expect(await seen(devnet)).toEqual(everywhere(HOME))
  })

  it('goes into forks, and each then has its own', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setChainId', 5)
    const fork = devnet.fork()
    await ask(devnet, 'anvil_setChainId', 6)
    expect(await seen(fork)).toEqual(everywhere('0x5'))
    expect(await seen(devnet)).toEqual(everywhere('0x6'))
    await fork.restore(devnet.snapshot())
    expect(await seen(fork)).toEqual(everywhere('0x6'))
    await fork.close()
  })

  it('leaves the genesis that others are given as it was', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const genesis = devnet.genesis()
    await ask(devnet, 'anvil_setChainId', 5)
    expect(devnet.genesis()).toEqual(genesis)
  })
})
