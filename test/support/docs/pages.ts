/** The pages of this repository: what they show, where they point to, what they name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** What stands between two fences. */
export interface Block {
  /** `README.md:12`, for messages. */
  readonly place: string
  readonly language: string
  readonly text: string
}

export interface Page {
  /** From the root: `docs/faults.md`. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
  /** Code within sentences and tables, without its backticks. */
  readonly spans: readonly string[]
  /** Paths and anchors that links of this page name, but for those of the web. */
  readonly links: readonly string[]
  /** What can stand behind `#`. */
  readonly anchors: ReadonlySet<string>
}

/** `docs/api` is generated. */
const NOT_OURS = ['node_modules', 'dist', '.git', 'docs/api']

function pagePaths(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return NOT_OURS.includes(path) ? [] : pagePaths(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

const FENCED = /^ *```(.*)\n([\s\S]*?)^ *```$/gm
const SPAN = /(`+)(.+?)\1/g

/** All pages, by path. */
export const PAGES: ReadonlyMap<string, Page> = new Map(pagePaths().map((path) => [path, read(path)]))

function read(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const blocks = [...text.matchAll(FENCED)].map(({ index, 1: language, 2: code }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    language: language!.trim(),
    text: code!,
  }))
  const prose = text.replaceAll(FENCED, '')
  return {
    path,
    text,
    blocks,
    spans: [...prose.matchAll(SPAN)].map(([, , code]) => code!),
    links: [...prose.replaceAll(SPAN, '').matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target]) => target!),
    anchors: anchorsOf(prose),
  }
}

/** As GitHub makes them of headings. */
function anchorsOf(prose: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading] of prose.matchAll(/^#+ +(.+)$/gm)) {
    const words = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    const anchor = words.trim().replaceAll(' ', '-')
    let numbered = anchor
    for (let i = 1; anchors.has(numbered); i++) numbered = `${anchor}-${i}`
    anchors.add(numbered)
  }
  return anchors
}

/** All cells of the tables of a page, or of what stands under one of its headings, row by row; heads and rules left out. */
export function rowsOf(page: Page, heading?: string): string[][] {
  const text = heading === undefined ? page.text : sectionOf(page, heading)
  const lines = text.replaceAll(FENCED, '').split('\n')
  return lines
    .filter((line, i) => line.startsWith('|') && !isRule(line) && !isRule(lines[i + 1] ?? ''))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    )
}

/** What stands between a heading and the next of its rank or above. */
export function sectionOf({ path, text }: Page, heading: string): string {
  const [, rank, rest] = new RegExp(`^(#+) ${heading}\n([\\s\\S]*)`, 'm').exec(text) ?? []
  if (rest === undefined) throw new Error(`${path} has no heading "${heading}"`)
  const end = rest.search(new RegExp(`^#{1,${rank!.length}} `, 'm'))
  return end === -1 ? rest : rest.slice(0, end)
}

function isRule(line: string): boolean {
  return /^\|[\s:|-]+\|$/.test(line)
}

/** Code within a cell. */
export function spansOf(cell: string): string[] {
  return [...cell.matchAll(SPAN)].map(([, , code]) => code!)
}
