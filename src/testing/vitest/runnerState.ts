/** What vitest tells a matcher, with what snapshots of gas need besides. */
import { expect } from 'vitest'
import { type RunnerState, type SnapshotTask, taskOf } from '../gas/snapshots.ts'

/**
 * Returns the state of a matcher for `toCostGas`. The `expect` of a test's context does not have the state of snapshots,
 * which is the same for all tests of a file.
 */
export function runnerState(state: RunnerState): RunnerState {
  const file = taskOf(state.task)?.file
  return {
    ...state,
    snapshotState: state.snapshotState ?? expect.getState().snapshotState,
    atFileEnd: file && ((call) => atFileEnd(file, call)),
  }
}

/** Has vitest call a function after the tests of a file. */
async function atFileEnd(file: SnapshotTask, call: () => Promise<void>): Promise<void> {
  const { TestRunner } = (await import('vitest')) as { TestRunner?: { getSuiteHooks: unknown } }
  // vitest 4.1 has moved it.
  const hooksOf = (TestRunner?.getSuiteHooks ?? (await import('vitest/suite')).getHooks) as HooksOf
  hooksOf(file).afterAll.push(call)
}

type HooksOf = (suite: SnapshotTask) => { readonly afterAll: (() => Promise<void>)[] }
