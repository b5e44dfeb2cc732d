/** The import map: no room imports what `support/rooms.ts` does not let it, and no files of a room import each other in a circle. */
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
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(SOURCE, room, name))
}

/** What the folders of `room` that `file` is in may import besides. */
function moreFor(file: string, room: string): readonly string[] {
  return Object.entries(ROOMS[room]!.folders ?? {})
    .filter(([folder]) => file.startsWith(join(SOURCE, room, folder, '/')))
    .flatMap(([, more]) => more)
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

/** The files of `src` itself. */
function topFiles(): string[] {
  return readdirSync(SOURCE)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(SOURCE, name))
}

/** The files of this project that a file imports, types included. */
function neighboursOf(file: string): string[] {
  return importsOf(file)
    .filter((module) => module.startsWith('.'))
    .map((module) => join(file, '..', module))
}

/** The files of a circle of imports within `graph`, as they import each other; none where there is no circle. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): string[] => {
    const begin = way.indexOf(file)
    if (begin !== -1) return [...way.slice(begin), file].map((name) => name.slice(SOURCE.length + 1))
    if (done.has(file)) return []
    done.add(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      const circle = visit(next, [...way, file])
      if (circle.length > 0) return circle
    }
    return []
  }
  for (const file of graph.keys()) {
    const circle = visit(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

describe('the import map', () => {
  it.each(Object.keys(ROOMS))('lets %s import only what lies below it', (room) => {
    const { rooms, packages } = ROOMS[room]!
    const allowed = new Set([room, ...rooms, ...packages, ...EVERYWHERE])
    const wrong = filesOf(room).flatMap((file) => {
      const more = moreFor(file, room)
      return importsOf(file)
        .map((module) => ({ module, owner: ownerOf(file, module) }))
        .filter(({ owner }) => !allowed.has(owner) && !more.includes(owner))
        .map(({ module }) => `${file.slice(SOURCE.length + 1)} -> ${module}`)
    })
    expect(wrong).toEqual([])
  })

  it.each([...Object.keys(ROOMS), 'top'])('lets no files of %s import each other in a circle', (room) => {
    const files = room === 'top' ? topFiles() : filesOf(room)
    expect(circleIn(new Map(files.map((file) => [file, neighboursOf(file)])))).toEqual([])
  })

  it('has a row for each room', () => {
    const rooms = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(rooms.map(({ name }) => name).sort()).toEqual(Object.keys(ROOMS).sort())
  })
})

describe('the codes of JSON-RPC', () => {
  it('stand in rpc/errors/errorCodes.ts alone, but for those of real providers, which are faults or come from upstream', () => {
    const others = [...Object.keys(ROOMS).flatMap(filesOf), ...topFiles()]
      .map((file) => file.slice(SOURCE.length + 1))
      .filter(
        (name) =>
          name !== 'rpc/errors/errorCodes.ts' &&
          !/^(faults|upstream|engine\/wasm\/generate)\/|faultForms\.ts$/.test(name),
      )
      .filter((name) => withoutComments(readFileSync(join(SOURCE, name), 'utf8')).some(isCode))
    expect(others).toEqual([])
  })
})

/** The lines of code of a file. */
function withoutComments(text: string): string[] {
  return text.split('\n').filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line))
}

/** Whether a line decides a code: a number of the ranges that JSON-RPC and the specifications use. */
function isCode(line: string): boolean {
  return /(?<!such as )-3[28]\d{3}\b|\bcode: -?\d+\b|= 4900\b/.test(line)
}
