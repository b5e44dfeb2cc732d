/** The page of results: what was measured, where, with which versions, and which goals were met. */
import type { Result, Results } from './results.ts'
import { type Row, verdict } from './row.ts'
import { cells, HEAD, markdownTable } from './table.ts'
import { type Description, TOPICS, type Topic } from './topics.ts'

/** The whole page, in Markdown. */
export function page(results: Results): string {
  const all = Object.entries(results) as [Topic, Result][]
  const rows = all.flatMap(([, result]) => result.rows)
  const met = rows.filter((row) => verdict(row) === 'met').length
  const missed = rows.filter((row) => verdict(row) === 'missed')
  const unjudged = rows.filter((row) => verdict(row) === 'unjudged')
  const newest = all.map(([, result]) => result).reduce((one, other) => (other.date > one.date ? other : one))
  const sections = all.map(([topic, result]) => {
    const { about, note }: Description = TOPICS[topic]
    const parts = [
      `## ${topic}`,
      sentence(about),
      markdownTable(HEAD, result.rows.map(cells)),
      ...(note ?? []),
    ]
    return [...parts, ...apart(result, newest)].join('\n\n')
  })
  return `${[
    '# Results',
    `<!-- Made by \`npm run bench -- --write\`: do not edit. -->`,
    `Measured on ${newest.date} with \`npm run bench -- --write\`: ${newest.machine}.`,
    markdownTable(['', 'version'], Object.entries(newest.versions)),
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

/** Says when and where a topic was measured, if that was not as at the head of the page. */
function apart({ date, machine, versions }: Result, newest: Result): string[] {
  const others = Object.entries(versions).filter(([name, version]) => newest.versions[name] !== version)
  const where = machine === newest.machine ? '' : `: ${machine}`
  const used = others.length === 0 ? '' : `, with ${others.map((pair) => pair.join(' ')).join(', ')}`
  return date === newest.date && where === '' && used === '' ? [] : [`Measured on ${date}${where}${used}.`]
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
