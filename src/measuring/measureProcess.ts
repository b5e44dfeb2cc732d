/** Starts the measurements that a reporter in another process asks for, by variables of the environment. */

/** Starts measuring this process where `PRESEAL_GAS_FOLDER` or `PRESEAL_COVERAGE_FOLDER` is set. */
export function measureProcess(): Promise<void> | undefined {
  const { PRESEAL_GAS_FOLDER: gas, PRESEAL_COVERAGE_FOLDER: coverage } = globalThis.process?.env ?? {}
  return gas === undefined && coverage === undefined ? undefined : measureInto(gas, coverage)
}

async function measureInto(gas: string | undefined, coverage: string | undefined): Promise<void> {
  if (gas !== undefined) (await import('./gasOfProcess.ts')).measureProcess(gas)
  if (coverage !== undefined) (await import('./coverageOfProcess.ts')).collectProcess(coverage)
}
