/** Plays random transactions and calls on a network and on forks of it, and expects the same of both. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import type { DevnetOptions } from '../../../src/index.ts'
import type { Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import { type Answer, type Question, quantity } from '../nodes/besideAnvil.ts'
import { type Random, withRandom } from '../random/random.ts'
import { BesideNetwork, type NetworkKind } from './besideNetwork.ts'
import { comparable, type Difference, expectSameBlock, OF_ANVIL } from './sameBlocks.ts'
import { Walk } from './walk.ts'

const OF_FORKS: readonly Difference[] = [
  {
    why: 'without proofs the state root of a fork stands in for a real one',
    isIn: (answer) => 'stateRoot' in answer,
    members: ['stateRoot'],
  },
]

/** A node takes no larger batches. */
const BATCH = 500
/** The blocks before the first fork: contracts, and their state. */
const BLOCKS_BEFORE = 12
/** The chance that the network is forked anew after a block: its state is cold again. */
const FORK_AGAIN = 0.05

/** Forks with proofs. */
export const PROVEN = { fork: { proofs: true } } as unknown as DevnetOptions

/** Returns a test body that plays `length` transactions, and as many calls. */
export function playBoth(
  kind: NetworkKind,
  hardfork: Hardfork,
  length: number,
  options: DevnetOptions = {},
): () => Promise<void> {
  return withRandom(async (random) => {
    // The development accounts stay as they are on the network, so that roots are the same where there are proofs.
    await using beside = await BesideNetwork.start(kind, hardfork, random, { accounts: 0, ...options })
    const walk = await Walk.start(random, hardfork, beside)
    for (let i = 0; i < BLOCKS_BEFORE; i++) await walk.mine(await walk.draw(8))
    await beside.fork()
    const ofForks = options.fork?.proofs === true ? [] : OF_FORKS
    const differences = [...ofForks, ...(kind === 'anvil' ? OF_ANVIL : [])]
    let played = 0
    while (played < length) {
      const transactions = await walk.draw(8)
      for (let i = 0; i < transactions.length; i++) await expectSameCall(random, beside, walk, kind)
      await walk.mine(transactions)
      const receipts = await expectSameBlock(random, beside, differences)
      if (kind === 'preseal') {
        await expectSame(
          beside,
          receipts.map(({ transactionHash }) => ({
            method: 'debug_traceTransaction',
            params: [transactionHash, random.pick(TRACERS)],
          })),
        )
      }
      played += transactions.length
      if (random.chance(FORK_AGAIN)) {
        await expectSameAccounts(beside)
        await beside.fork()
      }
    }
    await expectSameAccounts(beside)
  })
}

const TRACERS = [
  {},
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  { tracer: '4byteTracer' },
] as const

async function expectSameCall(
  random: Random,
  beside: BesideNetwork,
  walk: Walk,
  kind: NetworkKind,
): Promise<void> {
  const { from, to, data, value, gasLimit } = walk.mixture.call()
  const call = { from, to, data: toHex(data), value: quantity(value), gas: quantity(gasLimit) }
  if (kind === 'anvil') {
    const { ours, theirs } = await beside.ask({ method: 'eth_call', params: [call, 'latest'] })
    expect(ours.map(outcome)).toEqual(theirs.map(outcome))
    return
  }
  const question: Question = random.pick([
    { method: 'eth_call', params: [call, random.pick(['latest', 'pending'])] },
    { method: 'eth_call', params: [call, 'latest', { [from]: { balance: '0x7' } }] },
    { method: 'eth_estimateGas', params: [{ ...call, gas: undefined }] },
    { method: 'eth_createAccessList', params: [call, 'latest'] },
    { method: 'debug_traceCall', params: [call, 'latest', random.pick(TRACERS)] },
    { method: 'trace_call', params: [call, ['trace', 'stateDiff'], 'latest'] },
  ])
  await expectSame(beside, [question])
}

/** What a call returned or reverted with: nodes have their own words for errors. */
function outcome(answer: Answer): unknown {
  if ('result' in answer) return answer.result
  return { failed: true, data: answer.error.data ?? '0x' }
}

/** Expects the same answers. Those that differ are shown, with what was asked. */
async function expectSame(beside: BesideNetwork, questions: readonly Question[]): Promise<void> {
  const { ours, theirs } = await beside.ask(...questions)
  const plain = (answer: Answer) => ('result' in answer ? comparable(answer.result, OF_FORKS) : answer.error)
  const isSame = (index: number) => isDeepStrictEqual(plain(ours[index]!), plain(theirs[index]!))
  const differing = questions.flatMap((question, index) => (isSame(index) ? [] : [{ question, index }]))
  const shown = (answers: readonly Answer[]) =>
    differing.map(({ question, index }) => ({ question, answer: plain(answers[index]!) }))
  expect(shown(ours)).toEqual(shown(theirs))
}

async function expectSameAccounts(beside: BesideNetwork): Promise<void> {
  const questions = await beside.questionsOfAccounts()
  for (let at = 0; at < questions.length; at += BATCH) {
    await expectSame(beside, questions.slice(at, at + BATCH))
  }
}
