import { BrowserProvider } from 'ethers'
import { createDevnet } from 'preseal'
import { createPublicClient, createWalletClient, http } from 'viem'
import { expect, test } from 'vitest'

test('clients reach a devnet in one line', async () => {
  await using devnet = await createDevnet()
  const wallet = createWalletClient({ transport: devnet.transport() }) // viem, in process
  const provider = new BrowserProvider(devnet.provider) // ethers, and whatever takes a wallet (EIP-1193)
  const { url } = await devnet.listen({ port: 0 }) // HTTP and WebSocket, for all others
  const reader = createPublicClient({ transport: http(url) })

  expect(await wallet.getChainId()).toBe(31337)
  expect((await provider.getNetwork()).chainId).toBe(31337n)
  expect(await reader.getChainId()).toBe(31337)
  provider.destroy()
})
