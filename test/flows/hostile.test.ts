/**
 * The most hostile requests (`npm run soak -- hostile` has all of them, and measures in real time): none holds the event loop for
 * longer than a slice and a bit. Measured as time of the processor between two turns, so that a busy machine changes nothing.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { HOSTILE } from '../../scripts/soak/hostileRequests.ts'
import { createDevnet } from '../../src/index.ts'

/** Far more than the 25 ms of a slice, and far less than any of these took in one piece: seconds. */
const MOST_CPU_MS = 1_500

/** Those that are prepared in no time and are no single run of a precompile, which nothing cuts. */
const NAMES = [
  'a loop',
  'EXTCODEHASH',
  'TSTORE',
  'calls to itself',
  'hashes of a megabyte',
  'an estimate that depends on gas',
  'an access list that depends on gas',
  'structLogs of a loop',
  'callTracer of a loop',
  'callTracer of calls',
  'prestateTracer of a loop',
  'BN254 pairing, many',
  'a batch of 1,000 loops',
  '1,000 ids that are not exact, in 5 MB',
  '300,000 structs of typed data',
  'a chain of 60,000 types',
  '2.4 million levels of JSON',
  'anvil_mine of 30,000 blocks',
  'evm_mine_detailed of 20,000 blocks',
  'eth_simulateV1 of 256 blocks of loops',
]

describe('a hostile request', () => {
  it.each(NAMES)('lets others have their turn (%s)', async (name) => {
    const devnet = await createDevnet({ requestTimeoutMs: 300 })
    const request = HOSTILE.find((one) => one.name === name)!
    const body = await request.body((method, params) => devnet.request({ method, params }))
    let isAnswered = false
    const answering = Promise.resolve()
      .then(() => devnet.respond(body))
      .finally(() => {
        isAnswered = true
      })
    let mostMs = 0
    while (!isAnswered) {
      const before = process.cpuUsage()
      await turn()
      const { user, system } = process.cpuUsage(before)
      mostMs = Math.max(mostMs, (user + system) / 1_000)
    }
    expect(await answering).toMatch(/^[[{].*[\]}]$/s)
    expect(mostMs).toBeLessThan(MOST_CPU_MS)
    await devnet.close()
  })
})
