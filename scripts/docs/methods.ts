/** The table of methods: `docs/methods.md`, made from the method table, the descriptions and the methods of the peers. */
import { ALIASES, CHEATS } from '../../src/methods/cheats/aliases.ts'
import { CONNECTION_METHODS, METHODS } from '../../src/methods/index.ts'
import { namesIn } from '../../src/model/api/text.ts'
import { grouped } from '../../src/model/collections/grouped.ts'
import type { Parser } from '../../src/wire/parser.ts'
import meanings from './meanings.json' with { type: 'json' }
import peers from './peers.json' with { type: 'json' }
import { isOptional, LEGEND, wordFor } from './types.ts'

/**
 * The description of each method, by topic, under its first name with the names of its parameters. Their types, and which
 * are optional, follow from the parsers of the method. A parameter is named after its type, or has the type behind a colon:
 * `name: type`. A type given there, but not in the table of types, is more specific than the parser.
 */
export const TOPICS: Topics = meanings.topics

/** Methods by topic: `name(parameters)`, and what the method does or returns. */
type Topics = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Why methods of the peers are missing, by the prefix of their names. */
const ABSENT: Readonly<Record<string, string>> = meanings.absent

export interface Documented {
  readonly names: readonly string[]
  readonly parsers: readonly Parser<unknown>[]
}

interface Row {
  readonly names: readonly string[]
  readonly parameters: readonly string[]
  readonly meaning: string
}

export const PEERS = Object.entries(peers).map(([name, { version, source, methods }]) => ({
  name: name === 'hardhat' ? 'Hardhat' : name,
  version,
  source,
  methods: new Set(methods),
}))

export function methodsHere(): Documented[] {
  const cheats = CHEATS.map(([{ parsers }, quiet, others = '']) => ({
    names: [...namesIn(quiet), ...namesIn(others)],
    parsers,
  }))
  const plain = [...METHODS, ...CONNECTION_METHODS].filter(([name]) => !(name in ALIASES))
  const others = [...grouped(plain, ([, method]) => method)].map(([{ parsers }, named]) => ({
    names: named.map(([name]) => name).sort(),
    parsers,
  }))
  return [...cheats, ...others]
}

/** The rows of each topic. Throws if a method, or the name or the type of a parameter, is missing. */
export function rowsByTopic(methods: readonly Documented[], topics: Topics): Map<string, Row[]> {
  const left = new Set(methods)
  const rows = Object.entries(topics).map(([topic, meanings]) => {
    const own = Object.entries(meanings).map(([signature, meaning]) => {
      const [, name, inner] = /^(\w+)\((.*)\)$/.exec(signature)!
      const method = methods.find(({ names }) => names.includes(name!))
      if (method === undefined) throw new Error(`there is no method ${name}`)
      if (!left.delete(method)) throw new Error(`${name} has two descriptions`)
      const names = [name!, ...method.names.filter((other) => other !== name)]
      return { names, parameters: parametersOf(name!, inner!, method.parsers), meaning }
    })
    return [topic, own] as const
  })
  const [forgotten] = left
  if (forgotten !== undefined) throw new Error(`${forgotten.names[0]} has no description`)
  return new Map(rows)
}

/** `name` if the name is the type, otherwise `name: type`; optional ones have a question mark. */
function parametersOf(method: string, inner: string, parsers: readonly Parser<unknown>[]): string[] {
  // Commas between braces or brackets belong to a type.
  const given = inner === '' ? [] : inner.split(/, (?![^{[]*[}\]])/)
  if (given.length !== parsers.length) {
    throw new Error(`${method} has ${parsers.length} parameters, ${given.length} are named: ${inner}`)
  }
  return given.map((parameter, i) => {
    const [name, type] = parameter.split(/: (.*)/)
    const word = type ?? wordFor(parsers[i]!)
    if (word === undefined) throw new Error(`${method}: there is no word for the type of ${name}`)
    const mark = isOptional(parsers[i]!) ? '?' : ''
    return word === name ? `${name}${mark}` : `${name}${mark}: ${word}`
  })
}

/** Methods of peers that do not exist here, with the reason. Throws if a reason is missing. */
export function absentMethods(methods: readonly Documented[]): { reason: string; names: string[] }[] {
  const here = new Set(methods.flatMap(({ names }) => names))
  const absent = [...new Set(PEERS.flatMap(({ methods }) => [...methods]))].filter((name) => !here.has(name))
  const byStart = grouped(absent.sort(), (name) => {
    const start = Object.keys(ABSENT).find((begin) => name.startsWith(begin))
    if (start === undefined) throw new Error(`${name} does not exist here, and has no reason`)
    return start
  })
  const idle = Object.keys(ABSENT).find((start) => !byStart.has(start))
  if (idle !== undefined) throw new Error(`${idle} has a reason, but no such method is missing`)
  return [...byStart].map(([start, names]) => ({ reason: ABSENT[start]!, names }))
}

/** The table for the page's console: topics with their methods. */
export function methodTable(): string {
  const topics = [...rowsByTopic(methodsHere(), TOPICS)].map(([topic, methods]) => ({ topic, methods }))
  return `${JSON.stringify(topics, undefined, 1)}\n`
}

export function methodPage(): string {
  const methods = methodsHere()
  const columns = PEERS.map(({ name }) => name)
  const head = table(['method', 'parameters', 'description', ...columns])
  const topics = [...rowsByTopic(methods, TOPICS)].flatMap(([topic, rows]) => [
    `## ${topic}`,
    [...head, ...rows.map(rowText)].join('\n'),
  ])
  const absent = absentMethods(methods).map(({ names, reason }) =>
    line([list(names), reason, ...marks(names)]),
  )
  return `${[
    '# Methods',
    '<!-- Generated by `npm run docs` from the method table and scripts/docs: changes made here are lost. -->',
    'This page lists the JSON-RPC methods of a devnet, for authors of clients and tools. Parameters are positional; a `?` marks an optional ' +
      'one, and [types](#types) explains the types. Names in one row are aliases. A check mark: the peer has the method under one of them.',
    ...topics,
    '## Missing methods',
    'A devnet lacks these methods of the specification or of a peer. It has all methods that anvil, Hardhat and ganache have in common.',
    [...table(['method', 'reason', ...columns]), ...absent].join('\n'),
    '## Types',
    [...table(['type', 'description']), ...LEGEND.map(([word, means]) => line([code(word), means]))].join(
      '\n',
    ),
    '## Peers',
    PEERS.map(({ name, version, source }) => `- ${name} ${version}: ${source}`).join('\n'),
  ].join('\n\n')}\n`
}

function rowText({ names, parameters, meaning }: Row): string {
  return line([list(names), parameters.map(code).join(', '), meaning, ...marks(names)])
}

function marks(names: readonly string[]): string[] {
  return PEERS.map(({ methods }) => (names.some((name) => methods.has(name)) ? '✓' : ''))
}

function list(names: readonly string[]): string {
  return names.map(code).join('<br>')
}

function code(text: string): string {
  return `\`${text}\``
}

function table(columns: readonly string[]): string[] {
  const isPeer = (column: string) => PEERS.some(({ name }) => name === column)
  return [line(columns), `|${columns.map((column) => (isPeer(column) ? ':-:' : '---')).join('|')}|`]
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
