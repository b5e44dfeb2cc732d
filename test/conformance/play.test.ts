/** The reader and the player of the conformance script, against answers that are made up. */
import { describe, expect, it } from 'vitest'
import { playAll } from '../../scripts/conformance/index.ts'
import { parseIoFile } from '../../scripts/conformance/ioFile.ts'
import { type Ask, play } from '../../scripts/conformance/play.ts'
import { report } from '../../scripts/conformance/report.ts'

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const RESPONSE = '{"jsonrpc":"2.0","id":1,"result":"0x1"}'

const file = (...lines: string[]) => parseIoFile('eth_chainId/x', lines.join('\n'))

/** Answers one body after the other, and keeps what it was asked. */
function answering(...bodies: string[]): { ask: Ask; asked: string[] } {
  const asked: string[] = []
  return { asked, ask: async (body) => bodies[asked.push(body) - 1] ?? '' }
}

describe('a file', () => {
  it('is requests with their responses, and the lines they stand on', () => {
    const { exchanges, isSpecOnly } = file(
      '// What it shows.',
      `>> ${REQUEST}`,
      `<< ${RESPONSE}`,
      '',
      `>>${REQUEST}`,
      `<<  ${RESPONSE}`,
    )
    const exchange = { request: REQUEST, response: JSON.parse(RESPONSE) }
    expect(exchanges).toEqual([
      { line: 2, ...exchange },
      { line: 5, ...exchange },
    ])
    expect(isSpecOnly).toBe(false)
  })

  it('says in its head that it shows examples only', () => {
    const [ask, answer] = [`>> ${REQUEST}`, `<< ${RESPONSE}`]
    expect(file('// What it shows.', '// speconly: only a schema.', ask, answer).isSpecOnly).toBe(true)
    expect(file('// This is speconly: no.', ask, answer).isSpecOnly).toBe(false)
    expect(file(ask, answer, '// speconly: too late').isSpecOnly).toBe(false)
  })

  it.each<[string, string[], RegExp]>([
    ['a line of no kind', ['-- tick'], /^eth_chainId\/x\.io:1: expected \/\/, >> or <</],
    ['a request that is no JSON', ['>> {'], /x\.io:1: expected JSON behind >>, got \{/],
    ['a response that is no JSON', [`>> ${REQUEST}`, '<<'], /x\.io:2: expected JSON behind <</],
    ['a response without its request', [`<< ${RESPONSE}`], /x\.io:1: a response without its request/],
    ['a request without its response', ['// x', `>> ${REQUEST}`], /x\.io:2: a request without its response/],
    ['nothing that is asked', ['// x'], /nothing is asked/],
  ])('is refused with %s', (_, lines, message) => {
    expect(() => file(...lines)).toThrow(message)
  })
})

describe('the player', () => {
  const twice = file(`>> ${REQUEST}`, `<< ${RESPONSE}`, `>> ${REQUEST}`, `<< ${RESPONSE}`)
  const other = RESPONSE.replace('0x1', '0x2')

  it('sends each request as it is written and holds each response against its own', async () => {
    const { ask, asked } = answering(RESPONSE, RESPONSE)
    expect(await play(twice, ask)).toEqual({ kind: 'same' })
    expect(asked).toEqual([REQUEST, REQUEST])
    expect(await play(twice, answering(RESPONSE, other).ask)).toMatchObject({ kind: 'different', line: 3 })
  })

  it('stops at the first response that differs', async () => {
    const { ask, asked } = answering(other, RESPONSE)
    expect(await play(twice, ask)).toMatchObject({ kind: 'different', line: 1 })
    expect(asked).toHaveLength(1)
  })

  it('looks at the last of several responses where the file names one', async () => {
    const last = file(`>> ${REQUEST}`, `>> ${REQUEST}`, `<< ${RESPONSE}`)
    expect(await play(last, answering(other, RESPONSE).ask)).toEqual({ kind: 'same' })
  })

  it('fails where no answer comes, or none in JSON', async () => {
    expect(await play(twice, answering('').ask)).toMatchObject({ kind: 'unanswered', line: 1 })
    const refuse: Ask = () => Promise.reject(new Error('connection refused'))
    expect(await play(twice, refuse)).toEqual({ kind: 'unanswered', line: 1, reason: 'connection refused' })
  })
})

describe('the report', () => {
  const reverting = parseIoFile(
    'eth_call/call-revert-abi-error',
    `>> ${REQUEST}\n<< {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x01"}}`,
  )
  const reverted = (code: number, data: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'execution reverted', data } })
  const inBase = (body: string) => playAll([reverting], 'base', answering(body).ask)

  it('lets a dialect differ where it says that it does', async () => {
    const played = await inBase(reverted(-32000, '0x01'))
    expect(played).toMatchObject([{ verdict: { kind: 'byDesign' } }])
    expect(report(played, 'base')).toBe(`eth_call/call-revert-abi-error.io differs on purpose
  seed 7: the code of an eth_call that reverts is -32000

method    pass  on purpose  fail
--------  ----  ----------  ----
eth_call  0/1   1

0 of 1 files pass in dialect base; 1 differ on purpose, where the seed contradicts the suite`)
  })

  it('fails where the dialect differs elsewhere too, or no longer', async () => {
    expect(await inBase(reverted(-32000, '0x'))).toMatchObject([{ verdict: { kind: 'fail' } }])
    expect(await inBase(reverted(3, '0x01'))).toMatchObject([{ verdict: { kind: 'fail' } }])
  })

  it('lets the dialect of the suite differ nowhere', async () => {
    const played = await playAll([reverting], 'geth', answering(reverted(-32000, '0x01')).ask)
    expect(report(played, 'geth')).toBe(`eth_call/call-revert-abi-error.io:1
  $.error.code: expected 3, got -32000

method    pass  on purpose  fail
--------  ----  ----------  ----
eth_call  0/1               1

0 of 1 files pass in dialect geth; 1 fail`)
  })

  it('counts by method and keeps long failures short', async () => {
    const long = file(`>> ${REQUEST}`, `<< {"id":1,"result":[1,2,3,4,5,6,7,8]}`)
    const bodies = ['{"id":1,"result":[]}', RESPONSE]
    const played = await playAll(
      [long, file(`>> ${REQUEST}`, `<< ${RESPONSE}`)],
      'geth',
      answering(...bodies).ask,
    )
    const text = report(played, 'geth')
    expect(text).toContain('  $.result[5]: expected 6, got nothing\n  … and 2 more\n')
    expect(text).toContain('eth_chainId  1/2               1')
  })
})
