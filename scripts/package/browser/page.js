/**
 * A devnet in a page: the bundled package must work as on Node. The title of the page has the result:
 * success, or the error.
 */
import { createDevnet } from 'preseal'
import { createPublicClient, createWalletClient, custom, getContract, getContractAddress } from 'viem'
import { expect } from './expect.js'
import { forks } from './forks.js'
import { Shop } from './Shop.ts'

async function everything() {
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false })
  const said = []
  devnet.abis.add({ Shop })
  devnet.on('console', ({ text }) => said.push(text))
  const account = devnet.accounts[0].address

  const transport = custom(devnet, { retryCount: 0 })
  const wallet = createWalletClient({ account, transport })
  const client = createPublicClient({ transport })
  await wallet.deployContract({ ...Shop, args: [3n], chain: null })
  const address = getContractAddress({ from: account, nonce: 0n })
  await devnet.tick()
  const code = { address, blockTag: 'pending' }
  expect('code is pre-confirmed', (await client.getCode(code)) !== undefined)
  expect('code is not sealed yet', (await client.getCode({ address })) === undefined)
  await devnet.mine()
  expect('code is sealed', (await client.getCode({ address })) !== undefined)
  expect('console.log is heard', said.includes('opened with 3'))

  const shop = getContract({ ...Shop, address, client: { public: client, wallet } })
  const mark = devnet.snapshot()
  const fork = devnet.fork()
  await shop.write.buy([1n, 'in a browser'], { chain: null })
  await devnet.tick()
  const logs = { address, fromBlock: 'pending', toBlock: 'pending' }
  expect('a log is pre-confirmed', (await client.getLogs(logs)).length === 1)
  expect('a fork does not see it', (await fork.request(NUMBER)) === (await devnet.request(NUMBER)))
  await devnet.restore(mark)
  expect('it is gone after going back', (await client.getLogs(logs)).length === 0)

  const refused = await shop.simulate.buy([9n, 'too many']).catch((error) => error)
  expect('an error is decoded', String(refused).includes('InsufficientStock'))
  const refusal = await devnet.listen().catch((error) => error)
  expect('listening is refused in words', String(refusal).includes('a browser has no ports'))

  const own = await createDevnet({ rhythm: 'instant', mnemonic: WORDS })
  const [first] = own.accounts
  expect('an own mnemonic is read', first.address === '0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
  await own.request({ method: 'eth_sendTransaction', params: [{ from: first.address, to: first.address }] })
  expect('a block is made at once', Number(await own.request(NUMBER)) === 1)
  const copy = await createDevnet({ rhythm: 'manual' })
  await copy.load(own.dump())
  expect('a state file is written and read', (await copy.request(NUMBER)) === (await own.request(NUMBER)))

  for (const one of [devnet, fork, own, copy]) await one.close()
}

const NUMBER = { method: 'eth_blockNumber' }
/** Its first account is in the tests of many wallets. */
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

async function all() {
  await everything()
  await forks(new URLSearchParams(location.search).get('network'))
}

all().then(
  () => {
    document.title = 'done'
  },
  (error) => {
    document.title = `failed: ${error instanceof Error ? error.stack : error}`
  },
)
