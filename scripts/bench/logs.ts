/**
 * eth_getLogs over a long chain: 50 logs in each block, asked in process for at most 20 of them, and for all.
 *
 * Two contracts emit in each block, one always with one topic and one with the other. In one block of a hundred a third
 * contract emits, a third topic occurs, and the first contract uses the second's topic: the last is the hard
 * question, for contract and topic stand in every block and the blocks have to be looked through.
 */

import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import type { Address, Hex } from '../../src/model/hex.ts'
import { type Effort, race } from './measure.ts'
import type { Goal, Row, Thoroughness } from './row.ts'
import { addressOf, dataOf, deploy, send, topicOf } from './scenario.ts'

const LOGS_PER_BLOCK = 50
const RARELY = 100
const TOPICS = { first: topicOf(addressOf(1)), second: topicOf(addressOf(2)), rare: topicOf(addressOf(3)) }

export async function* logs(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 15, roundMs: 40 } : { rounds: 5, roundMs: 4 }
  const blocks = thoroughness === 'full' ? 2_000 : 200
  const { devnet, from, to, first, rare } = await chainOf(blocks)
  const all = blocks * LOGS_PER_BLOCK
  const few = blocks / RARELY
  const goals: Goal[] = [{ kind: 'under', microseconds: 5_000 }]
  const range = { fromBlock: from, toBlock: to }
  const questions: [what: string, hits: number, filter: object, goals: Goal[]][] = [
    ['by a rare address', few, { address: rare }, goals],
    ['by a rare topic', few, { topics: [null, TOPICS.rare] }, goals],
    ['by an address and a rare topic', few, { address: first, topics: [null, TOPICS.rare] }, goals],
    [
      'by an address and a topic of each block',
      few,
      { address: first, topics: [null, TOPICS.second] },
      goals,
    ],
    ['without hits', 0, { address: addressOf(0) }, goals],
    ['all logs', all, {}, []],
  ]
  for (const [what, hits, criteria, aim] of questions) {
    const params = [{ ...range, ...criteria }]
    const answer = (await devnet.request({ method: 'eth_getLogs', params })) as unknown[]
    if (answer.length !== hits) throw new Error(`${what}: expected ${hits} logs, got ${answer.length}`)
    const { timings } = await race([() => devnet.request({ method: 'eth_getLogs', params })], effort)
    yield {
      what: `${what}: ${hits.toLocaleString('en')} of ${all.toLocaleString('en')} logs in ${blocks.toLocaleString('en')} blocks`,
      ours: timings[0]!,
      unit: 'microseconds',
      goals: aim,
    }
  }
}

/** A chain with `blocks` blocks of 50 logs each, from block `from` to block `to`. */
async function chainOf(blocks: number) {
  const devnet = await createDevnet({ rhythm: 'manual', logRangeLimit: 0, logResultLimit: 0 })
  const first = await deploy(devnet, Emitter)
  const second = await deploy(devnet, Emitter)
  const rare = await deploy(devnet, Emitter)
  const emit = (to: Address, functionName: string, args: unknown[]) => {
    const data = dataOf(Emitter, functionName, args)
    return send(devnet, { from: devnet.accounts[0]!.address, to, data, gas: 300_000 })
  }
  const from = await blockNumber(devnet)
  for (let block = 0; block < blocks; block++) {
    const isRare = block % RARELY === 0
    await emit(first, 'emitMany', [isRare ? 22 : 25, TOPICS.first])
    await emit(second, 'emitMany', [25, TOPICS.second])
    if (isRare) {
      await emit(rare, 'log2', [TOPICS.first, '0x'])
      await emit(first, 'log2', [TOPICS.rare, '0x'])
      await emit(first, 'log2', [TOPICS.second, '0x'])
    }
    await devnet.mine()
  }
  const next: Hex = `0x${(BigInt(from) + 1n).toString(16)}`
  return { devnet, from: next, to: await blockNumber(devnet), first, rare }
}

async function blockNumber(devnet: Devnet): Promise<Hex> {
  return (await devnet.request({ method: 'eth_blockNumber' })) as Hex
}
