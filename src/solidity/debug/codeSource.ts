/** Finds the source range, the function and the accessed variable of an instruction. Returns only what is certain. */

import { FRAME_OPENERS } from '../../engine/trace/operands.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import { OP, pushedBytes } from '../../model/opcodes.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import type { AstNode, SolcBytecode, SolcInput } from '../artifacts/solcJson.ts'
import { isSameRange, nodeIn, rangeOf, textIn, walk } from '../source/ast.ts'
import { type Instructions, instructionsOf, type SourceRange } from '../source/instructions.ts'
import {
  type SourceFile,
  type SourceFunction,
  type SourceModel,
  sourceModelOf,
} from '../source/sourceModel.ts'
import type { DebugPosition } from './debugRun.ts'

export interface Place {
  readonly range: SourceRange
  readonly position: DebugPosition
  readonly function: SourceFunction | undefined
  readonly isContract: boolean
}

export class CodeSource {
  readonly model: SourceModel
  readonly instructions: Instructions
  readonly trust: Trust
  readonly stack: KnownStack
  readonly #bytecode: SolcBytecode
  readonly #places: (Place | undefined)[] = []
  readonly #byRange = new Map<string, Place>()
  #entries: ReadonlyMap<number, SourceFunction> | undefined
  #shared: ReadonlySet<number> | undefined

  constructor({ compilation }: CompiledContract, bytecode: SolcBytecode) {
    this.model = sourceModelOf(compilation)
    this.instructions = instructionsOf(bytecode)
    this.trust = trustIn(compilation.input)
    this.stack = knownStackIn(compilation.input)
    this.#bytecode = bytecode
  }

  /** Returns the place of an instruction; `undefined` if there is no source or its text is unknown. */
  placeAt(index: number): Place | undefined {
    if (!(index in this.#places)) this.#places[index] = this.#placeOf(this.instructions.rangeOf(index))
    return this.#places[index]
  }

  textOf({ range: { file, start, length } }: Place): string | undefined {
    return this.model.file(file)?.lines?.text(start, length)
  }

  /** Returns the function that begins at instruction `index`, the target of a jump. */
  functionEntered(index: number): SourceFunction | undefined {
    const { pc, range } = this.instructions.nth(index)
    const known = this.#entryPoint(pc)
    if (known !== undefined || range === undefined) return known
    const found = this.model.functionAt(range)
    return found !== undefined && isSameRange(found.range, range) ? found : undefined
  }

  /** Returns whether the optimizer may have merged the block that begins at `index` with blocks of other places. */
  isShared(index: number): boolean {
    if (this.trust === 'all') return false
    this.#shared ??= sharedBlocks(this.instructions)
    return this.#shared.has(index)
  }

  isEntryPoint(pc: number): boolean {
    return this.#entryPoint(pc) !== undefined
  }

  #entryPoint(pc: number): SourceFunction | undefined {
    this.#entries ??= this.#entryPoints()
    return this.#entries.get(pc)
  }

  /** Returns functions by entry point. solc reports entry points since 0.8.5. */
  #entryPoints(): ReadonlyMap<number, SourceFunction> {
    return new Map(
      Object.values(this.#bytecode.functionDebugData ?? {}).flatMap(({ entryPoint, id }) => {
        const one = this.model.functionById(id)
        return typeof entryPoint === 'number' && one !== undefined ? [[entryPoint, one]] : []
      }),
    )
  }

  #placeOf(range: SourceRange | undefined): Place | undefined {
    if (range === undefined) return undefined
    const key = `${range.file}:${range.start}:${range.length}`
    const known = this.#byRange.get(key)
    if (known !== undefined) return known
    const file = this.model.file(range.file)
    const position = file && positionOf(file, range)
    if (position === undefined) return undefined
    const contract = this.model.contractAt(range)
    const isContract = contract !== undefined && isSameRange(contract.range, range)
    const place = { range, position, function: this.model.functionAt(range), isContract }
    this.#byRange.set(key, place)
    return place
  }
}

/** Maximum length of a position's member `text`, in UTF-16 units. */
const MOST_LETTERS = 200

/** Returns the position of a range in its file; `undefined` if the text of the file is unknown. */
export function positionOf(file: SourceFile, { start, length }: SourceRange): DebugPosition | undefined {
  const { lines, path } = file
  if (lines === undefined) return undefined
  const end = lines.at(start + length)
  const [text = ''] = lines.text(start, Math.min(length, 4 * MOST_LETTERS)).split(/\r?\n/, 1)
  return {
    file: path,
    ...lines.at(start),
    endLine: end.line,
    endColumn: end.column,
    text: text.slice(0, MOST_LETTERS),
  }
}

const ENDS: ReadonlySet<number> = new Set([
  OP.STOP,
  OP.JUMP,
  OP.RETURN,
  OP.REVERT,
  OP.INVALID,
  OP.SELFDESTRUCT,
])

