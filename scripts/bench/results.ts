/** RESULTS.md: the page of results, which is also where the figures of topics that were measured earlier are kept. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { version } from '../../src/model/api/text.ts'
import { foundryVersion } from '../foundry.ts'
import type { Row, Verdict } from './row.ts'
import { cells, HEAD, markdownTable } from './table.ts'
import { type Description, TOPICS, type Topic } from './topics.ts'

const PAGE = new URL('RESULTS.md', import.meta.url)

interface Section {
  /** When, where and with which versions: a sentence. */
  readonly measured: string
  readonly rows: readonly (readonly string[])[]
}

/** Writes the page again, with these rows of `topic`. */
export function writeResult(topic: Topic, rows: readonly Row[]): void {
  const sections = sectionsIn(readFileSync(PAGE, 'utf8'))
  const date = new Date().toISOString().slice(0, 10)
  const used = Object.entries(versions()).map((pair) => pair.join(' '))
  sections.set(topic, {
    measured: `Measured on ${date}: ${machine()}; ${used.join(', ')}.`,
    rows: rows.map(cells),
  })
  writeFileSync(PAGE, pageOf(sections))
}

/** Processor, memory, Node and platform in a line. */
export function machine(): string {
  const processors = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${processors[0]?.model.trim()} × ${processors.length}, ${memory} GiB, Node ${process.version}, ${process.platform}-${process.arch}`
}

function versions(): Record<string, string> {
  return {
    preseal: version,
    anvil: foundryVersion('anvil') ?? 'absent',
    '@ethereumjs/vm': installed('@ethereumjs/vm'),
    '@ethereumjs/statemanager': installed('@ethereumjs/statemanager'),
  }
}

/** Read from its folder: these packages do not export their package.json. */
function installed(name: string): string {
  const path = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

function sectionsIn(page: string): Map<string, Section> {
  const [, ...sections] = page.split(/^## /m)
  return new Map(
    sections.map((text) => {
      const lines = text.split('\n')
      const measured = lines.find((line) => line.startsWith('Measured on'))!
      const [, , ...rows] = lines.filter((line) => line.startsWith('|'))
      return [lines[0]!, { measured, rows: rows.map((row) => row.slice(2, -2).split(' | ')) }]
    }),
  )
}

function pageOf(sections: ReadonlyMap<string, Section>): string {
  const known = Object.entries<Description>(TOPICS).flatMap(([topic, { about, note = [] }]) => {
    const section = sections.get(topic)
    return section === undefined ? [] : [{ topic, about, note, ...section }]
  })
  const rows = known.flatMap((section) => section.rows)
  const those = (word: Verdict) => rows.filter((row) => row.at(-1) === word)
  const [missed, unjudged] = [those('missed'), those('not judged')]
  return `${[
    '# Results',
    '<!-- Made by `npm run bench -- --write`: do not edit. -->',
    LEGEND,
    `**Goals:** ${those('met').length} met, ${missed.length} missed, ${unjudged.length} not judged because the peer is absent.`,
    ...list('Missed', missed),
    ...list('Not judged', unjudged),
    ...list(
      'Not measured',
      rows.filter(([, ours]) => ours!.startsWith('skipped')),
    ),
    ...known.flatMap(({ topic, about, note, measured, rows }) => [
      `## ${topic}`,
      `${about[0]!.toUpperCase()}${about.slice(1)}.`,
      measured,
      markdownTable(HEAD, rows),
      ...note,
    ]),
  ].join('\n\n')}\n`
}

const LEGEND = `Figures are medians of several rounds with their extremes. Peers take part in the same rounds, by turns; a ratio
is preseal's figure divided by the peer's, round by round, and the median of that. For durations less than 1 × is
better, for answers per second more. Medians of different rows were taken at different times and should not be divided by
each other.`

function list(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const items = rows.map(([what, ours, peer, , ratio, goal]) => {
    const beside = peer === '' ? '' : `; ${ratio} of ${peer}`
    return `- ${what}: ${ours}${beside}${goal === '' ? '' : `; goal ${goal}`}`
  })
  return [`${title}:`, items.join('\n')]
}
