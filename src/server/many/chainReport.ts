/** Reports of chains that `serveChains` serves. These chains are recorded in memory from their beginning. */
import { record } from '../../recording/record.ts'
import { type BeginReport, ChainRefused } from './servedChain.ts'

export const beginReport: BeginReport = (devnet, name) => {
  /** The reason why the recording ended early, if it did. */
  let lost: string | undefined
  const recording = record(devnet, {
    onGiveWay(to) {
      lost = to === 'replay' ? 'a recording is played on it' : 'it is recorded by devnet.record'
    },
  })
  return async (title) => {
    if (lost !== undefined) throw new ChainRefused(409, `there is no report of ${name}: ${lost}`)
    const { ReportNotBuilt, reportOfDevnet } = await import('../../reports/reportDocument.ts')
    return reportOfDevnet(devnet, await recording, title).catch((error) => {
      throw error instanceof ReportNotBuilt ? new ChainRefused(404, error.message) : error
    })
  }
}
