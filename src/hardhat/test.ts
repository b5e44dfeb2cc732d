/** The hooks of test runs: gas and coverage reach the reports of Hardhat. */
import type { TestHooks } from 'hardhat/types/hooks'
import { clearHits, reportCoverage, reportGas, writeHits } from './measuring.ts'

export default async (): Promise<Partial<TestHooks>> => ({
  async onTestRunStart(context, id, next) {
    await next(context, id)
    clearHits(context, id)
  },
  // The figures of this process, in which tests ran. Hardhat writes them to a file next.
  async onTestWorkerDone(context, id, next) {
    await reportGas(context)
    writeHits(context, id)
    await next(context, id)
  },
  // All processes are done. Hardhat prints the report next.
  async onTestRunDone(context, id, next) {
    await reportCoverage(context, id)
    await next(context, id)
  },
})
