import { createDevnet } from 'preseal'
import { createWalletClient, custom, parseAbi, parseEther, publicActions } from 'viem'
import { expect, test } from 'vitest'

// What the node answered once, committed beside the test.
const cache = 'test/examples/market.jsonl'
const fork = { url: 'https://rpc.example.org/key', block: 4, cache, offline: true }

const gold = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256)',
])

test('a test on a network needs no network', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  const [owner, trader] = devnet.accounts.map(({ address }) => address)
  const client = createWalletClient({ account: trader!, transport: custom(devnet) }).extend(publicActions)
  const token = { address: gold, abi } as const
  const ofOwner = await client.readContract({ ...token, functionName: 'balanceOf', args: [owner!] })

  const transfer = { ...token, functionName: 'transfer', args: [owner!, parseEther('90')] } as const
  await client.writeContract({ ...transfer, chain: null })
  await devnet.mine() // block 5, of the devnet alone
  const after = await client.readContract({ ...token, functionName: 'balanceOf', args: [owner!] })
  expect(after - ofOwner).toBe(parseEther('90'))
})

test('what was not recorded is named', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  const slot = devnet.request({ method: 'eth_getStorageAt', params: [gold, '0x7777', 'latest'] })
  await expect(slot).rejects.toThrow(
    /not recorded: eth_getStorageAt\(0x5fbdb.*7777, 0x4\).*run once without offline/,
  )
})
