/**
 * The statements that the published entries need of the declarations that tsc writes.
 *
 * A file with one public type has others that lead to internals, and from there to EthereumJS's
 * declarations, which a strict compiler refuses. So a statement is kept only if an entry exports it or a kept statement
 * mentions it. A word that only looks like a mention, such as the name of a member, keeps a little too much.
 *
 * It relies on the format of tsc: each statement begins at the beginning of a line, with its comment before it.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { grouped } from '../../src/model/collections/grouped.ts'

/** One name of an import or export: `type name as word`. */
interface Part {
  readonly word: string
  readonly name: string
  readonly text: string
}

interface Statement {
  readonly text: string
  readonly isExport: boolean
  /** Whether it extends declarations of others, and so is needed whenever its file is. */
  readonly isForAll: boolean
  readonly declares: string | undefined
  /** The module of an import or a re-export; a list of own exports has none. */
  readonly module: string | undefined
  readonly parts: readonly Part[]
}

const ALL = '*'

/** The declaration files that `entries` need, with the statements needed of each, importing each other as `.js`. */
export async function neededBy(entries: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, readonly Statement[]>()
  const kept = new Map<Statement, Set<Part>>()

  async function read(file: string): Promise<readonly Statement[]> {
    const known = files.get(file)
    if (known !== undefined) return known
    const statements = split(await readFile(file, 'utf8'))
    files.set(file, statements)
    for (const statement of statements) if (statement.isForAll) await keepWhole(file, statement)
    return statements
  }

  async function keepExport(file: string, name: string): Promise<void> {
    const exported = (await read(file)).filter(({ isExport }) => isExport)
    const isFound = await keep(file, exported, name)
    if (!isFound && name !== ALL) throw new Error(`${file} does not export ${name}`)
  }

  /** Keeps what `name` is among `statements` of `file`, if it is anything. */
  async function keep(file: string, statements: readonly Statement[], name: string): Promise<boolean> {
    let isFound = false
    for (const statement of statements) {
      if (statement.declares !== undefined && (name === statement.declares || name === ALL)) {
        isFound = true
        await keepWhole(file, statement)
      }
      for (const part of statement.parts.filter(({ word }) => word === name || name === ALL)) {
        isFound = true
        await keepPart(file, statement, part)
      }
    }
    return isFound
  }

  async function keepMentioned(file: string, word: string): Promise<void> {
    await keep(
      file,
      (await read(file)).filter(({ isExport, declares }) => !isExport || declares),
      word,
    )
  }

  async function keepWhole(file: string, statement: Statement): Promise<void> {
    if (kept.has(statement)) return
    kept.set(statement, new Set())
    if (statement.module?.startsWith('.')) await read(fileOf(file, statement.module))
    for (const [, module, name] of statement.text.matchAll(INLINE))
      await keepExport(fileOf(file, module!), name!)
    for (const word of wordsOf(statement.text)) await keepMentioned(file, word)
  }

  async function keepPart(file: string, statement: Statement, part: Part): Promise<void> {
    const parts = kept.get(statement) ?? new Set()
    kept.set(statement, parts)
    if (parts.has(part)) return
    parts.add(part)
    if (statement.module === undefined) await keepMentioned(file, part.name)
    // A package's own declarations are its own affair.
    else if (statement.module.startsWith('.')) await keepExport(fileOf(file, statement.module), part.name)
  }

  for (const entry of entries) await keepExport(entry, ALL)
  return new Map(
    [...files]
      .map(([file, statements]) => [file, statements.filter((statement) => kept.has(statement))] as const)
      .filter(([, statements]) => statements.length > 0)
      .map(([file, statements]) => [file, statements.map((one) => written(one, kept.get(one)!)).join('\n')]),
  )
}

/** A declaration after its doc comment, as it is published. */
export interface Declaration {
  readonly name: string
  readonly text: string
}

