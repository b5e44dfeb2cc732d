/** Counts the hits of a source file's items: measured in each bytecode, and inferred for items without instructions. */

import type { SourceRange } from '../source/instructions.ts'
import { allSteps, type BranchItem, type FunctionItem, type StatementItem, type Step } from './items.ts'
import type { Hits, JumpOutcome, MeasuredFile } from './measuredCode.ts'

/** The hits of the items of one source file. Call `settle` after the last code has been added. */
export class Measure {
  readonly #functions: readonly FunctionItem[]
  readonly functions = new Map<FunctionItem, Hits>()
  readonly statements = new Map<StatementItem, Hits>()
  readonly branches = new Map<BranchItem, Hits[]>()

  constructor(functions: readonly FunctionItem[]) {
    this.#functions = functions
    for (const one of functions) {
      this.functions.set(one, undefined)
      for (const step of allSteps(one.steps)) {
        if (step.kind === 'function') this.functions.set(step.function, undefined)
        if ('statement' in step) this.statements.set(step.statement, undefined)
        for (const branch of branchesOf(step))
          this.branches.set(branch, new Array(branch.paths.length).fill(undefined))
      }
    }
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
   * Adds the hits of a block's steps. Steps after an unexecuted step count as unexecuted, because the compiler may
   * have merged their code with equal code that ran.
   */
  #addSteps(code: MeasuredFile, steps: readonly Step[], entered: Hits): void {
    let before = entered
    const possible = (hits: Hits): Hits => (before === 0 && hits !== undefined ? 0 : hits)
    for (const step of steps) {
      switch (step.kind) {
        case 'statement':
        case 'assembly': {
          const { statement } = step
          const hits = possible(code.hitsIn(statement.range))
          this.statements.set(statement, plus(this.statements.get(statement), hits))
          before = hits ?? before
          for (const branch of statement.branches)
            this.#addBranch(branch, pathHits(code, branch).map(possible))
          for (const block of step.blocks) this.#addSteps(code, block, hits)
          break
        }
        case 'branch': {
          const inside = step.blocks.map((path) => firstHits(code, path))
          const hits = pathHits(code, step.branch, inside).map(possible)
          this.#addBranch(step.branch, hits)
          for (const [i, path] of step.blocks.entries()) this.#addSteps(code, path, hits[i])
          break
        }
        case 'loop':
          this.#addSteps(code, step.blocks[0], before === 0 ? 0 : undefined)
          break
        case 'function':
          this.#addFunction(code, step.function)
      }
    }
  }

  #addBranch(branch: BranchItem, measured: readonly Hits[]): void {
    const paths = this.branches.get(branch)!
    for (const [i, hits] of measured.entries()) paths[i] = plus(paths[i], hits)
  }

  /** Infers missing hits from neighbouring steps. Drops empty functions without instructions. */
  settle(): void {
    const hasRun = [...this.functions.values()].some((hits) => hits !== undefined)
    for (const one of this.#functions) {
      // The compiler may remove an empty function.
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

  /** Counts assembly by its statements, or as one statement if the code has no source ranges inside it (via IR). */
  #settleAssembly(steps: readonly Step[]): void {
    for (const step of allSteps(steps)) {
      if (step.kind !== 'assembly') continue
      const inner = [...allSteps(step.blocks[0])]
      const isMeasured = inner.some(
        (one) => 'statement' in one && this.statements.get(one.statement) !== undefined,
      )
      if (isMeasured || this.statements.get(step.statement) === undefined)
        this.statements.delete(step.statement)
      else for (const one of inner) this.#forget(one)
    }
  }

  #forget(step: Step): void {
    if ('statement' in step) this.statements.delete(step.statement)
    if (step.kind === 'function') this.functions.delete(step.function)
    for (const branch of branchesOf(step)) this.branches.delete(branch)
  }

  /** Infers the hits in a block that was entered `entered` times. Returns how often its first step ran. */
  #settleSteps(steps: readonly Step[], entered: number): number {
    const behind = this.#ranIn(steps)
    let before = Math.max(entered, behind)
    for (const step of steps) before = this.#forward(step, before)
    return behind
  }

  /** Returns the minimum number of runs of a block's first step. If a step ran, the steps before it ran, too. */
  #ranIn(steps: readonly Step[]): number {
    return steps.reduceRight((behind, step) => this.#backward(step, behind), 0)
  }

  /** Adds hits to a step if the next step, which ran `behind` times, proves them. Returns the step's proven hits. */
  #backward(step: Step, behind: number): number {
    switch (step.kind) {
      case 'statement':
        return this.#backStatement(step.statement, behind)
      case 'branch': {
        const paths = this.branches.get(step.branch)!
        let ran = behind
        for (const [i, path] of step.blocks.entries()) {
          const inPath = this.#ranIn(path)
          if (inPath > 0 && !(paths[i]! > 0)) paths[i] = inPath
          ran ||= paths[i] ?? 0
        }
        return ran
      }
      case 'loop':
        return behind || this.#ranIn(step.blocks[0])
      case 'assembly':
        return this.#isOne(step)
          ? this.#backStatement(step.statement, behind)
          : this.#ranIn(step.blocks[0]) || behind
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

  /** Infers the hits of a step if the previous step ran `before` times. Returns the possible runs of the next step. */
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
        for (const [i, path] of step.blocks.entries()) this.#settleSteps(path, paths[i] ?? 0)
        return before
      }
      case 'loop':
        this.#settleSteps(step.blocks[0], 0)
        return before
      case 'assembly': {
        if (!this.#isOne(step)) return this.#settleSteps(step.blocks[0], before) || before
        const hits = this.statements.get(step.statement) ?? before
        this.statements.set(step.statement, hits)
        return hits
      }
      case 'function':
        return before
    }
  }

  /** Infers the hits of unmeasured paths. `before` is the number of runs of the branch. */
  #settleBranch(branch: BranchItem, before: number): void {
    const paths = this.branches.get(branch)!
    const known = paths.find((hits) => hits !== undefined)
    for (const [i, hits] of paths.entries())
      if (hits === undefined) paths[i] = inferredHits(branch, i, known, before)
  }
}

