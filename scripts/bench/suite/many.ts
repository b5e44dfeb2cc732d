/** A hundred tests, and the time of each. */
import { appendFileSync } from 'node:fs'
import { afterAll, test } from 'vitest'
import { type Client, type Deployed, transfer } from './body.ts'

/**
 * The report of a file: milliseconds of each test, those of its set-up and clean-up, and bytes in use at the end. Memory is measured
 * only in the first file and the last: a full collection frees compiled code, and the tests after it are slow again.
 */
export interface Told {
  readonly tests: readonly number[]
  readonly added: readonly number[]
  readonly bytes?: number
}

type Begin = () => Promise<{
  readonly deployed: Deployed
  readonly client: Client
  readonly end: () => Promise<unknown>
}>

const TESTS = 100

export function many(begin: Begin): void {
  const tests: number[] = []
  const added: number[] = []
  for (let i = 1; i <= TESTS; i++) {
    test(`a stranger gets ${i}`, async () => {
      const start = performance.now()
      const { deployed, client, end } = await begin()
      const begun = performance.now()
      await transfer(client, deployed, BigInt(i))
      const done = performance.now()
      await end()
      const ended = performance.now()
      tests.push(ended - start)
      added.push(begun - start + ended - done)
    })
  }
  afterAll(() => {
    files++
    const isWeighed = files === 1 || files === Number(process.env.FILES)
    const told: Told = { tests, added, ...(isWeighed ? { bytes: bytesInUse() } : {}) }
    appendFileSync(process.env.TOLD!, `${JSON.stringify(told)}\n`)
  })
}

/** Files that have run; all of them share this module. */
let files = 0

function bytesInUse(): number {
  for (let i = 0; i < 3; i++) globalThis.gc!()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
