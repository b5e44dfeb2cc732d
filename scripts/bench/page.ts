/** The page of results: what was measured, where, with which versions, and which goals were met. */
import { machine, versions } from './machine.ts'
import { type Row, verdict } from './row.ts'
import { cells, HEAD, markdownTable } from './table.ts'
import { type Description, TOPICS, type Topic } from './topics.ts'

/** The whole page, in Markdown. */
export function page(results: ReadonlyMap<Topic, readonly Row[]>): string {
  const rows = [...results.values()].flat()
  const met = rows.filter((row) => verdict(row) === 'met').length
  const missed = rows.filter((row) => verdict(row) === 'missed')
  const unjudged = rows.filter((row) => verdict(row) === 'unjudged')
  const sections = [...results].map(([topic, own]) => {
    const { about, note }: Description = TOPICS[topic]
    const parts = [`## ${topic}`, sentence(about), markdownTable(HEAD, own.map(cells)), ...(note ?? [])]
    return parts.join('\n\n')
  })
  return `${[
    '# Results',
    `<!-- Made by \`npm run bench -- --write\`: do not edit. -->`,
    `Measured on ${new Date().toISOString().slice(0, 10)} with \`npm run bench -- --write\`: ${machine()}.`,
    markdownTable(['', 'version'], Object.entries(versions())),
    LEGEND,
    `**Goals:** ${met} met, ${missed.length} missed, ${unjudged.length} not judged for want of a peer.`,
    ...list('Missed', missed),
    ...list('Not judged', unjudged),
    ...list(
      'Not measured',
      rows.filter((row) => 'skipped' in row),
    ),
    ...sections,
  ].join('\n\n')}\n`
}

const LEGEND = `Figures are medians of several rounds with their extremes. Peers take part in the same rounds, by turns; a
ratio is what preseal's figure is to the peer's, made round by round, and its median. Where time is measured less than 1 × is
better, where answers a second are counted more is. Medians of different rows were taken at different times and should not
be divided by each other.`

function list(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  const items = rows.map((row) => {
    const [what, ours, peer, theirs, ratio, goal] = cells(row)
    const beside = peer === '' ? '' : `; ${peer}: ${theirs}; ratio ${ratio}`
    return `- ${what}: ${ours}${beside}${goal === '' ? '' : `; goal ${goal}`}`
  })
  return [`${title}:`, items.join('\n')]
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}