/** The exports of the published file `entry`, and the types that these mention, directly or through other types. */
export async function declarationsFor(
  entry: string,
): Promise<{ exports: readonly Declaration[]; mentioned: readonly Declaration[] }> {
  const files = new Map([...(await neededBy([entry]))].map(([file, text]) => [file, split(text)]))
  const found = (file: string, name: string): Statement | undefined => {
    for (const statement of files.get(file) ?? []) {
      const { declares, module, parts } = statement
      if (declares === name) return statement
      const part = parts.find(({ word }) => word === name)
      if (module !== undefined && part !== undefined) return found(fileOf(file, module), part.name)
    }
    return undefined
  }
  const names = files
    .get(entry)!
    .filter(({ isExport }) => isExport)
    .flatMap(({ declares, parts }) => declares ?? parts.map(({ word }) => word))
  const exported = new Set(names.flatMap((name) => found(entry, name) ?? []))
  const byName = grouped([...files.values()].flat(), ({ declares }) => declares)
  const all = new Set(exported)
  for (const { text } of all) {
    for (const word of wordsOf(text)) {
      for (const other of byName.get(word) ?? []) if (isShown(other, text)) all.add(other)
    }
  }
  const named = (statements: readonly Statement[]): readonly Declaration[] =>
    statements
      .map(({ declares, text }) => ({ name: declares!, text: text.replace(EXPORTED, '') }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return { exports: named([...exported]), mentioned: named([...all].filter((one) => !exported.has(one))) }
}

/** Whether readers of `text` need the declaration: an interface, a type with a meaning, or the class that `text` extends. */
function isShown({ text: declared, declares }: Statement, text: string): boolean {
  return (
    /^(export )?interface /m.test(declared) ||
    (/^(export )?(declare )?type /m.test(declared) && declared.startsWith('/**')) ||
    text.includes(` extends ${declares} `)
  )
}

const EXPORTED = /^export (?:declare )?|^declare /m
const BEGINNING = /^(?:export|import|declare|interface|type|class)\b/
const DECLARES =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|type|enum|const|function) (\w+)/
const FOR_ALL = /^(?:declare (?:global|module)\b|import ["'])/
const MODULE = /(?: from |^import )["']([^"']+)["']/
const INLINE = /import\(["'](\.[^"']+)["']\)\.(\w+)/g
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g
const TEXT = /'[^'\n]*'|"[^"\n]*"/g

function split(text: string): Statement[] {
  const lines = text.trimEnd().split('\n')
  const starts = lines.flatMap((line, i) => (BEGINNING.test(line) ? [i] : []))
  const begins = starts.map((start) => beginningOfComment(lines, start))
  return starts.map((start, i) => {
    const code = lines.slice(start, begins[i + 1]).join('\n')
    const isForAll = FOR_ALL.test(code)
    const declares = DECLARES.exec(code)?.[1]
    const isList = declares === undefined && !code.startsWith('declare')
    const parts = isList ? partsOf(code) : []
    if (!isForAll && declares === undefined && parts.length === 0 && !/^export \{\s*\}/.test(code)) {
      throw new Error(`declarations.ts does not know such statements: ${code}`)
    }
    return {
      text: lines.slice(begins[i], begins[i + 1]).join('\n'),
      isExport: code.startsWith('export'),
      isForAll,
      declares,
      module: isList ? MODULE.exec(code)?.[1] : undefined,
      parts,
    }
  })
}

/** The first line of the comment right before the line `start`; without one `start` itself. */
function beginningOfComment(lines: readonly string[], start: number): number {
  if (start === 0 || !lines[start - 1]!.endsWith('*/')) return start
  let first = start - 1
  while (!lines[first]!.startsWith('/*')) first--
  return first
}

/** `{ A, type B as C }`, `* as A`, `default A`, `A`: each name and its alias. */
function partsOf(code: string): Part[] {
  const whole = /\* as (\w+)/.exec(code)?.[1]
  if (whole !== undefined) return [{ word: whole, name: ALL, text: `* as ${whole}` }]
  const given = /^export default (\w+);/.exec(code)?.[1]
  if (given !== undefined) return [{ word: 'default', name: given, text: code }]
  const alone = /^import (?:type )?(\w+)(?:,| from)/.exec(code)?.[1]
  const named = /\{([^}]*)\}/.exec(code)?.[1] ?? ''
  return [alone === undefined ? '' : `default as ${alone}`, ...named.split(',')]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((text) => {
      const [name, word = name] = text.replace(/^type /, '').split(' as ')
      return { word: word!, name: name!, text }
    })
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .replace(COMMENT, '')
      .replace(TEXT, '')
      .match(/[A-Za-z_$][\w$]*/g),
  )
}

function written({ text, parts }: Statement, used: ReadonlySet<Part>): string {
  const isPartial = parts.length > used.size
  const left = parts.filter((part) => used.has(part)).map((part) => part.text)
  const needed = isPartial ? text.replace(/\{[^}]*\}/, `{ ${left.join(', ')} }`) : text
  return needed.replace(ENDING, '$1.js$2')
}

/** tsc keeps the endings of its sources, `./devnet.ts`, which some readers of types do not support. */
const ENDING = /((?:from |import |import\()["']\.[^"'\n]*)\.ts(["'])/g

function fileOf(file: string, module: string): string {
  return join(dirname(file), module.replace(/\.[jt]s$/, '.d.ts'))
}
