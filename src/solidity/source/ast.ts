import type { AstNode } from '../artifacts/solcJson.ts'
import type { SourceRange } from './instructions.ts'

export function nodesIn(node: AstNode, name: string): readonly AstNode[] {
  const nodes = node[name]
  return Array.isArray(nodes) ? nodes.filter(isNode) : []
}

export function nodeIn(node: AstNode, name: string): AstNode | undefined {
  const one = node[name]
  return isNode(one) ? one : undefined
}

export function textIn(node: AstNode, name: string): string {
  const text = node[name]
  return typeof text === 'string' ? text : ''
}

/** Returns a node's type as solc prints it, such as `string memory`; empty if unknown. */
export function typeStringOf(node: AstNode): string {
  const { typeString = '' } = (node.typeDescriptions ?? {}) as { readonly typeString?: string }
  return typeString
}

/** Visits all nodes in document order, parents first. */
export function walk(root: unknown, visit: (node: AstNode) => void): void {
  const open: unknown[] = [root]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if (isNode(one)) visit(one)
    open.push(...Object.values(one).reverse())
  }
}

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'nodeType' in value
}

/** Returns a node's source range; `undefined` if `src` is malformed. */
export function rangeOf({ src }: { readonly src: string }): SourceRange | undefined {
  const [, start, length, file] = /^(\d+):(\d+):(\d+)$/.exec(src) ?? []
  return file === undefined ? undefined : { file: Number(file), start: Number(start), length: Number(length) }
}

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
