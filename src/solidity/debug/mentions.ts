/** Which names a function uses: what it may call. */
import type { AstNode } from '../artifacts/solcJson.ts'
import { textIn } from '../source/ast.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { walk } from './declarations.ts'

interface Mentioned {
  readonly names: ReadonlySet<string>
  readonly ids: ReadonlySet<number>
}

const known = new WeakMap<AstNode, Mentioned>()

/** Returns whether the code below `caller` names `callee`, or declares that it is. Names suffice: what is virtual is found later. */
export function mentions(caller: AstNode, callee: SourceFunction): boolean {
  let mentioned = known.get(caller)
  if (mentioned === undefined) {
    mentioned = mentionedIn(caller)
    known.set(caller, mentioned)
  }
  return mentioned.ids.has(callee.node.id) || (callee.name !== '' && mentioned.names.has(callee.name))
}

function mentionedIn(root: AstNode): Mentioned {
  const names = new Set<string>()
  const ids = new Set<number>()
  walk(root, (node) => {
    names.add(textIn(node, 'memberName'))
    if (node.nodeType !== 'FunctionDefinition') names.add(textIn(node, 'name'))
    // `function` is that of an operator of a value type of users.
    for (const id of [node.referencedDeclaration, node.function]) if (typeof id === 'number') ids.add(id)
  })
  return { names, ids }
}
