/** The JSON value of a failed test, by what vitest, Playwright and node:test know of an error. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withFailure } from '../../src/reports/reportDocument.ts'
import { RecordedChains } from '../../src/reports/tests/recordedChains.ts'
import { failureOf } from '../../src/reports/tests/testFailure.ts'
import { STRANGER, started } from '../support/clients/clients.ts'
import { bankRun, frameAt, openBank, SOURCES } from '../support/compilers/bank.ts'
import { rejection } from '../support/compilers/stackTraces.ts'

const FILE = fileURLToPath(import.meta.url)
const NONE = { kind: 'none', problem: 'no chain' } as const

/** A stack trace with a frame in this file, in a package and in Node. */
const STACK = (message: string) =>
  [
    message,
    '    at async Promise.all (index 0)',
    '    at /elsewhere/node_modules/viem/read.js:5:6',
    `    at async pays (file://${FILE}:3:10)`,
    '    at node:internal/process/task_queues:95:5',
  ].join('\n')

const of = async (...errors: unknown[]) => {
  const { errors: described } = await failureOf({ names: ['pays'], file: FILE, errors }, NONE)
  return described
}

const IN_TEST = {
  function: 'pays',
  file: 'test/reports/testFailure.test.ts',
  line: 3,
  column: 10,
  excerpt: { firstLine: 1, text: readFileSync(FILE, 'utf8').split('\n').slice(0, 6).join('\n') },
}

describe('an error', () => {
  it('of vitest has the difference without colours, and only the frames of the project', async () => {
    const stack = STACK('AssertionError: expected 1 to be 2')
    const diff = '\u001b[32m- 2\u001b[39m\n\u001b[31m+ 1\u001b[39m'
    const error = { name: 'AssertionError', message: 'expected 1 to be 2', stack, diff }
    expect(await of(error)).toEqual([
      { name: 'AssertionError', message: error.message, diff: '- 2\n+ 1', solidity: [], test: [IN_TEST] },
    ])
  })

  it('of Playwright has the name that its message begins with', async () => {
    const message = 'Error: \u001b[2mexpect(\u001b[22mreceived\u001b[2m)\u001b[22m.toBe(expected)'
    expect(await of({ message, stack: STACK(message) })).toMatchObject([
      { name: 'Error', message: 'expect(received).toBe(expected)', test: [IN_TEST] },
    ])
    expect(await of({ value: "'a thrown text'" })).toMatchObject([{ message: "'a thrown text'" }])
  })

  it('of node:test is the one within that of the runner', async () => {
    const cause = Object.assign(new Error('1 == 2'), { expected: 2, actual: 1, stack: STACK('') })
    const error = Object.assign(new Error('1 == 2', { cause }), { code: 'ERR_TEST_FAILURE' })
    expect(await of(error)).toMatchObject([{ message: '1 == 2', diff: '- 2\n+ 1', test: [IN_TEST] }])
  })

  it('without a frame in the file has the line where the test is declared', async () => {
    const line =
      readFileSync(FILE, 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('pays')) + 1
    expect(await of({ message: 'Test timed out in 5000ms.' })).toMatchObject([{ test: [{ line }] }])
  })
})

describe('code that reverted', () => {
  async function bank() {
    const devnet = await started({ rhythm: 'instant' })
    devnet.artifacts.add(bankRun())
    const { bank } = await openBank(devnet)
    const chains = new RecordedChains()
    onTestFinished(async () => void (await chains.end()))
    await chains.begin(devnet)
    const pay = { ...bank, functionName: 'pay', args: [STRANGER, 5n] }
    const failure = async (error: unknown) => {
      const [chain] = await chains.end()
      return failureOf({ names: ['pays'], file: FILE, errors: [error] }, chain ?? NONE)
    }
    return { devnet, pay, failure }
  }

  const POOR = frameAt('Checks.requireFunds', 'contracts/Token.sol', 'if (has < needs)', 'revert')
  const [, line] = /Token\.sol:(\d+)/.exec(POOR) ?? []

  it('in a request is found by its place, with its calls and the text that was compiled', async () => {
    const { devnet, pay, failure } = await bank()
    const error = await rejection(() => devnet.write(pay))
    await rejection(() => devnet.read({ ...pay, functionName: 'ask', args: [STRANGER] }))
    const { errors, reverted } = await failure(error)
    const frame = errors[0]?.solidity[0]
    expect(frame).toMatchObject({ file: 'contracts/Token.sol', line: Number(line) })
    expect(SOURCES['contracts/Token.sol']).toContain(frame?.excerpt?.text)
    expect(reverted).toMatchObject({ isCause: true, solidity: errors[0]?.solidity })
    const calls = reverted?.calls
    expect([calls, calls?.calls?.[0]].map((call) => call?.error)).toEqual(Array(2).fill('execution reverted'))
  })

  it('in a transaction is found by the hash in the message', async () => {
    const { devnet, pay, failure } = await bank()
    const sent = async () => (await devnet.write({ ...pay, gas: 300_000n, until: 'accepted' })).hash
    const [hash] = [await sent(), await sent()]
    const { reverted } = await failure(new Error(`expected ${hash} to succeed`))
    expect(reverted).toMatchObject({ isCause: true, transaction: hash })
    expect(reverted?.solidity[0]?.line).toBe(Number(line))
  })

  it('is only the last that failed where the error has another reason', async () => {
    const { devnet, pay, failure } = await bank()
    await rejection(() => devnet.write(pay))
    const { reverted } = await failure(new Error('expected 1 to be 2'))
    expect(reverted?.isCause).toBe(false)
    expect(reverted?.solidity[0]?.line).toBe(Number(line))
    expect(reverted?.calls).toBeUndefined()
  })
})

it('a failure in a document ends no element of it', () => {
  const failure = { test: '</script><!-- <b>' }
  const document = withFailure('<script type="application/json" id="failure"></script>', failure)
  const [, json] = /^<script type="application\/json" id="failure">([^<]*)<\/script>$/.exec(document) ?? []
  expect(JSON.parse(json ?? '')).toEqual(failure)
})
