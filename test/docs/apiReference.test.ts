/** Pages of the API reference, made from declarations as API Extractor reads them. */
import { describe, expect, it } from 'vitest'
import type { Entry, Item } from '../../scripts/docs/api/model.ts'
import { apiPages } from '../../scripts/docs/api/page.ts'

/** A declaration whose name `Base` refers to another one. */
function item(kind: string, name: string, text: string, rest: Partial<Item> = {}): Item {
  const excerptTokens = text.split(/(?<=\W)(?=Base\b)|(?<=\bBase)(?=\W)/).map((part) => ({
    text: part,
    ...(part === 'Base' ? { canonicalReference: 'preseal!~Base:class' } : {}),
  }))
  return { kind, name, canonicalReference: `preseal!${name}:${kind}`, excerptTokens, ...rest }
}

function pagesOf(...items: Item[]): string[] {
  const entry: Entry = { name: 'preseal/testing', items, sources: new Map() }
  return apiPages([entry]).map(({ text }) => text)
}

describe('the API reference', () => {
  it('has a page for each entry, and an index that links to what it exports', () => {
    const [index] = pagesOf(item('Function', 'replay', 'export declare function replay(): void;'))
    expect(index).toContain('## [`preseal/testing`](preseal-testing.md)')
    expect(index).toContain('[`replay`](preseal-testing.md#replay)')
  })

  it('shows a function with its comment and its signature', () => {
    const docComment = '/**\n * Plays a recording.\n *\n * @param text - what was recorded\n */\n'
    const text = 'export declare function replay(text: string): void;'
    const [, page] = pagesOf(item('Function', 'replay', text, { docComment }))
    expect(page).toContain(
      '### `replay()`\n\nPlays a recording.\n\n- `text`: what was recorded\n\n```ts\nfunction replay(text: string): void;\n```',
    )
  })

  it('gives a class the members of a base that is not exported', () => {
    const send = item('Method', 'send', 'send(): void;', { docComment: '/** Sends. */' })
    const base = {
      ...item('Class', 'Base', 'declare class Base '),
      canonicalReference: 'preseal!~Base:class',
    }
    const [, page] = pagesOf(item('Class', 'Devnet', 'export declare class Devnet extends Base '), {
      ...base,
      members: [send],
    })
    expect(page).toContain('#### `Devnet.send()`\n\nSends.')
    expect(page).not.toContain('### `Base`')
  })

  it('writes the members of an interface as a table in which a bar does not end a cell', () => {
    const to = item('PropertySignature', 'to', 'readonly to?: string | undefined;', {
      isOptional: true,
      docComment: '/** The receiver. */',
    })
    const [, page] = pagesOf(item('Interface', 'Sent', 'export interface Sent ', { members: [to] }))
    expect(page).toContain('| `to?` | `string \\| undefined` | The receiver. |')
  })
})
