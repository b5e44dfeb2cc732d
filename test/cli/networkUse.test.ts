/** What the command line says of a network that it waits for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type SlowNode, slowNode } from '../../scripts/bench/network/slowNode.ts'
import { NetworkUse } from '../../src/cli/networkUse.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { tellTraffic } from '../../src/upstream/upstream.ts'
import { temporaryFolder } from '../support/processes/files.ts'
import { startCli } from '../support/processes/process.ts'
import { startOnTerminal, terminal } from '../support/processes/terminal.ts'

const NODE = 'rpc.example.org'

describe('a wait for a network', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** What shows of two waits: one of half a second, one of seven seconds, in which the node wants to be left alone. */
  function shown(format: 'text' | 'json' | 'silent', isTTY: boolean, block?: number) {
    const printed: string[] = []
    const { stream, lines } = terminal({ isTTY, columns: 120 })
    const manner = { format, print: (line: string) => printed.push(line), terminal: stream }
    const use = new NetworkUse(manner)
    const request = (requests: number, ms: number) => {
      tellTraffic({ kind: 'begun', node: NODE, requests })
      vi.advanceTimersByTime(ms / 2)
      if (ms > 1_000) tellTraffic({ kind: 'delayed', node: NODE, problem: 'rateLimited' })
      vi.advanceTimersByTime(ms / 2)
      tellTraffic({ kind: 'ended', node: NODE, requests })
      tellTraffic({ kind: 'kept', node: NODE, requests: requests - 1, isOnDisk: block !== undefined })
    }
    tellTraffic({ kind: 'cached', node: NODE, requests: 1_200 })
    request(3, 400)
    request(41, 7_000)
    use.end(block === undefined ? {} : { block })
    return { printed, lines: lines() }
  }

  it('is a line after a second, and every five, where there is no terminal', () => {
    expect(shown('text', false)).toEqual({
      lines: [],
      printed: [
        `waiting for ${NODE}: 41 requests (1,203 others before, 1,200 from the cache), 1 s`,
        `waiting for ${NODE}: 41 requests (1,203 others before, 1,200 from the cache); its rate is limited, retrying, 6 s`,
        `${NODE}: 44 requests in 7.4 s, 1,200 answers from the cache; with --fork-cache FILE the next run would not need 42 requests of these`,
      ],
    })
  })

  it('moves on a terminal', () => {
    const { printed, lines } = shown('text', true)
    expect(printed).toHaveLength(1)
    expect(lines.length).toBeGreaterThan(50)
    expect(lines[0]).toMatch(/^\S waiting for rpc\.example\.org: 41 requests \(1,203 others before/)
  })

  it('is an event for programs, and nothing where silence was asked for', () => {
    const events = shown('json', false).printed.map((line) => JSON.parse(line))
    expect(events.slice(0, -1).map(({ event }) => event)).toEqual(Array(7).fill('progress'))
    expect(events[0]).toMatchObject({ waiting: 41, asked: 3, cached: 1_200, seconds: 1 })
    expect(events.at(-1)).toEqual({
      ...{ event: 'network', asked: 44, cached: 1_200, kept: 42, isOnDisk: false, seconds: 7.4 },
    })
    expect(shown('silent', true)).toEqual({ printed: [], lines: [] })
  })

  it('ends with what another cache would have saved', () => {
    expect(shown('text', true, 17).printed[0]).toContain(
      '; the next run will find 42 requests of these in the cache',
    )
  })
})

describe('the command line', () => {
  let network: Devnet
  let node: SlowNode
  let url: string
  /** Lets the node answer. */
  let release: () => void

  beforeEach(async () => {
    network = await createDevnet({ rhythm: 'manual' })
    await network.mine(3)
    node = await slowNode(network, 0)
    url = `${node.url}/very-secret-key`
    node.gate = new Promise((resolve) => {
      release = resolve
    })
  })
  afterEach(async () => {
    release()
    await node.close()
    await network.close()
  })

  it('says that it waits for a slow network, and at the end what that was', async () => {
    const cli = startCli('--fork-url', url, '--port', '0', '--rhythm', 'manual')
    await cli.printed(/^waiting for 127\.0\.0\.1:\d+: 3 requests, \d+ s$/m)
    release()
    await cli.printed(/^Listening/m)
    cli.kill('SIGINT')
    const { code, stdout, stderr } = await cli.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^127\.0\.0\.1:\d+: \d+ requests in [\d.]+ s, .*with --fork-cache FILE the next run/m,
    )
    expect(stdout + stderr).not.toContain('secret')
  })

  it('finds it in the cache the next time', async () => {
    release()
    const at = await temporaryFolder()
    const flags = [
      '--fork-url',
      `${url}@2`,
      '--fork-cache',
      at('kept.jsonl'),
      '--port',
      '0',
      '--rhythm',
      'manual',
    ]
    const ends: string[] = []
    for (let run = 0; run < 2; run++) {
      const cli = startCli(...flags)
      await cli.printed(/^Listening/m)
      cli.kill('SIGINT')
      ends.push((await cli.ended).stdout.trim().split('\n').at(-1)!)
    }
    expect(ends[0]).toMatch(
      /, 0 answers from the cache; the next run will find \d+ requests of these in the cache$/,
    )
    expect(ends[1]).toMatch(/: \d requests in [\d.]+ s, \d\d+ answers from the cache$/)
  })

  it('moves a line on a real terminal, which is gone when it listens', async () => {
    const cli = startOnTerminal(
      { rows: 24, columns: 100 },
      ...['--fork-url', url, '--port', '0', '--rhythm', 'manual'],
    )
    try {
      await cli.printed(/(?:waiting for 127\.0\.0\.1:\d+: 3 requests, \d+ s.*){3}/s)
      release()
      await cli.printed(/Listening on/)
      cli.type('\u0003')
      expect((await cli.ended).code).toBe(0)
      expect(cli.stdout).not.toContain('secret')
      // Each moving line begins at the left, and is cleared before another is printed.
      const moved = cli.stdout.split('\r').filter((line) => line.includes('waiting for'))
      expect(moved.length).toBeGreaterThan(2)
      expect(moved.every((line) => !line.includes('\n'))).toBe(true)
    } finally {
      cli.kill('SIGKILL')
    }
  })
})
