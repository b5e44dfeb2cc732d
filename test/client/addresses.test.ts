/** Addresses that a devnet gives out and takes: with a checksum (EIP-55), as viem's and ethers'. */
import { getAddress, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, clientOf, STRANGER, started } from '../support/clients/clients.ts'

const GOLD = { args: ['Gold', 'GOLD'] } as const

async function withToken() {
  const devnet = await started({ rhythm: 'manual' })
  const deployed = await devnet.deploy(Token, GOLD)
  return { devnet, deployed, token: { abi: Token.abi, address: deployed.address } as const }
}

describe('addresses have their checksum', () => {
  it('of accounts, contracts, receipts and logs', async () => {
    const { devnet, deployed, token } = await withToken()
    const [alice, bob] = devnet.accounts
    const { receipt, logs } = await devnet.write({ ...token, functionName: 'mint', args: [bob!.address, 5n] })
    for (const address of [
      alice!.address,
      deployed.address,
      deployed.receipt.from,
      deployed.receipt.contractAddress,
      receipt.to,
      receipt.logs[0]!.address,
      logs[0]!.address,
      (logs[0]!.args as { to: string }).to,
      (await devnet.impersonate(onWire(bob!.address))).address,
    ]) {
      expect(address).toBe(getAddress(address!))
      expect(address).not.toBe(onWire(address!))
    }
  })

  it('so that what viem reads is what the devnet says', async () => {
    const { devnet, token } = await withToken()
    const owner = devnet.accounts[0]!.address
    expect(await clientOf(devnet).readContract({ ...token, functionName: 'owner' })).toBe(owner)
    expect(await devnet.read({ ...token, functionName: 'owner' })).toBe(owner)
  })

  it('in errors, and their arguments', async () => {
    const { devnet, token } = await withToken()
    const thief = devnet.accounts[1]!.address
    const mint = devnet.write({ ...token, functionName: 'mint', args: [thief, 1n], from: thief })
    await expect(mint).rejects.toMatchObject({
      message: expect.stringContaining(thief),
      reason: { args: [thief] },
    })
    const nowhere = devnet.read({ ...token, address: onWire(thief), functionName: 'owner' })
    await expect(nowhere).rejects.toThrow(`there is no contract at ${thief}`)
  })

  it('and none on the wire', async () => {
    const { devnet, deployed } = await withToken()
    expect(await ask(devnet, 'eth_accounts')).toEqual(devnet.accounts.map(({ address }) => onWire(address)))
    expect(await ask(devnet, 'eth_getTransactionReceipt', deployed.hash)).toMatchObject({
      contractAddress: onWire(deployed.address),
    })
  })
})

describe('an address that is given', () => {
  const ABI = parseAbi(['function put(address who)'])
  const RIGHT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

  it.each([
    ['with its checksum', RIGHT],
    ['in lower case', onWire(RIGHT)],
    ['in upper case', `0x${RIGHT.slice(2).toUpperCase()}`],
  ])('is taken %s', async (_, address) => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.send({ to: address as `0x${string}`, value: 1n })
    await devnet.deal(address as `0x${string}`, { wei: 5n })
    expect(await ask(devnet, 'eth_getBalance', RIGHT)).toBe('0x5')
  })

  it('is refused with a wrong checksum, as by viem, and the right one is said', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const wrong = RIGHT.replace('f39F', 'f39f') as `0x${string}`
    const text = `expected an address whose checksum is right (EIP-55: ${RIGHT}), or one in lower case, got "${wrong}"`
    await expect(devnet.send({ to: wrong })).rejects.toThrow(`send: to: ${text}`)
    await expect(
      devnet.write({ abi: ABI, address: STRANGER, functionName: 'put', args: [wrong], gas: 100_000n }),
    ).rejects.toThrow(`write: put: args[0] (who): ${text}`)
  })
})
