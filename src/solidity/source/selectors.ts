import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, textIn, typeStringOf } from './ast.ts'

interface Declared {
  readonly name: string
  /** A `getter` matches a signature by name alone, because the AST lacks the getter's parameters. */
  readonly kind: string
  readonly node: AstNode
}

/** Returns external functions by selector, from the AST (since solc 0.6.0) or from `identifiers` (all versions). */
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

/** Returns the function that fits a signature best. The AST lacks the canonical types of structs and enums. */
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

/** Returns how many types are known to be equal; `undefined` if one differs. */
function scoreOf(types: readonly (string | undefined)[], wanted: readonly string[]): number | undefined {
  if (types.length !== wanted.length) return undefined
  if (types.some((type, i) => type !== undefined && type !== wanted[i])) return undefined
  return types.filter((type) => type !== undefined).length
}

/** Returns canonical types; `undefined` for types such as structs and enums, whose canonical type the node lacks. */
function parameterTypes(node: AstNode): readonly (string | undefined)[] {
  const list = nodeIn(node, 'parameters')
  return list === undefined ? [] : nodesIn(list, 'parameters').map(typeOf)
}

function typeOf(parameter: AstNode): string | undefined {
  const [, base = '', lengths = ''] =
    /^(.*?)((?:\[\d*\])*)(?: (?:memory|calldata|storage.*))?$/.exec(typeStringOf(parameter)) ?? []
  if (/^contract |^address( payable)?$/.test(base)) return `address${lengths}`
  return /^(u?int\d+|bool|string|bytes\d*)$/.test(base) ? `${base}${lengths}` : undefined
}

/** Splits at commas outside of tuples. */
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
