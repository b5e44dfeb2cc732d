/** Measures the gas of this process for a reporter in another one: `PRESEAL_GAS_FOLDER` names where the figures are left. */
import { measureGas } from './gasOfDevnets.ts'
import { leaveAtExit } from './leftByProcess.ts'

let leave: (() => Promise<void>) | undefined

/** Begins to measure, at the first call; the figures are written to `folder` when the process ends. */
export function measureProcess(folder: string): void {
  if (leave !== undefined) return
  const { figures, loadArtifacts } = measureGas()
  leave = leaveAtExit(folder, { load: loadArtifacts, json: () => JSON.stringify(figures()) })
}

/** Writes what this process has measured so far, if it measures. */
export async function writeMeasured(): Promise<void> {
  await leave?.()
}
