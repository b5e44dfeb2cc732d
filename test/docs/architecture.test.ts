/** The page on the architecture lists the rooms as they are, and names files that are there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PAGES, ROOT } from '../support/docs/pages.ts'
import { ROOMS } from '../support/rooms.ts'

const page = PAGES.get('src/README.md')!
const [list, ...flows] = page.blocks.filter(({ language }) => language === 'text')
/** The rooms in the order of the page, from top to bottom. */
const listed = [...list!.text.matchAll(/^ {2}(\w+)/gm)].map(([, room]) => room!)

describe('src/README.md', () => {
  it('lists each room, those that a room may import below it', () => {
    expect(listed.toReversed()).toEqual(Object.keys(ROOMS))
    const wrong = Object.entries(ROOMS).flatMap(([room, { rooms }]) =>
      rooms
        .filter((below) => below !== 'top' && listed.indexOf(below) <= listed.indexOf(room))
        .map((below) => [room, below]),
    )
    expect(wrong).toEqual([])
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