/** Returns the inferred hits of path `i`, if another path has `known` hits and the branch ran `before` times. */
function inferredHits({ kind }: BranchItem, i: number, known: Hits, before: number): number {
  switch (kind) {
    case 'if':
    case 'cond-expr':
      // All runs that did not take the known path took this path.
      return known === undefined ? 0 : Math.max(0, before - known)
    case 'binary-expr':
      // An operand without code is assumed to be evaluated in each run of the branch.
      return before
    case 'require':
      return i === 1 ? before : 0
    default:
      return 0
  }
}

/** Returns the branches that are directly in a step, not in a nested step. */
function branchesOf(step: Step): readonly BranchItem[] {
  if (step.kind === 'branch') return [step.branch]
  return 'statement' in step ? step.statement.branches : []
}

function plus(a: Hits, b: Hits): Hits {
  return a === undefined ? b : b === undefined ? a : a + b
}

/** Returns the maximum hits of a function's entry, head and first statement; if these have no code, of its range. */
function functionHits(code: MeasuredFile, one: FunctionItem): Hits {
  const { range, head, steps, isYul } = one
  const first = firstHits(code, steps)
  // The code of a Yul function is inside other code, which jumps over it: only the function's statements show its hits.
  if (isYul) return first
  const told = [code.hitsOfEntry(range), first, code.hitsIn(head)].filter((hits) => hits !== undefined)
  return told.length === 0 ? code.hitsOfWhole(range) : Math.max(...told)
}

/** Returns the hits of the first statement with instructions. */
function firstHits(code: MeasuredFile, steps: readonly Step[]): Hits {
  for (const step of steps) {
    const inside =
      step.kind === 'loop' || step.kind === 'assembly' ? firstHits(code, step.blocks[0]) : undefined
    const hits = inside ?? ('statement' in step ? code.hitsIn(step.statement.range) : undefined)
    if (hits !== undefined) return hits
  }
  return undefined
}

/** Returns the hits of each path. `inside` has the hits of the first statement with instructions in each path. */
function pathHits(code: MeasuredFile, branch: BranchItem, inside: readonly Hits[] = []): Hits[] {
  const { kind, range, paths } = branch
  switch (kind) {
    case 'if':
      return eitherHits(code, branch, inside)
    case 'require':
      return requireHits(code, range)
    default: {
      const within = paths.map((path, i) => inside[i] ?? (path && code.hitsIn(path)))
      return kind === 'cond-expr' ? eitherHits(code, branch, within) : within
    }
  }
}

/** Returns how often a condition was true and false, from the hits of its paths or its conditional jump. */
function eitherHits(
  code: MeasuredFile,
  { range, paths: [yes] }: BranchItem,
  inside: readonly Hits[],
): Hits[] {
  if (inside[0] !== undefined && inside[1] !== undefined) return [...inside]
  let told: [Hits, Hits] = [undefined, undefined]
  for (const { push, taken, next } of code.conditionalJumpsAt(range)) {
    const isTakenYes =
      yes !== undefined &&
      (code.comesFrom(push, yes) || (code.leadsInto(taken.to, yes) && !code.leadsInto(next.to, yes)))
    const [is, isNot] = isTakenYes ? [taken, next] : [next, taken]
    told = [plus(told[0], is.hits), plus(told[1], isNot.hits)]
  }
  return [inside[0] ?? told[0], inside[1] ?? told[1]]
}

/** Returns how often a `require` failed and passed, from its jump or the call of a compiler-generated check. */
function requireHits(code: MeasuredFile, range: SourceRange): Hits[] {
  let failed: Hits
  let held: Hits
  for (const { taken, next } of code.conditionalJumpsAt(range)) {
    const isTakenFailure = code.fails(taken.to) && !code.fails(next.to)
    const [failure, pass]: [JumpOutcome, JumpOutcome] = isTakenFailure ? [taken, next] : [next, taken]
    failed = plus(failed, failure.hits)
    held = plus(held, pass.hits)
  }
  if (held !== undefined) return [failed, held]
  for (const { begun, ended } of code.callsFrom(range)) {
    failed = plus(failed, begun - ended)
    held = plus(held, ended)
  }
  return [failed, held]
}
