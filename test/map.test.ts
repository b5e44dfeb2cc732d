/** The import map: no room imports what `support/rooms.ts` does not let it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVERYWHERE, ROOMS } from './support/rooms.ts'

const SOURCE = join(import.meta.dirname, '../src')

/** The modules that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()'([^'\n]+)'/g)].map(([, module]) => module!)
}

function filesOf(room: string): string[] {
  return readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(SOURCE, room, name))
}

/** What `module`, imported by `file`, belongs to: a room, `top` (a file of `src` itself), or a package. */
function ownerOf(file: string, module: string): string {
  if (!module.startsWith('.'))
    return module
      .split('/')
      .slice(0, module.startsWith('@') ? 2 : 1)
      .join('/')
  const [room, ...rest] = join(file, '..', module)
    .slice(SOURCE.length + 1)
    .split('/')
  return rest.length === 0 ? 'top' : room!
}

describe('the import map', () => {
  it.each(Object.keys(ROOMS))('lets %s import only what lies below it', (room) => {
    const { rooms, packages } = ROOMS[room]!
    const allowed = new Set([room, ...rooms, ...packages, ...EVERYWHERE])
    const wrong = filesOf(room).flatMap((file) =>
      importsOf(file)
        .map((module) => ({ module, owner: ownerOf(file, module) }))
        .filter(({ owner }) => !allowed.has(owner))
        .map(({ module }) => `${file.slice(SOURCE.length + 1)} -> ${module}`),
    )
    expect(wrong).toEqual([])
  })

  it('has a row for each room', () => {
    const rooms = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(rooms.map(({ name }) => name).sort()).toEqual(Object.keys(ROOMS).sort())
  })
})
