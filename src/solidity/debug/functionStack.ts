/** The functions of one call or creation that have not returned yet. */

import { oncePer } from '../../model/collections/oncePer.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { textIn, walk } from '../source/ast.ts'
import type { SourceContract, SourceFunction } from '../source/sourceModel.ts'
import type { Trust } from './codeSource.ts'
import type { RunLog } from './runLog.ts'

/** Returns whether `caller` refers to `callee`, by id or by name. An override of a function shares only the name. */
function mentions(caller: AstNode, callee: SourceFunction): boolean {
  const { names, ids } = mentionedIn(caller)
  return ids.has(callee.node.id) || (callee.name !== '' && names.has(callee.name))
}

/** Returns the names and AST ids to which a function refers, including those of all called functions. */
const mentionedIn = oncePer((root: AstNode) => {
  const names = new Set<string>()
  const ids = new Set<number>()
  walk(root, (node) => {
    names.add(textIn(node, 'memberName'))
    if (node.nodeType !== 'FunctionDefinition') names.add(textIn(node, 'name'))
    // `function` is the id of a user-defined operator's function.
    for (const id of [node.referencedDeclaration, node.function]) if (typeof id === 'number') ids.add(id)
  })
  return { names, ids }
})

interface Open {
  /** `undefined` for unknown and compiler-generated functions. */
  readonly function: SourceFunction | undefined
  /** How the function was entered: by a message (`base`), by a jump (`jump`), or as inlined code (`inline`). */
  readonly kind: 'base' | 'jump' | 'inline'
  /** Index of the frame. A hidden function has the frame of its caller. */
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

  get isUnknown(): boolean {
    const { function: one, kind } = this.#open.at(-1)!
    return one === undefined && kind === 'jump'
  }

  /** Enters a function by a jump. `call`: the source text of the call. Returns `one` if `one` was certainly entered. */
  enter(one: SourceFunction | undefined, call: string | undefined): SourceFunction | undefined {
    if (one !== undefined && one === this.#base.function && !this.#hasEntered) {
      // The function called by the message has the frame of the message.
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

  /** The frame of the function entered by the last jump; `undefined` if the function has no frame of its own. */
  get entered(): number | undefined {
    const open = this.#open.findLast(({ kind }) => kind === 'jump')
    return open?.isShown === true ? open.frame : undefined
  }

  /** Leaves the function entered by the last jump. */
  leave(): void {
    while (this.#open.length > 1) if (this.#pop().kind === 'jump') return
  }

  /** Processes an instruction of function `one`. Returns `false` if the optimizer merged this code with other code. */
  moveTo(one: SourceFunction): boolean {
    // The code of constants and initial values has the range of a getter.
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

  /** Returns the index of the innermost function that `fits`, among those since the last function entered by a jump. */
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
    // The code of base constructors is in the derived contract's constructor.
    if (callee.kind === 'constructor') return caller.function?.kind === 'constructor'
    if (caller.function === undefined) return false
    // solc may compile the body of a function with modifiers as a separate function.
    if (caller.function.kind === 'modifier' && mentions(callee.node, caller.function)) return true
    return mentions(caller.function.node, callee)
  }

  #push(one: SourceFunction | undefined, kind: Open['kind']): void {
    const { frame } = this
    // In code optimized via IR, only source ranges show that a function was inlined, so the function has no frame.
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
