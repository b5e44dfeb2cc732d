/** A session in which something of each kind happens that the page has words for: one chain, by a manual clock. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Devnet } from '../../../src/index.ts'
import { ask } from '../clients/clients.ts'
import { compiled } from '../compilers/solidity.ts'
import { ROOT } from '../docs/pages.ts'
import { BLOBS, signNaming, withBlobs } from './blobs.ts'

/** An account with code of which nothing but an ABI is known, by a name that was added. */
export const TILL = `0x${'7111'.repeat(10)}` as const

/** Compiles the contracts of the session, for the option `artifacts`. */
export function sessionArtifacts() {
  const sources = ['Shop', 'Token'].map((name) => {
    const file = `contracts/${name}.sol`
    return [file, readFileSync(join(ROOT, 'fixtures', file), 'utf8')]
  })
  const { input, output } = compiled(Object.fromEntries(sources))
  return { input, output }
}

/** What happened in the session: hashes of transactions, and addresses. */
export type Session = Awaited<ReturnType<typeof playSession>>

/**
 * Plays the session on a devnet with `sessionArtifacts`. It is left with an open block of two slices, one transaction that the next slice
 * takes, and one that waits for others.
 */
export async function playSession(devnet: Devnet) {
  const [seller, buyer, hasty, late] = devnet.accounts as readonly [Account, Account, Account, Account]
  const send = (fields: object) =>
    ask<Hex>(devnet, 'eth_sendTransaction', { from: seller.address, ...fields })
  const call = async (contract: object, functionName: string, ...args: unknown[]): Promise<Hex> => {
    const asked = { ...contract, functionName, args, gas: 3_000_000n, until: 'accepted' }
    return ((await devnet.write(asked as never)) as { hash: Hex }).hash
  }
  const deploy = async (name: string, args: unknown[]) =>
    (await devnet.deploy(name, { args } as never)) as { readonly address: Hex; readonly hash: Hex }
  const toBuyer = { to: buyer.address, value: '0x1' }

  const before = await ask(devnet, 'evm_snapshot')
  await send(toBuyer)
  await devnet.mine()
  await ask(devnet, 'evm_revert', before)

  const shop = await deploy('Shop', [3n])
  const token = await deploy('Token', ['Gold', 'GOLD'])
  await call(token, 'mint', seller.address, 500n)
  await devnet.tick()
  const transfer = await send({ ...toBuyer, value: '0xde0b6b3a7640000' })
  const paid = await call(token, 'transfer', buyer.address, 20n)
  const sold = await call(shop, 'buy', 2n, '<b>the first</b>')
  await devnet.tick()
  const failed = await call(shop, 'buy', 9n, 'all')
  await devnet.mine()
  const busiest = Number(await ask(devnet, 'eth_blockNumber'))

  const removed = await send({ ...toBuyer, from: hasty.address })
  await ask(devnet, 'anvil_dropTransaction', removed)
  const cheap = await send({ ...toBuyer, from: hasty.address, nonce: '0x0', gasPrice: '0x77359400' })
  await send({ ...toBuyer, from: hasty.address, nonce: '0x0', gasPrice: '0x174876e800' })
  await devnet.mine()
  await send({ ...toBuyer, from: late.address })
  await devnet.mine()
  const { hash: lost } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
  await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'drop' })

  await ask(devnet, 'anvil_setCode', TILL, '0x00')
  await ask(devnet, 'anvil_setBalance', TILL, '0x1234')
  devnet.abis.add(['function open()'], { name: 'Till', address: TILL })
  await ask(devnet, 'preseal_addFault', { kind: 'omitSlice' })
  const chainId = Number(await ask(devnet, 'eth_chainId'))
  const blobs = BLOBS.slice(0, 1)
  const named = signNaming(hasty as never, blobs, { chainId: BigInt(chainId), nonce: 1n })
  const blob = await ask<Hex>(devnet, 'eth_sendRawTransaction', withBlobs(named, blobs, 1))
  const delegating = privateKeyToAccount(late.privateKey)
  const authorizationList = [
    await delegating.signAuthorization({ chainId, contractAddress: shop.address, nonce: 0 }),
  ]
  const fees = { gas: 100_000n, maxFeePerGas: 10_000_000_000n }
  const delegation = await privateKeyToAccount(buyer.privateKey).signTransaction({
    ...{ chainId, nonce: 0, ...fees, to: buyer.address as Hex, authorizationList },
  })
  const delegated = await ask<Hex>(devnet, 'eth_sendRawTransaction', delegation)
  await devnet.mine()

  await send(toBuyer)
  await devnet.tick()
  const open = await call(shop, 'buy', 1n, 'the last')
  await devnet.tick()
  const waiting = await send(toBuyer)
  await send({ ...toBuyer, nonce: '0x64' })
  return {
    ...{ transfer, paid, sold, failed, removed, cheap, blob, delegated, open, waiting, lost, busiest },
    ...{ shop: shop.address, token: token.address, seller: seller.address, delegating: delegating.address },
  }
}

interface Account {
  readonly address: string
  readonly privateKey: Hex
}
