/** What vitest tells a matcher, with what snapshots of gas need besides. */
import * as vitest from 'vitest'
import { type RunnerState, type SnapshotTask, taskOf } from '../gas/snapshots.ts'

/** What is used of vitest's runner. */
interface Runner {
  readonly currentTest: () => SnapshotTask | undefined
  readonly hooksOf: (suite: SnapshotTask) => { readonly afterAll: (() => Promise<void>)[] }
}

let runner: Runner | undefined = runnerIn(vitest)
// Before vitest 4.1 another module has it, which is there before the first test runs. Since then importing it warns.
if (runner === undefined) {
  void import('vitest/suite').then(({ getCurrentTest, getHooks }) => {
    runner = { currentTest: getCurrentTest, hooksOf: getHooks } as unknown as Runner
  })
}

function runnerIn(module: object): Runner | undefined {
  const { TestRunner } = module as { TestRunner?: { getCurrentTest: unknown; getSuiteHooks: unknown } }
  return (
    TestRunner && ({ currentTest: TestRunner.getCurrentTest, hooksOf: TestRunner.getSuiteHooks } as Runner)
  )
}

/**
 * Returns the state of a matcher for `toCostGas`. vitest 3 does not say which test runs. The `expect` of a test's context
 * does not have the state of snapshots, which is the same for all tests of a file.
 */
export function runnerState(state: RunnerState): RunnerState {
  const task = state.task ?? runner?.currentTest()
  const file = taskOf(task)?.file
  return {
    ...state,
    task,
    snapshotState: state.snapshotState ?? vitest.expect.getState().snapshotState,
    atFileEnd: file && (async (call) => void runner?.hooksOf(file).afterAll.push(call)),
  }
}
