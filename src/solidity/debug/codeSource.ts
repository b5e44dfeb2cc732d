/** Finds the source range and the function of an instruction. Returns only what is certain. */

import { FRAME_OPENERS } from '../../engine/trace/operands.ts'
import { OP, pushedBytes } from '../../model/opcodes.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import type { SolcBytecode, SolcInput } from '../artifacts/solcJson.ts'
import { isSameRange } from '../source/ast.ts'
import { type Instructions, instructionsOf, type SourceRange } from '../source/instructions.ts'
import {
  type SourceFile,
  type SourceFunction,
  type SourceModel,
  sourceModelOf,
} from '../source/sourceModel.ts'
import type { DebugPosition } from './debugRun.ts'
import { type LocalDeclaration, localAt } from './declarations.ts'

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
  readonly #locals: (LocalDeclaration | undefined)[] = []
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

  /** Returns the local variable whose declaration has the source range of the instruction. */
  localAt(index: number): LocalDeclaration | undefined {
    if (!(index in this.#locals)) {
      const range = this.instructions.rangeOf(index)
      this.#locals[index] = range && localAt(this.model, range)
    }
    return this.#locals[index]
  }

  /** Returns the function that begins at instruction `index`, the target of a jump. */
  functionEntered(index: number): SourceFunction | undefined {
    this.#entries ??= this.#entryPoints()
    const { pc, range } = this.instructions.nth(index)
    const known = this.#entries.get(pc)
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

/** Returns the JUMPDESTs to which several places may jump: their pc is pushed more than once. */
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

/** Which instructions have reliable ranges: all, all but stack instructions, or only instructions with effects. */
export type Trust = 'all' | 'noStack' | 'effects'

/** Returns how far source ranges are reliable. Unknown settings are treated like the least reliable settings. */
function trustIn({ settings }: SolcInput): Trust {
  if (settings === undefined) return 'effects'
  if (settings.optimizer?.enabled !== true) return 'all'
  return settings.viaIR === true ? 'effects' : 'noStack'
}

type KnownStack =
  | 'variables'
  /** Only parameters at a function's entry and results at its end are known: the optimizer moves values in between. */
  | 'arguments'
  | 'nothing'

/** Returns which stack values are known. Via IR, the optimizer changes even the parameters of functions. */
function knownStackIn(input: SolcInput): KnownStack {
  const { settings } = input
  if (settings === undefined || settings.viaIR === true) return 'nothing'
  return trustIn(input) === 'all' && settings.optimizer?.details === undefined ? 'variables' : 'arguments'
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
