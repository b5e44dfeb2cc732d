/** Which place and function of the sources each instruction of one code comes from, as far as that is certain. */
import type { CompiledContract } from '../artifacts/compilation.ts'
import type { SolcBytecode } from '../artifacts/solcJson.ts'
import { isSameRange } from '../source/ast.ts'
import { type Instructions, instructionsOf, type SourceRange } from '../source/instructions.ts'
import {
  type SourceFile,
  type SourceFunction,
  type SourceModel,
  sourceModelOf,
} from '../source/sourceModel.ts'
import type { DebugPosition } from './debugRun.ts'
import { declarationsOf, type LocalDeclaration } from './declarations.ts'
import { sharedBlocks } from './sharedBlocks.ts'
import { type KnownStack, knownStackIn, type Trust, trustIn } from './trust.ts'

/** A range of the sources. */
export interface Place {
  readonly range: SourceRange
  readonly position: DebugPosition
  /** Whether it is a whole contract. */
  readonly isContract: boolean
}

/** The sources of one code. */
export class CodeSource {
  readonly instructions: Instructions
  readonly #model: SourceModel
  readonly #bytecode: SolcBytecode
  readonly trust: Trust
  readonly stack: KnownStack
  readonly #places: (Place | undefined)[] = []
  readonly #locals: (LocalDeclaration | undefined)[] = []
  readonly #byRange = new Map<string, Place>()
  readonly #functions = new Map<Place, SourceFunction | undefined>()
  #entries: ReadonlyMap<number, SourceFunction> | undefined
  #shared: ReadonlySet<number> | undefined

  constructor({ compilation }: CompiledContract, bytecode: SolcBytecode) {
    this.#model = sourceModelOf(compilation)
    this.#bytecode = bytecode
    this.instructions = instructionsOf(bytecode)
    this.trust = trustIn(compilation.input)
    this.stack = knownStackIn(compilation.input)
  }

  /** Returns the place of the instruction with that number; `undefined`: it has none in a source whose text is known. */
  placeAt(index: number): Place | undefined {
    if (!(index in this.#places)) this.#places[index] = this.#placeOf(this.instructions.rangeOf(index))
    return this.#places[index]
  }

  /** Returns the text of `place`. */
  textOf({ range: { file, start, length } }: Place): string | undefined {
    return this.#model.file(file)?.lines?.text(start, length)
  }

  /** Returns the function of which `place` is a part. */
  functionAt(place: Place): SourceFunction | undefined {
    if (!this.#functions.has(place)) this.#functions.set(place, this.#model.functionAt(place.range))
    return this.#functions.get(place)
  }

  /** Returns the local variable whose declaration is all that the instruction with that number comes from. */
  localAt(index: number): LocalDeclaration | undefined {
    if (!(index in this.#locals)) {
      const range = this.instructions.rangeOf(index)
      this.#locals[index] = range && declarationsOf(this.#model).localAt(range)
    }
    return this.#locals[index]
  }

  /** Returns the function of which `range` is a part. */
  functionOf(range: SourceRange): SourceFunction | undefined {
    return this.#model.functionAt(range)
  }

  /** Returns the function that begins with the instruction with that number, which a jump led to. */
  functionEntered(index: number): SourceFunction | undefined {
    this.#entries ??= this.#entryPoints()
    const { pc, range } = this.instructions.nth(index)
    const known = this.#entries.get(pc)
    if (known !== undefined || range === undefined) return known
    const found = this.#model.functionAt(range)
    return found !== undefined && isSameRange(found.range, range) ? found : undefined
  }

  /** Whether the block that begins there may stand for blocks of other places too. */
  isShared(index: number): boolean {
    if (this.trust === 'all') return false
    this.#shared ??= sharedBlocks(this.instructions)
    return this.#shared.has(index)
  }

  /** The functions by the positions at which they begin, as solc says since 0.8.5. */
  #entryPoints(): ReadonlyMap<number, SourceFunction> {
    const declarations = declarationsOf(this.#model)
    return new Map(
      Object.values(this.#bytecode.functionDebugData ?? {}).flatMap(({ entryPoint, id }) => {
        const one = typeof id === 'number' ? declarations.function(id) : undefined
        return typeof entryPoint === 'number' && one !== undefined ? [[entryPoint, one] as const] : []
      }),
    )
  }

  #placeOf(range: SourceRange | undefined): Place | undefined {
    if (range === undefined) return undefined
    const key = `${range.file}:${range.start}:${range.length}`
    let place = this.#byRange.get(key)
    if (place === undefined) {
      const file = this.#model.file(range.file)
      const position = file && positionOf(file, range)
      if (position === undefined) return undefined
      const contract = this.#model.contractAt(range)
      const isContract = contract !== undefined && isSameRange(contract.range, range)
      place = { range, position, isContract }
      this.#byRange.set(key, place)
    }
    return place
  }
}

/** The most letters of a line that a position shows. */
const MOST_LETTERS = 200

/** Returns the position of a range; `undefined` where the text of the file is not known. */
export function positionOf(file: SourceFile, { start, length }: SourceRange): DebugPosition | undefined {
  const { lines, path } = file
  if (lines === undefined) return undefined
  const { line, column } = lines.at(start)
  const end = lines.at(start + length)
  const [text = ''] = lines.text(start, Math.min(length, 4 * MOST_LETTERS)).split(/\r?\n/, 1)
  return {
    file: path,
    line,
    column,
    endLine: end.line,
    endColumn: end.column,
    text: text.slice(0, MOST_LETTERS),
  }
}
