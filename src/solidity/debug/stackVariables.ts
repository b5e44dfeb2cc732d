/**
 * Finds parameters and local variables on the stack of one call or creation. solc's legacy code generator puts a
 * function's parameters in order below its other stack words, and creates a variable at the instruction whose source
 * range is the declaration. The optimizer moves variables, so in optimized code only parameters at a function's entry
 * and results at its end are certain.
 */

import { toQuantity, toWord } from '../../bytes/hex.ts'
import type { Step } from '../../engine/engine.ts'
import { readMemory } from '../../engine/trace/operands.ts'
import type { Argument } from '../abi/decoded.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { contains, nodeIn, nodesIn, textIn } from '../source/ast.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { CodeSource, Place } from './codeSource.ts'
import type { LocalDeclaration } from './declarations.ts'
import {
  elementarySize,
  keyValue,
  MOST_TEXT,
  type TypeNames,
  textOf,
  typeNames,
  underlyingLabel,
  type ValueType,
} from './values.ts'

interface Slot {
  readonly declared: LocalDeclaration
  readonly function: SourceFunction | undefined
  readonly type: StackType
  /** Number of stack words below the variable. */
  readonly height: number
}

/** A function entered by a jump or a message. */
interface Entered {
  /** `undefined` for unknown and compiler-generated functions. */
  readonly function: SourceFunction | undefined
  readonly slots: Slot[]
  /** The variable whose declaration is the source range of the last instruction. */
  declared: LocalDeclaration | undefined
}

export class StackVariables {
  readonly #source: CodeSource
  readonly #names: TypeNames
  readonly #input: Uint8Array
  readonly #open: Entered[]
  /** The variables that were last reported for each frame, by frame index. */
  readonly #lastReported = new Map<number, readonly Argument[]>()

  constructor(source: CodeSource, base: SourceFunction | undefined, input: Uint8Array) {
    this.#source = source
    this.#names = typeNames(source.model)
    this.#input = input
    this.#open = [{ function: base, slots: [], declared: undefined }]
  }

  /** Enters a function by a jump; `one` is `undefined` if unknown. Returns the function's arguments, if known. */
  into(one: SourceFunction | undefined, step: Step): readonly Argument[] | undefined {
    const slots = one && slotsBelow(parametersOf(one, 'parameters'), one, step.stack.length)
    this.#open.push({ function: one, slots: slots ?? [], declared: undefined })
    return slots?.map((slot) => this.#argument(slot, step))
  }

  /** Returns the return values of the innermost function, at its last step. */
  results(step: Step): readonly Argument[] | undefined {
    const { function: one } = this.#open.at(-1)!
    if (one === undefined || this.#open.length === 1) return undefined
    // The top word is the return address.
    const slots = slotsBelow(parametersOf(one, 'returnParameters'), one, step.stack.length - 1)
    return slots?.map((slot) => this.#argument(slot, step))
  }

  out(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  follow(index: number, { stack }: Step): void {
    if (this.#source.stack !== 'variables') return
    const entered = this.#open.at(-1)!
    const { slots } = entered
    while (slots.length > 0 && slots.at(-1)!.height >= stack.length) slots.pop()
    if (entered.function === undefined && this.#open.length > 1) return
    const declared = this.#source.localAt(index)
    const isNew = declared !== entered.declared
    entered.declared = declared
    // Only a repeat of the last declaration is skipped: a modifier applied twice declares its variables twice.
    if (declared === undefined || !isNew) return
    const type = stackTypeOf(declared.node)
    if (type === undefined) return
    slots.push({
      declared,
      function: this.#source.model.functionAt(declared.range),
      type,
      height: stack.length,
    })
  }

  /** Returns the variables of `frame` at `place`; `undefined` if they are unchanged since the last report. */
  changedVariables(frame: number, place: Place | undefined, step: Step): readonly Argument[] | undefined {
    if (this.#source.stack !== 'variables' || place === undefined) return undefined
    const one = place.function
    const { function: entered, slots } = this.#open.at(-1)!
    if (one === undefined || (entered === undefined && this.#open.length > 1)) return undefined
    const found = new Map<string, Argument>()
    for (const slot of slots) {
      const { node, statement } = slot.declared
      const name = textIn(node, 'name')
      // A variable is out of scope until its declaration ends.
      if (name === '' || slot.function !== one) continue
      if (statement !== undefined && contains(statement, place.range)) continue
      // The new variable shadows an earlier one of the same name.
      found.delete(name)
      found.set(name, this.#argument(slot, step))
    }
    const variables = [...found.values()]
    const before = this.#lastReported.get(frame) ?? []
    if (isSame(before, variables)) return undefined
    this.#lastReported.set(frame, variables)
    return variables
  }

  #argument({ declared: { node }, type, height }: Slot, { stack, memory }: Step): Argument {
    const words = stack.slice(height, height + type.words)
    const value = valueOnStack(type, words, this.#names, memory, this.#input)
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

/** Returns the stack positions of `parameters` below `height`; `undefined` if a parameter's size is unknown. */
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

interface StackType {
  /** The type with its data location, such as `string memory`. */
  readonly label: string
  readonly id: string
  readonly words: number
}

/** Returns the type of a declaration; `undefined` if the number of its stack words is unknown. */
function stackTypeOf(declaration: AstNode): StackType | undefined {
  const { typeString, typeIdentifier: id } = (declaration.typeDescriptions ?? {}) as {
    readonly typeString?: string
    readonly typeIdentifier?: string
  }
  if (typeString === undefined || id === undefined) return undefined
  // In some versions of solc, type strings lack the data location.
  const [, location] = /_(memory|calldata|storage)(?:_ptr)?$/.exec(id) ?? []
  const bare = typeString.replace(/ (memory|calldata|storage( pointer| ref)?)$/, '')
  const words = wordsOf(bare, id, location)
  return words === undefined ? undefined : { label: location ? `${bare} ${location}` : bare, id, words }
}

function wordsOf(bare: string, id: string, location: string | undefined): number | undefined {
  // A dynamic calldata type has two stack words: offset and length.
  if (location === 'calldata') return /^t_(bytes|string)_calldata|\$dyn_calldata(_ptr)?$/.test(id) ? 2 : 1
  if (location !== undefined || id.startsWith('t_userDefinedValueType') || id.startsWith('t_mapping'))
    return 1
  return /^(u?int\d*|bool|address( payable)?|bytes\d+|(contract|enum) [\w$.]+)$/.test(bare) ? 1 : undefined
}

/** Returns a value in viem's form; `undefined` for arrays, structs, mappings and long strings. */
function valueOnStack(
  { label, id }: StackType,
  words: readonly bigint[],
  names: TypeNames,
  memory: Uint8Array,
  input: Uint8Array,
): unknown {
  const [word = 0n, length = 0n] = words
  if (label === 'string memory' || label === 'bytes memory') {
    // An empty string may point to the end of the written memory. Memory beyond the end reads as zero.
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

/** Returns a value type's size in bytes; `undefined` for other types. */
function sizeOf(label: string): number | undefined {
  // All 32 bytes of a `bool` are read, because any non-zero word is `true`.
  if (label === 'bool') return 32
  const [, kind] = /^(enum|contract) [\w$.]+$/.exec(label) ?? []
  return kind === undefined ? elementarySize(label) : kind === 'enum' ? 1 : 20
}
