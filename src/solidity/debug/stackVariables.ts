/**
 * Where parameters and local variables lie on the stack of one call or creation. solc's code generator (not that via IR) puts
 * parameters below what a function does, in their order, and a variable where the instruction stands whose range is its declaration.
 * Nothing is guessed: what was optimised moves variables, and only the parameters at the entry of a function are certain then.
 */

import { toQuantity, toWord } from '../../bytes/hex.ts'
import type { Step } from '../../engine/engine.ts'
import { readMemory } from '../../engine/trace/operands.ts'
import type { Argument } from '../abi/decoded.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { contains, nodeIn, nodesIn, textIn } from '../source/ast.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { CodeSource, Place } from './codeSource.ts'
import type { Declarations, LocalDeclaration } from './declarations.ts'
import { keyValue, type TypeNames, textOf, typeNames, underlyingLabel, type ValueType } from './values.ts'

interface Slot {
  readonly declared: LocalDeclaration
  /** In which it is declared. */
  readonly function: SourceFunction | undefined
  readonly type: StackType
  /** The number of words below it. */
  readonly height: number
}

/** What was entered by a jump, or the call itself. */
interface Entered {
  /** `undefined`: it is not known, or written by the compiler. */
  readonly function: SourceFunction | undefined
  readonly slots: Slot[]
  /** The variable whose first value the last instruction was a part of. */
  declared: LocalDeclaration | undefined
}

export class StackVariables {
  readonly #source: CodeSource
  readonly #names: TypeNames
  readonly #input: Uint8Array
  readonly #open: Entered[]
  /** What was last told of each frame. */
  readonly #told = new Map<number, readonly Argument[]>()

  constructor(
    source: CodeSource,
    declarations: Declarations,
    base: SourceFunction | undefined,
    input: Uint8Array,
  ) {
    this.#source = source
    this.#names = typeNames(declarations)
    this.#input = input
    this.#open = [{ function: base, slots: [], declared: undefined }]
  }

