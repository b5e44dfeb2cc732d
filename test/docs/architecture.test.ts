/** The pages on the architecture list the rooms as they are, and name files that are there. */
import { existsSync, readdirSync } from 'node:fs'
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

describe.each(['page', 'solidity'])('src/%s/README.md', (room) => {
  it('names files and folders that are there', () => {
    const named = PAGES.get(`src/${room}/README.md`)!.spans.flatMap(
      (text) => /^[\w-]+(?:\/[\w-]+)*(?:\/|(?:\.\w+)+)$/.exec(text) ?? [],
    )
    const paths = named.filter((name) => /\/$|\.(tsx?|css|js)$/.test(name))
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((name) => !isThere(name, room))).toEqual([])
  })
})

/** Whether a file is in a room, in one of its folders, or at this path from `src` or from the root. */
function isThere(name: string, room: string): boolean {
  const folder = join(ROOT, 'src', room)
  const inFolders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const places = [folder, ...inFolders.map((entry) => join(folder, entry.name)), join(ROOT, 'src'), ROOT]
  return places.some((place) => existsSync(join(place, name)))
}
