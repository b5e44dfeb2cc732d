import { COVERAGE_FOLDER, GAS_FOLDER, writeResultAtExit } from './results.ts'

/** Starts to measure this process if `PRESEAL_GAS_FOLDER` or `PRESEAL_COVERAGE_FOLDER` is set. */
export function measureProcess(): Promise<void> | undefined {
  const { [GAS_FOLDER]: gas, [COVERAGE_FOLDER]: coverage } = globalThis.process?.env ?? {}
  return gas === undefined && coverage === undefined ? undefined : measureInto(gas, coverage)
}

async function measureInto(gas: string | undefined, coverage: string | undefined): Promise<void> {
  if (gas !== undefined) {
    const { measureGas } = await import('./gas.ts')
    writeResultAtExit(GAS_FOLDER, gas, measureGas)
  }
  if (coverage !== undefined) {
    const { measureCoverage } = await import('./coverage.ts')
    writeResultAtExit(COVERAGE_FOLDER, coverage, () => measureCoverage(coverage))
  }
}
