/** The open functions of one call or creation. */

import { oncePer } from '../../model/collections/oncePer.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { textIn, walk } from '../source/ast.ts'
import type { SourceContract, SourceFunction } from '../source/sourceModel.ts'
import type { Trust } from './codeSource.ts'
import type { RunLog } from './runLog.ts'

/** The names and ids that a function uses: its possible callees. */
interface Mentioned {
  readonly names: ReadonlySet<string>
  readonly ids: ReadonlySet<number>
}

/** Returns whether `caller` refers to `callee`. Equal names count, for virtual functions. */
function mentions(caller: AstNode, callee: SourceFunction): boolean {
  const { names, ids } = mentionedIn(caller)
  return ids.has(callee.node.id) || (callee.name !== '' && names.has(callee.name))
}

const mentionedIn = oncePer((root: AstNode): Mentioned => {
  const names = new Set<string>()
  const ids = new Set<number>()
  walk(root, (node) => {
    names.add(textIn(node, 'memberName'))
    if (node.nodeType !== 'FunctionDefinition') names.add(textIn(node, 'name'))
    // `function` is the operator function of a user-defined value type.
    for (const id of [node.referencedDeclaration, node.function]) if (typeof id === 'number') ids.add(id)
  })
  return { names, ids }
})

interface Open {
  /** `undefined` for unknown and compiler-generated functions. */
  readonly function: SourceFunction | undefined
  /** `base`: the called function. `jump`: entered by a jump. `inline`: inlined, such as a modifier. */
  readonly kind: 'base' | 'jump' | 'inline'
  /** Index of the frame; hidden functions have their caller's frame. */
  readonly frame: number
  readonly isShown: boolean
}

/** The function that a call or creation entered. */
export interface Base {
  readonly frame: number
  readonly function: SourceFunction | undefined
  readonly contract: SourceContract | undefined
  readonly isCreation: boolean
  readonly trust: Trust
}

/** The open functions, innermost last. */
export class FunctionStack {
  readonly #open: Open[]
  readonly #log: RunLog
  readonly #base: Base
  #hasEntered = false

  constructor(base: Base, log: RunLog) {
    this.#base = base
    this.#log = log
    this.#open = [{ function: base.function, kind: 'base', frame: base.frame, isShown: false }]
  }

  get frame(): number {
    return this.#open.at(-1)!.frame
  }

  /** Whether the innermost function is unknown or compiler-generated. */
  get isUnknown(): boolean {
    const { function: one, kind } = this.#open.at(-1)!
    return one === undefined && kind === 'jump'
  }

  /**
   * Enters a function by a jump; `one` is `undefined` for code without a source. `call`, the text of the call if
   * known, names the function, unless the optimizer merged equal functions. Returns the function if it is certain.
   */
  into(one: SourceFunction | undefined, call: string | undefined): SourceFunction | undefined {
    if (one !== undefined && one === this.#base.function && !this.#hasEntered) {
      // The called function has the frame of the call.
      this.#hasEntered = true
      this.#open.push({ function: one, kind: 'jump', frame: this.#base.frame, isShown: false })
      return one
    }
    const isNamed = call === undefined || one === undefined || call.match(/[\w$]+/g)?.includes(one.name)
    const isCertain =
      one !== undefined && (this.#base.trust === 'all' || (isNamed && this.#mayCall(this.#nearest(), one)))
    this.#push(isCertain ? one : undefined, 'jump')
    return isCertain ? one : undefined
  }

  /** The frame of the function entered by the last jump; `undefined` without a frame of its own. */
  get entered(): number | undefined {
    const open = this.#open.findLast(({ kind }) => kind === 'jump')
    return open?.isShown === true ? open.frame : undefined
  }

  /** Leaves the function entered by the last jump. */
  out(): void {
    while (this.#open.length > 1) if (this.#pop().kind === 'jump') return
  }

  /** Moves to an instruction of `one`. Returns `false` if the optimizer merged this code with another's. */
  at(one: SourceFunction): boolean {
    // The code of constants and of initial values has a getter's range.
    if (one.kind === 'getter') return true
    const outer =
      this.#reached(({ function: open }) => open === one) ??
      (this.isUnknown && this.#base.trust !== 'all'
        ? undefined
        : this.#reached((open) => this.#mayCall(open, one)))
    if (outer === undefined) return false
    if (this.#open.slice(outer + 1).every(({ kind }) => kind === 'inline')) {
      while (this.#open.length - 1 > outer) this.#pop()
    }
    if (this.#open[outer]!.function !== one) this.#push(one, 'inline')
    return true
  }

  /** Returns the index of the innermost fitting function, not beyond the last function entered by a jump. */
  #reached(fits: (open: Open) => boolean): number | undefined {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const open = this.#open[i]!
      if (open.function === undefined && open.kind !== 'base') continue
      if (fits(open)) return i
      if (open.kind !== 'inline') return undefined
    }
    return undefined
  }

  end(): void {
    while (this.#open.length > 1) this.#pop()
  }

  #nearest(): Open {
    return this.#open.findLast(({ function: one, kind }) => one !== undefined || kind === 'base')!
  }

  #mayCall(caller: Open, callee: SourceFunction): boolean {
    const { contract, isCreation } = this.#base
    if (caller.kind === 'base' && isCreation) {
      const linearized = contract?.linearized ?? []
      if (callee.kind === 'constructor') return linearized.some((one) => one === callee.contract)
      return linearized.some(({ node }) => mentions(node, callee))
    }
    // Base constructors are part of the derived contract's constructor.
    if (callee.kind === 'constructor') return caller.function?.kind === 'constructor'
    if (caller.function === undefined) return false
    // The body of a function with modifiers may be a function of its own.
    if (caller.function.kind === 'modifier' && mentions(callee.node, caller.function)) return true
    return mentions(caller.function.node, callee)
  }

  #push(one: SourceFunction | undefined, kind: Open['kind']): void {
    const { frame } = this
    // In code optimized via IR, inlined functions are known by their positions only.
    const isHidden = one === undefined || (kind === 'inline' && this.#base.trust === 'effects')
    this.#open.push(
      isHidden
        ? { function: one, kind, frame, isShown: false }
        : { function: one, kind, frame: this.#log.openFunction(frame, one), isShown: true },
    )
  }

  #pop(): Open {
    const left = this.#open.pop()!
    if (left.isShown) this.#log.close(left.frame)
    return left
  }
}
