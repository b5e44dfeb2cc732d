/** One page of the API reference for each published entry, in Markdown. */
import type { Entry, Item } from './model.ts'

export interface ApiPage {
  readonly path: string
  readonly text: string
}

const MADE =
  '<!-- Made by `npm run docs` from the published types and their doc comments: what is changed here is lost. -->'

export function apiPages(entries: readonly Entry[]): readonly ApiPage[] {
  const pages = entries.map((entry) => new Reference(entry).page())
  const index = entries.map((entry, i) => {
    const { path } = pages[i]!
    const file = path.slice(path.lastIndexOf('/') + 1)
    const names = exportsOf(entry).map((item) => `[\`${nameOf(item)}\`](${file}#${anchorOf(item)})`)
    return `## [\`${entry.name}\`](${file})\n\n${names.join(', ')}`
  })
  const text = ['# API reference', MADE, 'The exports of each entry of the package.', ...index].join('\n\n')
  return [{ path: 'docs/api/README.md', text: `${text}\n` }, ...pages]
}

const GROUPS = [
  ['Functions', ['Function', 'Variable']],
  ['Classes', ['Class']],
  ['Types', ['Interface', 'TypeAlias']],
] as const

function exportsOf({ items }: Entry): readonly Item[] {
  return GROUPS.flatMap(([, kinds]) => ofKinds(items.filter(isExported), kinds))
}

function ofKinds(items: readonly Item[], kinds: readonly string[]): Item[] {
  return items
    .filter(({ kind }) => kinds.includes(kind))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'))
}

function isExported({ canonicalReference }: Item): boolean {
  return !canonicalReference.includes('!~')
}

const OPTIONS_PAGE = 'An object with any of the [options](../options.md), by name.'

class Reference {
  readonly #entry: Entry
  readonly #byReference: ReadonlyMap<string, Item>

  constructor(entry: Entry) {
    this.#entry = entry
    this.#byReference = new Map(entry.items.map((item) => [item.canonicalReference, item]))
  }

  page(): ApiPage {
    const { name, items } = this.#entry
    const exported = items.filter(isExported)
    const groups = GROUPS.flatMap(([title, kinds]) => this.#group(title, ofKinds(exported, kinds)))
    const others = this.#group('Types that these refer to', this.#referredTo(exported))
    const text = [`# \`${name}\``, MADE, ...groups, ...others].join('\n\n')
    return { path: `docs/api/${name.replace('/', '-')}.md`, text: `${text}\n` }
  }

  #group(title: string, items: readonly Item[]): readonly string[] {
    return items.length === 0 ? [] : [`## ${title}`, ...items.flatMap((item) => this.#item(item))]
  }

  /** Unexported types in signatures of `exported`. */
  #referredTo(exported: readonly Item[]): readonly Item[] {
    const found = new Set(exported)
    for (const item of found) {
      for (const other of this.#references(item)) {
        if (other.kind === 'Interface' || (other.kind === 'TypeAlias' && commentOf(other) !== ''))
          found.add(other)
      }
    }
    for (const item of exported) found.delete(item)
    return ofKinds([...found], ['Interface', 'TypeAlias'])
  }

  #item(item: Item): readonly string[] {
    const { kind } = item
    const head = [`### ${headingOf(item)}`, commentOf(item)].filter((text) => text !== '')
    if (kind === 'Class')
      return [
        ...head,
        ...this.#extends(item),
        ...this.#membersOf(item).flatMap((one) => this.#method(item, one)),
      ]
    if (kind === 'Interface') return [...head, ...this.#extends(item), ...this.#table(this.#membersOf(item))]
    if (nameOf(item) === 'DevnetOptions') return [...head, OPTIONS_PAGE]
    return [...head, fenced(kind === 'TypeAlias' ? this.#source(item) : textOf(item)), ...this.#seeAlso(item)]
  }

  /** A class's members, and inherited ones of classes and interfaces that are not exported. */
  #membersOf(item: Item): readonly Item[] {
    const own = item.members ?? []
    const inherited = this.#bases(item)
      .filter((base) => !isExported(base))
      .flatMap((base) => this.#membersOf(base))
    const names = new Set(own.map(nameOf))
    return [...own, ...inherited.filter((member) => !names.has(nameOf(member)))]
      .filter(({ kind, name }) => kind !== 'Constructor' && name !== '[Symbol.asyncDispose]')
      .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'))
  }

  #bases(item: Item): readonly Item[] {
    return item.excerptTokens.flatMap(({ canonicalReference }) => {
      const base = this.#byReference.get(canonicalReference ?? '')
      return base === undefined || base === item ? [] : [base]
    })
  }

  #extends(item: Item): readonly string[] {
    const bases = this.#bases(item).filter(isExported)
    return bases.length === 0 ? [] : [`Extends ${bases.map(linkTo).join(', ')}.`]
  }

  #method(owner: Item, member: Item): readonly string[] {
    const call = member.kind === 'Method' ? '()' : ''
    return [
      `#### \`${nameOf(owner)}.${nameOf(member)}${call}\``,
      commentOf(member),
      fenced(textOf(member)),
      ...this.#seeAlso(member),
    ].filter((text) => text !== '')
  }

