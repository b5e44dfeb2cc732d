/** How work that takes long shows: on a terminal, without one, for programs, and not at all. */
import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Progress } from '../../src/terminal/progress.ts'
import { temporaryFolder } from '../support/processes/files.ts'
import { startOnTerminal, terminal } from '../support/processes/terminal.ts'

describe('work that takes long', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** What shows of half a minute of work. */
  function shown(format: 'text' | 'json' | 'silent', size: { isTTY?: boolean; columns?: number }) {
    const printed: string[] = []
    const { stream, lines } = terminal(size)
    let percent = 0
    const manner = { format, print: (line: string) => printed.push(line), terminal: stream }
    const progress = new Progress('loading x', manner, () => ({ text: `${percent} %`, fields: { percent } }))
    for (let second = 0; second < 12; second++, percent += 5) vi.advanceTimersByTime(1_000)
    progress.end()
    vi.advanceTimersByTime(10_000)
    return { printed, lines: lines() }
  }

  it('moves a line on a terminal, which is no longer than the terminal is wide', () => {
    const { printed, lines } = shown('text', { columns: 16 })
    expect(printed).toEqual([])
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.at(-1)).toMatch(/^\S loading x: 55$/)
  })

  it.each([
    ['there is no terminal', { isTTY: false }],
    ['the terminal has no columns', { columns: 0 }],
  ])('prints a line after a second and every five seconds where %s', (_, size) => {
    const { printed, lines } = shown('text', size)
    expect(lines).toEqual([])
    expect(printed).toEqual(['loading x: 0 %, 1 s', 'loading x: 25 %, 6 s', 'loading x: 50 %, 11 s'])
  })

  it('prints nothing but JSON for programs, once a second', () => {
    const { printed, lines } = shown('json', {})
    expect(lines).toEqual([])
    expect(printed).toHaveLength(12)
    expect(JSON.parse(printed[4]!)).toEqual({ event: 'progress', work: 'loading x', seconds: 5, percent: 20 })
  })

  it('shows nothing where silence was asked for', () => {
    expect(shown('silent', {})).toEqual({ printed: [], lines: [] })
  })
})

describe('on a real terminal', () => {
  const waiting = 'export default () => new Promise((done) => setTimeout(done, 1500, { ready: 1 }))'

  it.each([
    { rows: 0, columns: 0 },
    { rows: 24, columns: 80 },
  ])('of $columns columns it shows a fixture that takes long, and Ctrl-C ends it', async (size) => {
    const at = await temporaryFolder()
    await writeFile(at('waiting.mjs'), waiting)
    const preseal = startOnTerminal(size, '--port', '0', '--rhythm', 'manual', '--fixture', at('waiting.mjs'))
    try {
      await preseal.printed(/Listening on/)
      expect(preseal.stdout.length).toBeLessThan(20_000)
      expect(preseal.stdout).toContain('waiting.mjs: 0 blocks')
      preseal.type('\u0003')
      expect((await preseal.ended).code).toBe(0)
    } finally {
      preseal.kill('SIGKILL')
    }
  })
})
