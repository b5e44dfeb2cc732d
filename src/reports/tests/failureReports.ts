/** Reports failed tests. The chains of a test are recorded from the beginning of the test. */
import type { Devnet } from '../../devnet/devnet.ts'
import type { FailureReports } from '../../testing/failureReports.ts'
import { RecordedChains } from './recordedChains.ts'
import { reportFolder } from './reportPath.ts'

/** The recorded chains of each running vitest test, by the test's devnet. */
const running = new WeakMap<Devnet, RecordedChains>()

export const failureReports: FailureReports = {
  areWanted: () => reportFolder(undefined) !== undefined,

  ofVitest(wanted) {
    const folder = reportFolder(wanted)
    if (folder === undefined) return undefined
    const chains = new RecordedChains()
    return {
      async begin(devnet) {
        await chains.begin(devnet)
        running.set(devnet, chains)
      },
      async write(test) {
        const { reportIfFailed } = await import('./vitestFailure.ts')
        await reportIfFailed(test, chains, folder)
      },
      end: async () => void (await chains.end()),
    }
  },

  async takeChain(devnet, test, chain) {
    const chains = running.get(devnet)
    if (chains === undefined) return
    const { takeIfFailed } = await import('./vitestFailure.ts')
    await takeIfFailed(test, chains, chain)
  },

  ofPlaywright() {
    const chains = new RecordedChains()
    return {
      begin: (devnet) => chains.begin(devnet),
      async write(test) {
        if (test.status === test.expectedStatus) return
        const { attachReports } = await import('./writeReports.ts')
        await attachReports(test, chains)
      },
      end: async () => void (await chains.end()),
    }
  },
}
