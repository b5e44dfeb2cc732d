/** Which function of a contract a selector calls. */
import type { AstNode } from '../artifacts/solcJson.ts'
import type { SourceRange } from '../opcodes.ts'

/** A function that can be called from outside. */
interface Declared {
  readonly name: string
  /** `getter`: its parameters are not in the tree; no other function has its name. */
  readonly kind: string
  readonly node: AstNode
}

/**
 * Returns functions by their selectors (8 hex digits). `functions` are those that can be called from outside, in the order of
 * look-up; `identifiers` the selectors by signature, from solc. Syntax trees have selectors since solc 0.6.0; before, names and
 * types of parameters decide.
 */
export function functionsBySelector<T extends Declared>(
  functions: readonly T[],
  identifiers: Readonly<Record<string, string>>,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const one of functions) {
    const selector = textIn(one.node, 'functionSelector')
    if (selector !== '' && !found.has(selector)) found.set(selector, one)
  }
  for (const [signature, selector] of Object.entries(identifiers)) {
    if (found.has(selector)) continue
    const one = ofSignature(functions, signature)
    if (one !== undefined) found.set(selector, one)
  }
  return found
}

/** The function that fits best: the types of structs and the like are not known here. */
function ofSignature<T extends Declared>(functions: readonly T[], signature: string): T | undefined {
  const at = signature.indexOf('(')
  const name = signature.slice(0, at)
  const wanted = split(signature.slice(at + 1, -1))
  let best: { readonly one: T; readonly score: number } | undefined
  for (const one of functions) {
    if (one.name !== name) continue
    const score = one.kind === 'getter' ? 0 : scoreOf(parameterTypes(one.node), wanted)
    if (score !== undefined && (best === undefined || score > best.score)) best = { one, score }
  }
  return best?.one
}

/** The number of types that are surely the same; `undefined` where the functions differ. */
function scoreOf(types: readonly (string | undefined)[], wanted: readonly string[]): number | undefined {
  if (types.length !== wanted.length) return undefined
  if (types.some((type, i) => type !== undefined && type !== wanted[i])) return undefined
  return types.filter((type) => type !== undefined).length
}

/** The types in the form of signatures; `undefined` where the tree alone does not tell. */
function parameterTypes(node: AstNode): readonly (string | undefined)[] {
  const list = nodeIn(node, 'parameters')
  return list === undefined ? [] : nodesIn(list, 'parameters').map(typeOf)
}

function typeOf(parameter: AstNode): string | undefined {
  const { typeString = '' } = (parameter.typeDescriptions ?? {}) as { readonly typeString?: string }
  const [, base = '', lengths = ''] =
    /^(.*?)((?:\[\d*\])*)(?: (?:memory|calldata|storage.*))?$/.exec(typeString) ?? []
  if (/^contract |^address( payable)?$/.test(base)) return `address${lengths}`
  return /^(u?int\d+|bool|string|bytes\d*)$/.test(base) ? `${base}${lengths}` : undefined
}

/** Splits at commas that are not within a tuple. */
function split(types: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const [i, letter] of [...types].entries()) {
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === ',' && depth === 0) {
      parts.push(types.slice(from, i))
      from = i + 1
    }
  }
  return types === '' ? [] : [...parts, types.slice(from)]
}

/** Returns the range of a node; `undefined` where `src` is not in solc's form. */
export function rangeOf({ src }: { readonly src: string }): SourceRange | undefined {
  const [, start, length, file] = /^(\d+):(\d+):(\d+)$/.exec(src) ?? []
  return file === undefined ? undefined : { file: Number(file), start: Number(start), length: Number(length) }
}

/** Returns the nodes in the member `name`; those that are not there are none. */
export function nodesIn(node: AstNode, name: string): readonly AstNode[] {
  const nodes = node[name]
  return Array.isArray(nodes) ? nodes.filter(isNode) : []
}

/** Returns the node in the member `name`. */
export function nodeIn(node: AstNode, name: string): AstNode | undefined {
  const one = node[name]
  return isNode(one) ? one : undefined
}

/** Returns the text in the member `name`; empty where there is none. */
export function textIn(node: AstNode, name: string): string {
  const text = node[name]
  return typeof text === 'string' ? text : ''
}

/** Returns whether `inner` is a part of `outer`, or the same. */
export function contains(outer: SourceRange, inner: SourceRange): boolean {
  return (
    outer.file === inner.file &&
    outer.start <= inner.start &&
    inner.start + inner.length <= outer.start + outer.length
  )
}

export function isSameRange(a: SourceRange, b: SourceRange): boolean {
  return a.file === b.file && a.start === b.start && a.length === b.length
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'nodeType' in value
}
