/** Reports failed tests. The chains of a test are recorded from the beginning of the test. */
import type { Devnet } from '../../devnet/devnet.ts'
import type { FailureReport, FailureReports } from '../../testing/failureReports.ts'
import { RecordedChains, recordStory } from './recordedChains.ts'
import { reportFolder } from './reportPath.ts'

/** The recorded chains of each running test, keyed by the devnet of the test. */
const running = new WeakMap<Devnet, RecordedChains>()

export const failureReports: FailureReports = {
  areWanted: (wanted) => reportFolder(wanted) !== undefined,

  ofVitest(wanted) {
    const folder = reportFolder(wanted)
    if (folder === undefined) return undefined
    return reportOf(async (test, chains) => {
      const { reportIfFailed } = await import('./runners.ts')
      await reportIfFailed(test, chains, folder)
    })
  },

  async takeChain(devnet, test, chain) {
    const chains = running.get(devnet)
    if (chains === undefined) return
    const { takeIfFailed } = await import('./runners.ts')
    await takeIfFailed(test, chains, chain)
  },

  takeStory: recordStory,

  ofPlaywright: () =>
    reportOf(async (test, chains) => {
      if (test.status === test.expectedStatus) return
      const { attachReports } = await import('./runners.ts')
      await attachReports(test, chains)
    }),

  ofNodeTest() {
    const folder = reportFolder(process.env.PRESEAL_REPORT_ON_FAILURE ?? true)
    return reportOf(async (test, chains) => {
      if (test.passed !== false || folder === undefined) return
      const { reportNodeTest } = await import('./runners.ts')
      await reportNodeTest(test, chains, folder)
    })
  },
}

function reportOf<Test>(write: (test: Test, chains: RecordedChains) => Promise<void>): FailureReport<Test> {
  const chains = new RecordedChains()
  return {
    async begin(devnet) {
      await chains.begin(devnet)
      running.set(devnet, chains)
    },
    write: (test) => write(test, chains),
    end: async () => void (await chains.end()),
  }
}
