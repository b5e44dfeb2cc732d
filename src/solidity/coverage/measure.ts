/** Hits of a file's items: measured in each code, inferred for items without instructions. */

import { firstHits, functionHits, pathHits, plus } from './codeHits.ts'
import type { BranchItem, FunctionItem, StatementItem, Step } from './items.ts'
import type { Hits, MeasuredFile } from './measuredCode.ts'

/** Counts the items of one source file. Add each code, then call `settle`. */
export class Measure {
  readonly #functions: readonly FunctionItem[]
  readonly functions = new Map<FunctionItem, Hits>()
  readonly statements = new Map<StatementItem, Hits>()
  readonly branches = new Map<BranchItem, Hits[]>()

  constructor(functions: readonly FunctionItem[]) {
    this.#functions = functions
    for (const one of functions) this.#list(one)
  }

  #list(one: FunctionItem): void {
    this.functions.set(one, undefined)
    this.#listSteps(one.steps)
  }

  #listSteps(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'statement') {
        this.statements.set(step.statement, undefined)
        for (const branch of step.statement.branches) this.#listBranch(branch)
      } else if (step.kind === 'branch') {
        this.#listBranch(step.branch)
        for (const path of step.paths) this.#listSteps(path)
      } else if (step.kind === 'loop') this.#listSteps(step.body)
      else if (step.kind === 'assembly') {
        this.statements.set(step.statement, undefined)
        this.#listSteps(step.steps)
      } else this.#list(step.function)
    }
  }

  #listBranch(branch: BranchItem): void {
    this.branches.set(
      branch,
      branch.paths.map(() => undefined),
    )
  }

  add(code: MeasuredFile): void {
    for (const one of this.#functions) this.#addFunction(code, one)
  }

  #addFunction(code: MeasuredFile, one: FunctionItem): void {
    const entered = functionHits(code, one)
    this.functions.set(one, plus(this.functions.get(one), entered))
    this.#addSteps(code, one.steps, entered)
  }

  /**
   * Adds the hits of a block's steps. Optimizers merge equal code, so one piece's hits count for all: but
   * nothing ran behind a step that did not run.
   */
  #addSteps(code: MeasuredFile, steps: readonly Step[], entered: Hits): void {
    let before = entered
    for (const step of steps) {
      const possible = (hits: Hits): Hits => (before === 0 && hits !== undefined ? 0 : hits)
      if (step.kind === 'statement') {
        const { statement } = step
        const hits = possible(code.hitsIn(statement.range))
        this.statements.set(statement, plus(this.statements.get(statement), hits))
        before = hits ?? before
        for (const branch of statement.branches) this.#addBranch(branch, pathHits(code, branch).map(possible))
      } else if (step.kind === 'branch') {
        const inside = step.paths.map((path) => firstHits(code, path))
        const hits = pathHits(code, step.branch, inside).map(possible)
        this.#addBranch(step.branch, hits)
        for (const [i, path] of step.paths.entries()) this.#addSteps(code, path, hits[i])
      } else if (step.kind === 'loop') this.#addSteps(code, step.body, before === 0 ? 0 : undefined)
      else if (step.kind === 'assembly') {
        const { statement } = step
        const hits = possible(code.hitsIn(statement.range))
        this.statements.set(statement, plus(this.statements.get(statement), hits))
        this.#addSteps(code, step.steps, hits)
        before = hits ?? before
      } else this.#addFunction(code, step.function)
    }
  }

  #addBranch(branch: BranchItem, measured: readonly Hits[]): void {
    const paths = this.branches.get(branch)!
    for (const [i, hits] of measured.entries()) paths[i] = plus(paths[i], hits)
  }

  /**
   * Infers missing hits: steps before an executed one ran, too; steps without instructions ran if the step
   * before them did. Empty functions without instructions are dropped.
   */
  settle(): void {
    const hasRun = [...this.functions.values()].some((hits) => hits !== undefined)
    for (const one of this.#functions) {
      // An empty hook may leave no instructions.
      if (hasRun && one.steps.length === 0 && this.functions.get(one) === undefined)
        this.functions.delete(one)
      else this.#settleFunction(one)
    }
  }

  #settleFunction(one: FunctionItem): void {
    this.#settleAssembly(one.steps)
    const entered = this.functions.get(one)
    const ran = this.#settleSteps(one.steps, entered ?? 0)
    if (ran > 0 && !(entered! > 0)) this.functions.set(one, ran)
  }

  /** Counts assembly by its statements, or as one statement where code has ranges of the block only (IR). */
  #settleAssembly(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.kind === 'branch') for (const path of step.paths) this.#settleAssembly(path)
      else if (step.kind === 'loop') this.#settleAssembly(step.body)
      if (step.kind !== 'assembly') continue
      const isOne = this.statements.get(step.statement) !== undefined && !this.#isTold(step.steps)
      if (isOne) this.#forget(step.steps)
      else this.statements.delete(step.statement)
    }
  }

  /** Returns whether any statement in `steps` was measured. */
  #isTold(steps: readonly Step[]): boolean {
    return statementsIn(steps).some((one) => this.statements.get(one) !== undefined)
  }

  #forget(steps: readonly Step[]): void {
    for (const one of statementsIn(steps)) {
      this.statements.delete(one)
      for (const branch of one.branches) this.branches.delete(branch)
    }
    for (const step of steps) {
      if (step.kind === 'branch') {
        this.branches.delete(step.branch)
        for (const path of step.paths) this.#forget(path)
      } else if (step.kind === 'loop') this.#forget(step.body)
      else if (step.kind === 'function') {
        this.functions.delete(step.function)
        this.#forget(step.function.steps)
      }
    }
  }

  /** Settles the steps of a block entered `entered` times. Returns how often the first ran. */
  #settleSteps(steps: readonly Step[], entered: number): number {
    // Backwards: a step that ran implies the steps before it.
    let behind = 0
    for (const step of steps.toReversed()) behind = this.#backward(step, behind)
    let before = Math.max(entered, behind)
    for (const step of steps) before = this.#forward(step, before)
    return behind
  }

  /** Returns the least number of runs of a step; `behind`: runs of the step behind it. */
  #backward(step: Step, behind: number): number {
    switch (step.kind) {
      case 'statement':
        return this.#backStatement(step.statement, behind)
      case 'branch': {
        const paths = this.branches.get(step.branch)!
        let ran = behind
        for (const [i, path] of step.paths.entries()) {
          const inPath = this.#ranIn(path)
          if (inPath > 0 && !(paths[i]! > 0)) paths[i] = inPath
          ran ||= paths[i] ?? 0
        }
        return ran
      }
      case 'loop':
        return behind || this.#ranIn(step.body)
      case 'assembly':
        return this.#isOne(step)
          ? this.#backStatement(step.statement, behind)
          : this.#ranIn(step.steps) || behind
      case 'function':
        this.#settleFunction(step.function)
        return behind
    }
  }

  #backStatement(statement: StatementItem, behind: number): number {
    const hits = this.statements.get(statement)
    if (!(hits! > 0) && behind > 0 && !statement.isEnd) this.statements.set(statement, behind)
    return this.statements.get(statement) || behind
  }

  #isOne(step: Extract<Step, { kind: 'assembly' }>): boolean {
    return this.statements.has(step.statement)
  }

  /** Returns the measured runs of steps. */
  #ranIn(steps: readonly Step[]): number {
    let ran = 0
    for (const step of steps.toReversed()) ran = this.#backward(step, ran)
    return ran
  }

  /** Settles a step. `before`: runs of the step before it; returns possible runs of the one behind. */
  #forward(step: Step, before: number): number {
    switch (step.kind) {
      case 'statement': {
        const { statement } = step
        const hits = this.statements.get(statement) ?? before
        this.statements.set(statement, hits)
        for (const branch of statement.branches) this.#settleBranch(branch, hits)
        return statement.isEnd ? 0 : hits
      }
      case 'branch': {
        this.#settleBranch(step.branch, before)
        const paths = this.branches.get(step.branch)!
        for (const [i, path] of step.paths.entries()) this.#settleSteps(path, paths[i] ?? 0)
        return before
      }
      case 'loop':
        this.#settleSteps(step.body, 0)
        return before
      case 'assembly': {
        if (!this.#isOne(step)) return this.#settleSteps(step.steps, before) || before
        const hits = this.statements.get(step.statement) ?? before
        this.statements.set(step.statement, hits)
        return hits
      }
      case 'function':
        return before
    }
  }

  /** Settles unmeasured paths; `before`: runs of the branch. */
  #settleBranch(branch: BranchItem, before: number): void {
    const paths = this.branches.get(branch)!
    const known = paths.find((hits) => hits !== undefined)
    for (const [i, hits] of paths.entries())
      if (hits === undefined) paths[i] = untold(branch, i, known, before)
  }
}

/** Returns the inferred hits of path `i`; `known`: another path's hits. */
function untold({ kind }: BranchItem, i: number, known: Hits, before: number): number {
  switch (kind) {
    case 'if':
    case 'cond-expr':
      // The other way took the rest.
      return known === undefined ? 0 : Math.max(0, before - known)
    case 'binary-expr':
      // An operand without code is always evaluated.
      return before
    case 'require':
      return i === 1 ? before : 0
    default:
      return 0
  }
}

/** Returns the statements in steps, nested ones included. */
function statementsIn(steps: readonly Step[]): StatementItem[] {
  return steps.flatMap((step) => {
    if (step.kind === 'statement') return [step.statement]
    if (step.kind === 'branch') return step.paths.flatMap(statementsIn)
    if (step.kind === 'loop') return statementsIn(step.body)
    return statementsIn(step.kind === 'function' ? step.function.steps : step.steps)
  })
}
