/**
 * What it costs to collect which code ran (coverage of Solidity): tests on forks with a deployed contract of their own, with
 * transactions and reads, beside the same tests without. The steps of each side are those of a suite without its test runner,
 * which would take part of both.
 */
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { collectRun } from '../../src/measuring/coverageOfDevnets.ts'
import { contest, ratio, summary } from './measure.ts'
import type { Row, Thoroughness } from './row.ts'

const EFFORTS = { full: { rounds: 9, tests: 200 }, quick: { rounds: 2, tests: 40 } } as const

export async function* coverage(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { rounds, tests } = EFFORTS[thoroughness]
  const base = await createDevnet({ rhythm: 'instant', consoleLogs: false })
  try {
    const [own, others] = await contest(
      [() => covered(() => play(base, tests)), () => timed(() => play(base, tests))],
      rounds,
    )
    const perTest = (times: readonly number[]) => times.map((time) => time / tests)
    yield {
      what: `${tests} tests of two deployments, eight transactions and eight reads, with coverage: one test`,
      ours: summary(perTest(own!)),
      unit: 'microseconds',
      peer: { name: 'without', timing: summary(perTest(others!)), ratio: ratio(own!, others!) },
      goals: [{ kind: 'ratioAtMost', ratio: 3 }],
    }
  } finally {
    await base.close()
  }
}

/** Microseconds with collecting, and with what is left for the reporter. */
function covered(work: () => Promise<void>): Promise<number> {
  return timed(async () => {
    const collection = collectRun()
    await work()
    collection.ran()
    collection.end()
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) * 1000
}

async function play(base: Devnet, tests: number): Promise<void> {
  for (let i = 0; i < tests; i++) {
    const devnet = base.fork()
    const [owner] = devnet.accounts
    const token = await devnet.deploy(Token, { args: [`Token ${i}`, 'T'] })
    const shop = await devnet.deploy(Shop, { args: [100n] })
    for (let n = 1n; n <= 4n; n++) {
      await devnet.write({ ...token, functionName: 'mint', args: [owner!.address, n] })
      await devnet.read({ ...token, functionName: 'balanceOf', args: [owner!.address] })
      await devnet.write({ ...shop, functionName: 'buy', args: [n, 'tea'] })
      await devnet.read({ ...token, functionName: 'totalSupply' })
    }
    await devnet.close()
  }
}