  /** Enters a function by a jump; `undefined`: one that is not known. Returns its arguments, if they are. */
  into(one: SourceFunction | undefined, step: Step): readonly Argument[] | undefined {
    const slots = one && slotsBelow(parametersOf(one, 'parameters'), one, step.stack.length)
    this.#open.push({ function: one, slots: slots ?? [], declared: undefined })
    return slots?.map((slot) => this.#argument(slot, step))
  }

  /** Returns what the function that was entered last returns, by the step that jumps out of it. */
  results(step: Step): readonly Argument[] | undefined {
    const { function: one } = this.#open.at(-1)!
    if (one === undefined || this.#open.length === 1) return undefined
    // On the top is where the jump goes.
    const slots = slotsBelow(parametersOf(one, 'returnParameters'), one, step.stack.length - 1)
    return slots?.map((slot) => this.#argument(slot, step))
  }

  out(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  /** Follows the code to the instruction with the number `index`. */
  follow(index: number, { stack }: Step): void {
    if (this.#source.stack !== 'variables') return
    const entered = this.#open.at(-1)!
    const { slots } = entered
    while (slots.length > 0 && slots.at(-1)!.height >= stack.length) slots.pop()
    if (entered.function === undefined && this.#open.length > 1) return
    const declared = this.#source.localAt(index)
    const isNew = declared !== entered.declared
    entered.declared = declared
    // That of a modifier may be there twice, where a function has the modifier twice.
    if (declared === undefined || !isNew) return
    const type = stackTypeOf(declared.node)
    if (type === undefined) return
    slots.push({ declared, function: this.#source.functionOf(declared.range), type, height: stack.length })
  }

  /** Returns the variables of `frame` at `place`, if that has variables and they are others than those that were told of it last. */
  news(frame: number, place: Place | undefined, step: Step): readonly Argument[] | undefined {
    if (this.#source.stack !== 'variables' || place === undefined) return undefined
    const one = this.#source.functionAt(place)
    const { function: entered, slots } = this.#open.at(-1)!
    if (one === undefined || (entered === undefined && this.#open.length > 1)) return undefined
    const found = new Map<string, Argument>()
    for (const slot of slots) {
      const { node, statement } = slot.declared
      const name = textIn(node, 'name')
      // A variable is none before its own declaration is over.
      if (name === '' || slot.function !== one) continue
      if (statement !== undefined && contains(statement, place.range)) continue
      // One that has the name of another hides it.
      found.delete(name)
      found.set(name, this.#argument(slot, step))
    }
    const variables = [...found.values()]
    const before = this.#told.get(frame) ?? []
    if (isSame(before, variables)) return undefined
    this.#told.set(frame, variables)
    return variables
  }

  #argument({ declared: { node }, type, height }: Slot, { stack, memory }: Step): Argument {
    const pointed: PointedAt = { memory, input: this.#input }
    const value = valueOnStack(type, stack.slice(height, height + type.words), this.#names, pointed)
    return { name: textIn(node, 'name'), type: type.label, value }
  }
}

function parametersOf(
  { node, kind }: SourceFunction,
  member: 'parameters' | 'returnParameters',
): readonly LocalDeclaration['node'][] | undefined {
  if (kind === 'getter' || kind === 'modifier') return undefined
  const list = nodeIn(node, member)
  return list && nodesIn(list, 'parameters')
}

/** Returns where `parameters` lie below `height`, in their order; `undefined` where that is not known of one of them. */
function slotsBelow(
  parameters: readonly LocalDeclaration['node'][] | undefined,
  one: SourceFunction,
  height: number,
): Slot[] | undefined {
  const types = parameters?.map(stackTypeOf)
  if (parameters === undefined || types === undefined) return undefined
  let words = 0
  for (const type of types) {
    if (type === undefined) return undefined
    words += type.words
  }
  if (words > height) return undefined
  let at = height - words
  return parameters.map((node, i) => {
    const type = types[i]!
    const declared = { node, range: one.range, statement: undefined }
    const slot = { declared, function: one, type, height: at }
    at += type.words
    return slot
  })
}

function isSame(before: readonly Argument[], after: readonly Argument[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ name, value }, i) => name === after[i]!.name && value === after[i]!.value)
  )
}

/** Longer texts are not told, as those of storage. */
const MOST_TEXT = 4_096n

/** The type of a parameter or local variable. */
interface StackType {
  /** As in the source, with the location of data: `uint256`, `string memory`. */
  readonly label: string
  readonly id: string
  /** How many words of the stack it takes. */
  readonly words: number
}

/** What the words of pointers lead to. */
interface PointedAt {
  readonly memory: Uint8Array
  /** The data of the call. */
  readonly input: Uint8Array
}

/** Returns the type of a declaration; `undefined` where it is not known how many words it takes. */
function stackTypeOf(declaration: AstNode): StackType | undefined {
  const { typeString, typeIdentifier: id } = (declaration.typeDescriptions ?? {}) as {
    readonly typeString?: string
    readonly typeIdentifier?: string
  }
  if (typeString === undefined || id === undefined) return undefined
  // The identifier alone has the location, which the text has in some versions.
  const [, location] = /_(memory|calldata|storage)(?:_ptr)?$/.exec(id) ?? []
  const bare = typeString.replace(/ (memory|calldata|storage( pointer| ref)?)$/, '')
  const words = wordsOf(bare, id, location)
  return words === undefined ? undefined : { label: location ? `${bare} ${location}` : bare, id, words }
}

function wordsOf(bare: string, id: string, location: string | undefined): number | undefined {
  // What is of any length in calldata has its offset and its length.
  if (location === 'calldata') return /^t_(bytes|string)_calldata|\$dyn_calldata(_ptr)?$/.test(id) ? 2 : 1
  if (location !== undefined || id.startsWith('t_userDefinedValueType') || id.startsWith('t_mapping'))
    return 1
  return /^(u?int\d*|bool|address( payable)?|bytes\d+|(contract|enum) [\w$.]+)$/.test(bare) ? 1 : undefined
}

/**
 * Returns the value of `words`, in viem's form as those of storage; `undefined` where it is not told: of arrays, structs, mappings and
 * long texts.
 */
function valueOnStack(
  { label, id }: StackType,
  words: readonly bigint[],
  names: TypeNames,
  { memory, input }: PointedAt,
): unknown {
  const [word = 0n, length = 0n] = words
  if (label === 'string memory' || label === 'bytes memory') {
    // Behind what was written there are zeros, as at the place that texts have before they are given a value.
    return word > memory.length
      ? undefined
      : text(label, memory, word + 32n, toQuantity(readMemory(memory, word, 32n)))
  }
  if (label === 'string calldata' || label === 'bytes calldata') return text(label, input, word, length)
  const type = { id, label, encoding: 'inplace', numberOfBytes: '32' } satisfies ValueType
  const size = sizeOf(underlyingLabel(type, names))
  return size === undefined
    ? undefined
    : keyValue({ ...type, numberOfBytes: String(size) }, toWord(word), names)?.value
}

function text(label: string, bytes: Uint8Array, offset: bigint, length: bigint): string | undefined {
  if (length > MOST_TEXT || (length > 0n && offset + length > bytes.length)) return undefined
  return textOf({ label }, readMemory(bytes, offset, length))
}

/** Returns how many bytes of its word a value has; `undefined`: it is no value. */
function sizeOf(label: string): number | undefined {
  const [, bits] = /^u?int(\d+)$/.exec(label) ?? []
  if (bits !== undefined) return Number(bits) / 8
  const [, bytes] = /^bytes(\d+)$/.exec(label) ?? []
  if (bytes !== undefined) return Number(bytes)
  // What is not zero is true.
  if (label === 'bool') return 32
  if (label.startsWith('enum ')) return 1
  return /^(address|contract )/.test(label) && !/ (memory|calldata|storage)/.test(label) ? 20 : undefined
}
