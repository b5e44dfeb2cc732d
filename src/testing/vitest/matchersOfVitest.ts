import * as vitest from 'vitest'
import { type CallSite, thrownAt } from '../../model/api/callSite.ts'
import { type RunnerState, type SnapshotTask, taskOf } from '../gas/snapshots.ts'
import { atTest, locatedBy, type Matcher, testSite, type Verdict, wrapped } from '../matchers/verdict.ts'

/**
 * Returns `matchers` for `expect.extend`. vitest creates the error of an asynchronous matcher in a `then` callback,
 * where the line of the test is lost. So each matcher returns an object whose own `then` method adds the line. The
 * object is a Promise, because vitest 3.0 checks the class, and fails tests that do not await a Promise.
 */
export function matchersOfVitest<All extends Readonly<Record<string, Matcher>>>(matchers: All): All {
  return wrapped(matchers, (matcher, name) => {
    return function called(this: State, ...all: unknown[]) {
      const site = testSite(called)
      const verdict = matcher.apply(runnerState(this), all)
      return Object.assign(Object.create(Promise.prototype), {
        // biome-ignore lint/suspicious/noThenProperty: the result is a thenable
        then: (judge: Judge) => {
          const judged = verdict.then(
            (value) => judgedAt(site, judge, value),
            (error) => {
              throw atTest(site, error)
            },
          )
          const { task, isNot, soft } = this
          // `expect.soft` itself awaits the matcher and records the failure.
          if (task === undefined || soft) return judged
          return requireAwait(judged, task, { site, text: `expect(…)${isNot ? '.not' : ''}.${name}(…)` })
        },
      })
    }
  }) as All
}

type Judge = (verdict: Verdict) => unknown

/** The members that vitest binds to `this` of a matcher. `task` is the running test, if any. */
interface State {
  readonly task?: Task | undefined
  readonly isNot?: boolean
  readonly soft?: boolean
}

async function judgedAt(site: CallSite, judge: Judge, verdict: Verdict): Promise<unknown> {
  try {
    return judge(verdict)
  } catch (error) {
    if (error instanceof Error) await locatedBy(verdict.where, error)
    throw thrownAt(site, error)
  }
}

interface Runner {
  readonly currentTest: () => SnapshotTask | undefined
  readonly hooksOf: (suite: SnapshotTask) => { readonly afterAll: (() => Promise<void>)[] }
}

let runner: Runner | undefined = runnerIn(vitest)
// Before vitest 4.1, `vitest/suite` (already loaded) exports the runner. Since 4.1, importing it prints a warning.
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

/** Returns the state for `toCostGas`. Adds the running test and the runner's snapshots, which vitest may omit. */
function runnerState(state: RunnerState): RunnerState {
  const task = state.task ?? runner?.currentTest()
  const file = taskOf(task)?.file
  return {
    ...state,
    task,
    snapshotState: state.snapshotState ?? vitest.expect.getState().snapshotState,
    atFileEnd: file && (async (call) => void runner?.hooksOf(file).afterAll.push(call)),
  }
}

/** The running test. vitest (3 and later) checks the assertions in `promises` at the end of the test. */
interface Task {
  promises?: PromiseLike<unknown>[]
}

interface MatcherCall {
  readonly site: CallSite
  readonly text: string
}

/** Returns a thenable. A test that does not await it fails, with the assertion's failure or an error about the call. */
function requireAwait(
  assertion: Promise<unknown>,
  task: Task,
  call: MatcherCall,
): PromiseLike<unknown> & Pick<Promise<unknown>, 'catch' | 'finally'> {
  let isAwaited = false
  // Without a handler, a rejection would end the process. `promises` makes the test fail in any case.
  assertion.catch(() => {})
  // At the end of a test vitest calls `then` of each element of `promises`, and fails the test if one rejects.
  task.promises ??= []
  const { promises } = task
  const atEnd = thenable(() =>
    isAwaited
      ? Promise.resolve()
      : // Removed from the list, because otherwise a retry of the test would fail, too.
        assertion.then(() => Promise.reject(notAwaited(call))).finally(() => remove(promises, atEnd)),
  )
  promises.push(atEnd)
  return thenable(() => {
    isAwaited = true
    remove(promises, atEnd)
    return assertion
  })
}

function remove(list: unknown[], item: unknown): void {
  const index = list.indexOf(item)
  if (index !== -1) list.splice(index, 1)
}

/** Returns a thenable that calls `promise` only when a callback is added to it. */
function thenable(promise: () => Promise<unknown>) {
  return {
    // biome-ignore lint/suspicious/noThenProperty: the result is a thenable
    then: ((...callbacks) => promise().then(...callbacks)) as Promise<unknown>['then'],
    catch: ((onRejected) => promise().catch(onRejected)) as Promise<unknown>['catch'],
    finally: ((onEnd) => promise().finally(onEnd)) as Promise<unknown>['finally'],
    [Symbol.toStringTag]: 'Promise',
  }
}

function notAwaited({ site, text }: MatcherCall): Error {
  return thrownAt(
    site,
    new Error(`${text} was not awaited, so the test did not wait for its result; write: await ${text}`),
  )
}
