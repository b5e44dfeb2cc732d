/** The contracts of a recorded session for its report: those of artifacts and of the recording that the session has when it is played again. */
import { stat } from 'node:fs/promises'
import { replay } from '../devnet/replay.ts'
import { InvalidOption } from '../options/invalidOption.ts'
import type { DevnetOptions } from '../options/options.ts'
import { parseOptions } from '../options/parseOptions.ts'
import { InvalidRecording } from '../recording/invalidRecording.ts'
import { artifactsOf, contractsOf, type ReportContracts } from '../reports/reportContracts.ts'
import { reportArtifacts } from './artifacts.ts'
import { type ProgressManner, progressOfReading } from './progress.ts'

/**
 * Resolves to the contracts of the recording `file` that `artifacts` have, by default those of the project in the working folder, or that
 * were added to the recorded devnet, if it `hasAbis`; to `undefined` where there are none. Of a recording that cannot be played it resolves to
 * `undefined` too, and `warn` is told why. Throws `InvalidOption`.
 */
export async function contractsOfSession(
  file: string,
  { artifacts, hasAbis }: { readonly artifacts: DevnetOptions['artifacts']; readonly hasAbis: boolean },
  manner: ProgressManner,
  warn: (text: string) => void,
): Promise<ReportContracts | undefined> {
  const known = artifactsOf(parseOptions({ artifacts }).artifacts, warn)
  await reportArtifacts({ artifacts: known }, manner)
  if (!(await known.load()) && !hasAbis) return undefined
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`playing ${file}`, file, size, manner)
  let contracts: ReportContracts | undefined
  try {
    // Another engine has the same results, and takes longer.
    await replay(source, {
      options: { engine: 'wasm', artifacts },
      look: async (devnet) => {
        contracts = await contractsOf(devnet, { library: known.known })
      },
    })
  } catch (error) {
    if (!(error instanceof InvalidRecording || error instanceof InvalidOption)) throw error
    warn(`contracts have no names in the report: the recording cannot be played: ${error.message}`)
  } finally {
    progress.end()
  }
  return contracts
}
