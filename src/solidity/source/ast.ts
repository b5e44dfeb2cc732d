/** Reads members of solc's syntax trees, whose nodes differ with version and kind. */
import type { AstNode } from '../artifacts/solcJson.ts'
import type { SourceRange } from './instructions.ts'

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
