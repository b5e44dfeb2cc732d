/** Requests on a fork that need nothing from the network, beside the same on a chain without a network. */
import { Token } from '../../../fixtures/contracts/Token.ts'
import type { Address } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import type { Effort, Work } from '../measure.ts'
import { type Goal, type Row, raced, type Thoroughness } from '../row.ts'
import { addressOf, dataOf, deploy, quantity, send } from '../scenario.ts'

const HOLDERS = 100
const GAS_LIMIT = 500_000_000n
const GOAL: Goal = { ratioAtMost: 1.1 }

export async function* unasked(thoroughness: Thoroughness): AsyncGenerator<Row> {
  // Many short rounds: the two differ by less than the machine does from one second to the next.
  const effort: Effort = thoroughness === 'full' ? { rounds: 101, roundMs: 5 } : { rounds: 5, roundMs: 4 }
  await using network = await createDevnet({ rhythm: 'manual', gasLimit: GAS_LIMIT })
  const token = await filled(network)
  const fork = { provider: network }
  await using forked = await createDevnet({ rhythm: 'manual', gasLimit: GAS_LIMIT, fork })
  await using without = network.fork()
  for (const { what, warm, work } of questions(token)) {
    for (const devnet of [forked, without]) await warm(devnet)
    const name = `${what}, on a fork of a network`
    yield await raced(name, work(forked), 'without a network', work(without), effort, GOAL)
  }
}

interface Question {
  readonly what: string
  /** Fetches or writes the values that `work` reads. */
  warm(devnet: Devnet): Promise<void>
  work(devnet: Devnet): Work
}

function questions(token: Address): Question[] {
  const holders = Array.from({ length: HOLDERS }, (_, i) => addressOf(i))
  const strangers = holders.map((_, i) => addressOf(1_000 + i))
  /** `what` begins with the method; its first parameter is `about` one of `owners`. */
  const asking = (what: string, owners: readonly Address[], about: (owner: Address) => unknown): Question => {
    const [method] = what.split(' ')
    const all = owners.map((owner) => ({ method, params: [about(owner), 'latest'] }) as never)
    return {
      what,
      async warm(devnet) {
        for (const one of all) await devnet.request(one)
      },
      work: (devnet) => (i) => devnet.request(all[i % all.length]!),
    }
  }
  const sending = (what: string, toOf: (i: number) => object, gas: number): Question => ({
    what,
    warm: async () => {},
    work(devnet) {
      const from = devnet.accounts[0]!.address
      return async (i) => {
        const params = [{ from, gas: quantity(gas), ...toOf(i) }]
        await devnet.request({ method: 'eth_sendTransaction', params } as never)
        await devnet.mine()
      }
    },
  })
  const ofToken = (owner: Address) => ({ to: token, data: dataOf(Token, 'balanceOf', [owner]) })
  return [
    asking('eth_getBalance of what was fetched', holders, (holder) => holder),
    asking('eth_call of what was fetched', holders, ofToken),
    sending('a transfer and its block', (i) => ({ to: strangers[i % HOLDERS], value: '0x1' }), 21_000),
    asking('eth_getBalance of what changed here', strangers, (stranger) => stranger),
    sending(
      'a transfer of tokens and its block',
      (i) => ({ to: token, data: dataOf(Token, 'transfer', [holders[i % HOLDERS], 1n]) }),
      100_000,
    ),
  ]
}

/** Deploys a token, and gives the first account and the holders some of it, and the holders ether. */
async function filled(network: Devnet): Promise<Address> {
  const [owner] = network.accounts.map(({ address }) => address)
  const token = await deploy(network, Token, ['Gold', 'GOLD'])
  const mint = (to: Address) =>
    send(network, { from: owner!, to: token, data: dataOf(Token, 'mint', [to, 10n ** 12n]), gas: 100_000 })
  await mint(owner!)
  for (let i = 0; i < HOLDERS; i++) {
    await mint(addressOf(i))
    await send(network, { from: owner!, to: addressOf(i), value: 1n, gas: 21_000 })
  }
  await network.mine()
  return token
}
