/** What the console of the page reads, keeps and writes for other tools. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  type Asking,
  asCurl,
  history,
  methodNamed,
  methodsWith,
  paramsOf,
  readingOnly,
  remember,
  TOPICS,
} from '../../src/page/views/console/requests.ts'

describe('parameters', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['"0x1", true', ['0x1', true]],
    ['["0x1", true]', ['0x1', true]],
    ['{"to": null}', [{ to: null }]],
    ['[[1], 2]', [[1], 2]],
  ])('%j are %j', (text, params) => {
    expect(paramsOf(text)).toEqual(params)
  })

  it.each(['{', '"a" "b"', 'latest'])('%j are refused', (text) => {
    expect(() => paramsOf(text)).toThrow(SyntaxError)
  })
})

it('a shell passes on what the curl command has, quotes included', () => {
  const command = asCurl('http://127.0.0.1:8545/', {
    method: 'eth_call',
    params: '{"note": "it\'s $HOME `x`"}',
  })
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, 'printf "%s\\n"')], { encoding: 'utf8' })
  const lines = printed.trim().split('\n')
  expect(lines[1]).toBe('http://127.0.0.1:8545/')
  expect(JSON.parse(lines.at(-1)!)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_call',
    params: [{ note: "it's $HOME `x`" }],
  })
})

describe('what was asked', () => {
  function storage(text: string | null = null) {
    const kept = { text }
    return {
      kept,
      getItem: () => kept.text,
      setItem: (_: string, next: string) => {
        kept.text = next
      },
    }
  }

  it('is kept once, the newest first, and at most fifty', () => {
    const place = storage()
    for (let i = 0; i < 60; i++) remember({ method: 'm', params: `${i}` }, place)
    const all = remember({ method: 'm', params: '30' }, place)
    expect(all).toHaveLength(50)
    expect(all.slice(0, 2).map(({ params }: Asking) => params)).toEqual(['30', '59'])
    expect(history(place)).toEqual(all)
  })

  it.each(['{', '7', '[7, {"method": 1}]'])('is empty where another page left %s', (text) => {
    expect(history(storage(text))).toEqual([])
  })
})

describe('the method table', () => {
  it('has each method once', () => {
    const names = TOPICS.flatMap(({ methods }) => methods.flatMap(({ names }) => names))
    expect(new Set(names).size).toBe(names.length)
    expect(methodNamed('eth_getBalance')?.parameters).toEqual(['address', 'block?'])
  })

  it('finds methods by words of their names and meanings', () => {
    const found = methodsWith('slices BLOCK').flatMap(({ methods }) => methods.map(({ names }) => names[0]))
    expect(found).toContain('preseal_getSlices')
    expect(found).not.toContain('eth_getBalance')
  })

  it('leaves out what changes the chain where a page only reads', () => {
    const names = readingOnly().flatMap(({ methods }) => methods.map(({ names }) => names[0]!))
    expect(names).toEqual(expect.arrayContaining(['eth_call', 'debug_traceCall', 'preseal_explain']))
    expect(
      names.filter((name) =>
        /^(anvil|evm|hardhat|tenderly|personal|miner|wallet)_|send|[sS]ign|_(add|set|reorg|cut)/.test(name),
      ),
    ).toEqual([])
  })
})