  #table(members: readonly Item[]): readonly string[] {
    if (members.length === 0) return []
    const rows = members.map((member) => {
      const mark = member.isOptional === true ? '?' : ''
      return `| \`${nameOf(member)}${mark}\` | ${inCell(code(typeOf(member)))} | ${inCell(commentOf(member))} |`
    })
    return [['| member | type | meaning |', '|---|---|---|', ...rows].join('\n')]
  }

  #seeAlso(item: Item): readonly string[] {
    const links = this.#references(item).map(linkTo)
    return links.length === 0 ? [] : [`See ${[...new Set(links)].join(', ')}.`]
  }

  #references(item: Item): readonly Item[] {
    const all = [item, ...(item.members ?? [])].flatMap(({ excerptTokens }) => excerptTokens)
    const items = all.flatMap(
      ({ canonicalReference }) => this.#byReference.get(canonicalReference ?? '') ?? [],
    )
    return [...new Set(items)].filter((one) => one !== item && (isExported(one) || one.kind === 'Interface'))
  }

  #source(item: Item): string {
    const source = this.#entry.sources.get(item.fileUrlPath ?? '') ?? ''
    const name = nameOf(item).replace(/_\d+$/, '')
    const start = source.search(new RegExp(`^(?:export )?(?:declare )?type ${name}\\b`, 'm'))
    if (start === -1) return textOf(item)
    const rest = source.slice(start)
    const end = rest.search(/;\n(?=[^\s}]|$)/)
    return (end === -1 ? rest : rest.slice(0, end + 1)).replace(/^(?:export )?(?:declare )?/, '')
  }
}

function nameOf({ name = '(call)' }: Item): string {
  return name
}

function headingOf(item: Item): string {
  return `\`${nameOf(item)}${item.kind === 'Function' ? '()' : ''}\``
}

function anchorOf(item: Item): string {
  return nameOf(item).toLowerCase()
}

function linkTo(item: Item): string {
  return `[\`${nameOf(item)}\`](#${anchorOf(item)})`
}

function textOf({ excerptTokens }: Item): string {
  return excerptTokens
    .map(({ text }) => text)
    .join('')
    .replace(/^export (declare )?/, '')
}

/** The type behind a member's colon. */
function typeOf(member: Item): string {
  const text = textOf(member).replace(/;$/, '')
  return member.kind === 'PropertySignature' ? text.replace(/^(readonly )?[\w$'"[\].]+\??: /, '') : text
}

/** A doc comment without its stars; tags become sentences. */
function commentOf({ docComment = '' }: Item): string {
  return docComment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
    .replaceAll(/^@param (\S+) - /gm, '- `$1`: ')
    .replaceAll(/^@returns /gm, 'Returns ')
    .replaceAll(/^@throws /gm, 'Throws ')
}

function fenced(text: string): string {
  return `\`\`\`ts\n${text.trimEnd()}\n\`\`\``
}

function code(text: string): string {
  return `\`${text.replaceAll(/\s+/g, ' ')}\``
}

function inCell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|')
}
