/** The page on the architecture draws the rooms as they are, and names files that are there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PAGES, ROOT, rowsOf, spansOf } from './support/pages.ts'
import { ROOMS } from './support/rooms.ts'

const page = PAGES.get('src/README.md')!
const [drawing, ...flows] = page.blocks.filter(({ language }) => language === 'text')
const rows = rowsOf(page, 'Rooms')

describe('src/README.md', () => {
  it('has a row for each room, from bottom to top, with what it may import', () => {
    const shown = rows.map(([room, imports]) => [
      spansOf(room!)[0],
      spansOf(imports!.replace('files of `src`', '`top`')).sort(),
    ])
    expect(shown).toEqual(Object.entries(ROOMS).map(([room, { rooms }]) => [room, [...rooms].sort()]))
  })

  it('draws each room above those that it may import', () => {
    const lines = drawing!.text.split('\n').map(wordsOf)
    const heightOf = (room: string) =>
      lines.findIndex((words) => words.includes(room === 'top' ? 'files' : room))
    const wrong = Object.entries(ROOMS).flatMap(([room, { rooms }]) =>
      rooms
        .filter((below) => !(heightOf(room) !== -1 && heightOf(room) < heightOf(below)))
        .map((below) => [room, below]),
    )
    expect(wrong).toEqual([])
  })

  it('draws each room once', () => {
    const words = drawing!.text.split('\n').flatMap(wordsOf)
    const rooms = words.filter((word) => word in ROOMS)
    expect(rooms.sort()).toEqual(Object.keys(ROOMS).sort())
  })

  it('names files that are there', () => {
    const named = [...page.spans, ...flows.map(({ text }) => text)].flatMap(
      (text) => text.match(/[\w.-]+(?:\/[\w.-]+)*\.ts\b/g) ?? [],
    )
    expect(named.length).toBeGreaterThan(30)
    const absent = named.filter(
      (file) => !existsSync(join(ROOT, 'src', file)) && !existsSync(join(ROOT, file)),
    )
    expect(absent).toEqual([])
  })
})

/** The column where the drawing ends and remarks begin. */
const REMARKS = 52

/** What stands in a line of the drawing. */
function wordsOf(line: string): string[] {
  return line.slice(0, REMARKS).match(/[a-z]+/g) ?? []
}
