/** Which chains of a test are recorded: those that it makes, from their beginning. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Devnet, replay } from '../../src/index.ts'
import { MOST_CHAINS, RecordedChains } from '../../src/reports/tests/recordedChains.ts'
import { writeReports } from '../../src/reports/tests/runners.ts'
import { ask, started } from '../support/clients/clients.ts'

function begun(): RecordedChains {
  const chains = new RecordedChains()
  onTestFinished(async () => void (await chains.end()))
  return chains
}

/** The methods that each chain was asked, when it is played again. */
async function asked(chains: RecordedChains) {
  const all = await chains.end()
  return Promise.all(
    all.map(async (chain) => {
      if (chain.kind !== 'here')
        throw new Error(`expected a chain with a recording, got one of kind ${chain.kind}`)
      const { text } = chain.recording
      expect((await replay(text)).difference).toBeUndefined()
      return [...text.matchAll(/"method":"(\w+)"/g)].map(([, method]) => method)
    }),
  )
}

const manual = () => started({ rhythm: 'manual' })

describe('the chains of a test', () => {
  it('are its devnet, forks, and what it makes: from the beginning, also of those that are closed', async () => {
    const chains = begun()
    const devnet = await manual()
    await chains.begin(devnet)
    await ask(devnet, 'eth_chainId')
    const fork = devnet.fork()
    await ask(fork, 'eth_accounts')
    await fork.close()
    const made = await manual()
    await ask(made, 'eth_blockNumber')
    const forkOfFork = made.fork().fork()
    await ask(forkOfFork, 'eth_gasPrice')
    expect(await asked(chains)).toEqual([
      ['eth_chainId'],
      ['eth_accounts'],
      ['eth_blockNumber'],
      [],
      ['eth_gasPrice'],
    ])
  })

  it('are not those on which a fixture is built, nor those of others', async () => {
    const chains = begun()
    const ofFixture = await manual()
    const devnet = ofFixture.fork()
    await chains.begin(devnet)
    ofFixture.fork()
    expect(await chains.end()).toHaveLength(1)
    devnet.fork()
    await manual()
    expect(await chains.end()).toEqual([])
  })

  it('are told apart by their origin where several tests run', async () => {
    const [one, other] = [begun(), begun()]
    const [first, second] = [await manual(), await manual()]
    await one.begin(first)
    await other.begin(second)
    await ask(first.fork(), 'eth_chainId')
    await ask(second.fork(), 'eth_accounts')
    // Nobody can tell whose this is.
    await manual()
    expect(await asked(one)).toEqual([[], ['eth_chainId']])
    expect(await asked(other)).toEqual([[], ['eth_accounts']])
  })

  it('are not those of replays', async () => {
    const recorded = await manual()
    const { text } = await recorded.record()
    const chains = begun()
    await chains.begin(await manual())
    await replay(text)
    expect(await chains.end()).toHaveLength(1)
  })

  it('are as many as reports can be looked at', async () => {
    const chains = begun()
    const devnet: Devnet = await manual()
    await chains.begin(devnet)
    for (let count = 0; count < MOST_CHAINS + 2; count++) devnet.fork()
    expect(chains.leftOut).toBe(3)
    expect(await chains.end()).toHaveLength(MOST_CHAINS)
  })
})

it('a chain that the test records itself has no report, and that is said', async () => {
  const chains = begun()
  const devnet = await manual()
  await chains.begin(devnet)
  await devnet.record()
  expect(
    await writeReports(chains, { names: ['a test'], file: 'test', errors: [] }, async () => 'file'),
  ).toEqual({
    written: [],
    problems: ['no preseal report: the test records it itself (devnet.record)'],
  })
})