/** Returns the JUMPDESTs to which several places may jump: the code pushes the pc of the JUMPDEST more than once. */
function sharedBlocks(instructions: Instructions): ReadonlySet<number> {
  const pushed = new Map<number, number>()
  const blocks: number[] = []
  let begin = -1
  for (const { index, opcode } of instructions) {
    if (opcode === OP.JUMPDEST) begin = index
    else if (ENDS.has(opcode)) {
      if (begin >= 0) blocks.push(begin)
      begin = -1
    } else if (pushedBytes(opcode) > 0 && pushedBytes(opcode) <= 3) {
      const target = instructions.operandOf(index)
      pushed.set(target, (pushed.get(target) ?? 0) + 1)
    }
  }
  return new Set(blocks.filter((index) => (pushed.get(instructions.nth(index).pc) ?? 0) > 1))
}

/** The instructions with reliable ranges: all, all but stack instructions, or only instructions with effects. */
export type Trust = 'all' | 'noStack' | 'effects'

/** Returns how far source ranges are reliable. Unknown settings are treated like the least reliable settings. */
function trustIn({ settings }: SolcInput): Trust {
  if (settings === undefined) return 'effects'
  if (settings.optimizer?.enabled !== true) return 'all'
  return settings.viaIR === true ? 'effects' : 'noStack'
}

type KnownStack =
  /** The place of each variable on the stack is known at each instruction. */
  | 'exact'
  /** Places are known at the `BOUNDARIES` in `stackVariables.ts`. Between these, the optimizer moves values. */
  | 'optimized'
  /** Via IR, only the places of a function's parameters at its entry and of its results at its end are known. */
  | 'entries'
  | 'nothing'

function knownStackIn(input: SolcInput): KnownStack {
  const { settings } = input
  const isOptimized = trustIn(input) !== 'all' || settings?.optimizer?.details !== undefined
  if (settings?.viaIR === true) return isOptimized ? 'nothing' : 'entries'
  if (settings === undefined) return 'nothing'
  return isOptimized ? 'optimized' : 'exact'
}

/** Returns whether an instruction's range is reliable (`place`), uncertain (`maybe`) or meaningless (`nothing`). */
export function rangeTrust(trust: Trust, opcode: number): 'place' | 'maybe' | 'nothing' {
  if (trust === 'all') return 'place'
  if (isStack(opcode)) return 'nothing'
  return trust === 'noStack' || EFFECTS.has(opcode) ? 'place' : 'maybe'
}

/** POP, and instructions without operands whose result is constant or meaningless in a run, such as PC and GAS. */
const CONSTANTS: ReadonlySet<number> = new Set([
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d],
  ...[0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a],
  ...[0x50, 0x58, 0x59, 0x5a, 0x5f],
])

function isStack(opcode: number): boolean {
  return pushedBytes(opcode) > 0 || CONSTANTS.has(opcode) || (opcode >= OP.DUP1 && opcode <= OP.SWAP16)
}

const EFFECTS: ReadonlySet<number> = new Set([
  OP.STOP,
  OP.SSTORE,
  OP.JUMP,
  OP.JUMPI,
  OP.TSTORE,
  ...[0, 1, 2, 3, 4].map((topics) => OP.LOG0 + topics),
  ...FRAME_OPENERS.keys(),
  OP.RETURN,
  OP.REVERT,
  OP.INVALID,
  OP.SELFDESTRUCT,
])

/** The variable or struct member that an expression loads or stores. */
export interface AccessTarget {
  readonly declaration: number
  readonly isOnlyWritten: boolean
}

/** Returns the variable or member that the expression with exactly this range accesses, if any. */
export function accessAt(model: SourceModel, range: SourceRange): AccessTarget | undefined {
  const node = expressionAt(model, range)
  const accessed = node && (nodeIn(node, ACCESSED[node.nodeType] ?? '') ?? node)
  const declaration = accessed?.referencedDeclaration
  if (node === undefined || typeof declaration !== 'number') return undefined
  return { declaration, isOnlyWritten: ['=', 'delete'].includes(textIn(node, 'operator')) }
}

/** Returns whether the expression with exactly this range assigns a variable, a member or an element. */
export function isAssignmentAt(model: SourceModel, range: SourceRange): boolean {
  const node = expressionAt(model, range)
  return node?.nodeType === 'Assignment' || node?.nodeType === 'UnaryOperation'
}

function expressionAt(model: SourceModel, range: SourceRange): AstNode | undefined {
  const ast = model.file(range.file)?.ast
  return ast && expressionsIn(ast).get(keyOf(range))
}

/** Names, by node type, the child node that is the accessed variable; empty if the node itself is the variable. */
const ACCESSED: Readonly<Record<string, string>> = {
  Assignment: 'leftHandSide',
  UnaryOperation: 'subExpression',
  Identifier: '',
  MemberAccess: '',
}

/** The expressions in an AST by range. If several have the same range, only the outermost is kept. */
const expressionsIn = oncePer((ast: AstNode): ReadonlyMap<string, AstNode> => {
  const found = new Map<string, AstNode>()
  walk(ast, (node) => {
    const range = node.nodeType in ACCESSED ? rangeOf(node) : undefined
    if (range !== undefined && !found.has(keyOf(range))) found.set(keyOf(range), node)
  })
  return found
})

function keyOf({ start, length }: SourceRange): string {
  return `${start}:${length}`
}
