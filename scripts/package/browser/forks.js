/** Forks in a page: of another devnet of the page, and of one of another process over HTTP and WebSocket. */
import { createDevnet } from 'preseal'
import { createWalletClient, custom, getContractAddress, http, publicActions } from 'viem'
import { expect } from './expect.js'
import { Shop } from './Shop.ts'

/** `url`: the HTTP URL of a devnet in another process. */
export async function forks(url) {
  const network = await createDevnet({ rhythm: 'manual', consoleLogs: false, chainId: 4242 })
  await sell(createWalletClient({ account: network.accounts[0].address, transport: custom(network) }))
  await network.mine()
  await goOn('a devnet of the page', { provider: network })
  await goOn('a devnet of the page, with proofs', { provider: network, proofs: true })
  const [account] = network.accounts
  await network.close()

  await sell(createWalletClient({ account: account.address, transport: http(url) }))
  await goOn('a node over HTTP', { url, headers: { 'X-Key': 'key' } })
  await goOn('a node over WebSocket', { url: url.replace('http', 'ws') })

  const cached = await createDevnet({ fork: { url, cache: 'network.jsonl' } }).catch((error) => error)
  expect('a file of a cache is refused in words', String(cached).includes('this platform has no file system'))
}

/** Opens a shop with three things on a network. */
function sell(client) {
  return client.deployContract({ ...Shop, args: [3n], chain: null })
}

/** Buys in the shop on a fork: the fork has the code and the storage of the network, and its own from then on. */
async function goOn(name, fork) {
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, fork: { block: 1, ...fork } })
  const account = devnet.accounts[1].address
  const client = createWalletClient({ account, transport: custom(devnet, { retryCount: 0 }) }).extend(
    publicActions,
  )
  const shop = { ...Shop, address: getContractAddress({ from: devnet.accounts[0].address, nonce: 0n }) }
  expect(`${name} has its chain id`, (await client.getChainId()) === 4242)
  const theirs = await client.getBlock({ blockNumber: 1n })
  expect(`${name} has its blocks`, theirs.transactions.length === 1)

  const hash = await client.writeContract({ ...shop, functionName: 'buy', args: [2n, 'here'], chain: null })
  await devnet.mine()
  const { status, blockNumber } = await client.getTransactionReceipt({ hash })
  expect(`${name} is gone on from`, status === 'success' && blockNumber === 2n)
  const refused = await client
    .simulateContract({ ...shop, functionName: 'buy', args: [2n, 'too many'] })
    .catch((error) => error)
  expect(`${name} has sold what was bought`, String(refused).includes('InsufficientStock'))
  await devnet.close()
}
