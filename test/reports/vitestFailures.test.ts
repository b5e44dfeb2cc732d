/** Reports of tests that fail in many ways. Each begins with its cause: the message, the line of the test, that of Solidity. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FailureFrame, TestFailure } from '../../src/reports/tests/testFailure.ts'
import { FailingProject } from '../support/compilers/failingProject.ts'
import type { Ended } from '../support/processes/process.ts'

const TESTS = 'test/vault.test.ts'
const SOLIDITY = 'contracts/Vault.sol'

/** How a test of `failing/vault.ts` fails. */
interface Kind {
  readonly message: RegExp
  /** The mark of the line in Solidity (`// at: …`), where there is one. */
  readonly at?: string
  /** Parts of the difference that it shows. */
  readonly diff?: readonly string[]
  /** What failed on the chain. By default a request where there is a line in Solidity. */
  readonly reverted?: 'transaction' | 'request' | 'none'
  /** Where the test is declared, because its error has no frame in it. */
  readonly isDeclaration?: boolean
}

const POOR = /TooPoor\(account: 0x\w{40}, has: 100, needs: \d+\)/

/** Each test by its name, with what it says by its own assertion, by solc's names of panics, or by Solidity's `require`. */
const KINDS: Readonly<Record<string, Kind>> = {
  'a value > number': { message: /expected 100n to be 5n/, diff: ['- 5n', '+ 100n'] },
  'a value > object': { message: /to deeply equal/, diff: ['-   "chain": 1,', '+   "chain": 31337,'] },
  'a value > text': { message: /to be 'paid by nobody'/, diff: ['paid by nobody', 'paid by 10 accounts'] },
  'a value > list': { message: /to have a length of 3 but got 10/, diff: ['- 3', '+ 10'] },
  'a value > of a helper': { message: /expected 100n to be 7n/, diff: ['- 7n', '+ 100n'] },
  'a value > soft': { message: /expected 100n to be 6n/, diff: ['- 6n', '+ 100n'] },
  'a value > polled': { message: /expected 100n to be 8n/, diff: ['- 8n', '+ 100n'] },
  'a value > inline snapshot': { message: /Snapshot .* mismatched/, diff: ['instant', 'manual'] },
  'a value > that should be thrown': { message: /expected .*Function.* to throw/ },
  'an event > not emitted': { message: /expected the event Moved, but these were emitted:\n {2}Stored/ },
  'an event > with another argument': { message: /amount: expected 2/ },
  'an event > of a transaction that reverts': { message: POOR, at: 'tooPoor', reverted: 'transaction' },
  'an event > unwanted': { message: /expected no event Stored, but there was Stored/ },
  'an event > that the ABI lacks': { message: /the ABI has no event Sold: its events are Moved, Stored/ },
  'a revert > with a custom error': { message: POOR, at: 'tooPoor' },
  'a revert > in a sealed transaction': { message: POOR, at: 'tooPoor', reverted: 'transaction' },
  'a revert > in a loop of calls': { message: /TooPoor\(.*has: 20, needs: 40\)/, at: 'tooPoor' },
  'a revert > in a library': { message: /TooLarge\(amount: 1001, most: 1000\)/, at: 'tooLarge' },
  'a revert > with a reason': { message: /the amount is too small/, at: 'tooSmall' },
  'a revert > without a reason': { message: /reverted/, at: 'silent' },
  'a revert > of another contract': { message: /unlucky/, at: 'unlucky' },
  'a revert > in a modifier': { message: /Paused\(\)/, at: 'paused' },
  'a revert > in a constructor': { message: /a ledger needs a vault/, at: 'noVault' },
  'a revert > of a contract without code': { message: /returned 0 bytes/, at: 'noCode' },
  'a revert > after a payment that was refused': { message: /not paid/, at: 'notPaid' },
  'a revert > in a call of viem': { message: /"said" reverted.*the amount is too small/s, at: 'tooSmall' },
  'a revert > in a simulation of viem': { message: /"move" reverted.*TooPoor/s, at: 'tooPoor' },
  'a revert > in a transaction of viem': {
    message: /expected 'reverted' to be 'success'/,
    diff: ['success', 'reverted'],
    at: 'tooPoor',
    reverted: 'transaction',
  },
  'a revert > of code without artifacts': { message: /execution reverted/, reverted: 'request' },
  'a panic > of arithmetic': { message: /underflow or overflow/, at: 'underflow' },
  'a panic > of a division': { message: /division or modulo by zero/, at: 'zero' },
  'a panic > of an index': { message: /out-of-bounds/, at: 'outOfBounds' },
  'a panic > of an enum': { message: /enum/, at: 'badMode' },
  'a panic > of an empty list': { message: /popping on an empty array/, at: 'empty' },
  'a panic > of an assertion': { message: /assert/, at: 'assertion' },
  'a halt > without gas': { message: /out of gas/, at: 'endless', reverted: 'transaction' },
  'a halt > of an invalid opcode': { message: /invalid opcode/, at: 'invalid' },
  'a halt > of a function that is not payable': { message: /store is not payable/, at: 'store' },
  'a halt > of an unknown function': { message: /no function with the selector 0x12345678/, at: 'Vault' },
  'an expectation > of a revert': { message: /expected a revert, but the transaction 0x\w{64} succeeded/ },
  'an expectation > of no revert': { message: /expected no revert.*too small/, at: 'tooSmall' },
  'an expectation > of another reason': { message: /"too large".*"the amount is too small"/, at: 'tooSmall' },
  'an expectation > of another panic': { message: /panic 0x11.*panicked with 0x12/, at: 'zero' },
  'an expectation > of another balance': { message: /to change by 6 wei, but it changed by 5 wei/ },
  'an expectation > of less gas': { message: /to cost 21,000 gas, but it cost/ },
  'an expectation > of a seal': { message: /to be sealed, but it is pre-confirmed/ },
  'a transaction > that is dropped': { message: /to be sealed, but a planned fault/ },
  'a transaction > that a reorg removes': { message: /to be sealed, but .*reorg/ },
  'a transaction > that nobody can pay': { message: /insufficient funds/ },
  'a transaction > of the wrong chain': { message: /id: 31337\) does not match the target chain .*id: 5/ },
  'a transaction > that waits too long': {
    message: /Test timed out in 300ms.*The transaction 0x\w{64} is in no block/s,
    isDeclaration: true,
  },
  'a transaction > whose receipt does not come': {
    message: /Timed out while waiting for transaction/,
    isDeclaration: true,
  },
  'a transaction > whose request fails': { message: /the node is busy/ },
  'a bug of the test > a member of nothing': { message: /Cannot read properties of undefined/ },
  'a bug of the test > an unknown function': { message: /expected a function of the ABI, got "sum"/ },
  'a bug of the test > an unknown contract': { message: /there is no contract Valt.*did you mean Vault\?/ },
  'a bug of the test > a thrown text': { message: /^no error, but text manual$/, isDeclaration: true },
  'a bug of the test > a matcher that is not awaited': { message: /expected a revert, but the transaction/ },
  'a bug of the test > a long message': { message: /to be 'short'/, diff: ['- short', '+ ['] },
  'an exploration > of a contract': {
    message: /invariant small does not hold after 2 actions\n {2}1\. store\(1\)/,
  },
  'an exploration > of an app': { message: /in a story with 1 fault: expected 100n to be 101n/ },
  'a hook > before > runs before each test': { message: POOR, at: 'tooPoor' },
  'a hook > after > runs after each test': { message: /expected 100n to be 9n/, diff: ['- 9n', '+ 100n'] },
}

let made: FailingProject
let output: Ended
const failures = new Map<string, TestFailure>()
beforeAll(async () => {
  made = await FailingProject.begin()
  output = await made.runVitest(undefined, { GITHUB_STEP_SUMMARY: join(made.project.folder, 'summary.md') })
  for (const report of await made.reports()) {
    const failure = await made.failureIn(report)
    failures.set(failure.test, failure)
  }
})
afterAll(() => made.end())

it('there is a report of each test that failed, and no other', () => {
  expect([...failures.keys()].sort()).toEqual(Object.keys(KINDS).sort())
})

it('the terminal names each report once, in one line', () => {
  const lines = output.stderr.match(/^preseal report: preseal-reports\/.*\.html$/gm) ?? []
  expect(new Set(lines).size).toBe(Object.keys(KINDS).length)
  expect(lines).toHaveLength(new Set(lines).size)
})

it("the summary of a CI's job has the message, both lines and the report of each test", async () => {
  const summary = await made.project.read('summary.md')
  expect(summary.match(/^### .* failed$/gm)).toHaveLength(Object.keys(KINDS).length)
  const line = made.lineOf(TESTS, 'here', "test('of another contract'")
  expect(summary).toMatch(
    new RegExp(
      [
        '### a revert > of another contract failed\n',
        '    Reverted: noted reverted: unlucky\n',
        `- test: \`test/vault\\.test\\.ts:${line}:\\d+\``,
        `- Solidity: \`contracts/Vault\\.sol:${made.lineOf(SOLIDITY, 'at: unlucky')}:9\``,
        '- preseal report: `preseal-reports/test/vault\\.test\\.ts/a-revert-of-another-contract\\.html`\n',
      ].join('\n'),
    ),
  )
})

/** The line where the test `name` fails: marked in its text or in that of its hook, or that of its declaration. */
function lineOf(name: string, { isDeclaration = false }: Kind): number {
  const [, hook] = /^a hook > (\w+)/.exec(name) ?? []
  const begin = hook === undefined ? `test('${name.split(' > ').at(-1)}'` : `test.${hook}Each`
  if (!isDeclaration) return made.lineOf(TESTS, 'here', begin)
  return linesOf(TESTS).findIndex((line) => line.includes(begin)) + 1
}

function linesOf(file: string): string[] {
  return (made.texts.get(file) ?? '').split('\n')
}

/** The text of a frame's line, by the numbers of its excerpt. */
function textAt({ excerpt, line = 0 }: FailureFrame): string | undefined {
  return excerpt?.text.split('\n')[line - excerpt.firstLine]
}

it('a story that was found is told in steps and in code', () => {
  const [contract, app] = ['a contract', 'an app'].map(
    (what) => failures.get(`an exploration > of ${what}`)!.errors[0]?.story,
  )
  expect(contract?.steps).toEqual(['store(1) by account 0', 'store(1) by account 0'])
  expect(contract?.code).toMatch(/^await devnet\.write\(\{ \.\.\.vault, functionName: 'store'/)
  expect(app?.steps).toContain(
    'block 3 is sealed without the transaction of account 0, which is gone for good',
  )
  expect(app?.code).toMatch(/^story: story\('act 1; .*dropped never 1; tick'\)$/)
})

describe.each(Object.entries(KINDS))('%s', (name, kind) => {
  const failure = () => failures.get(name)!
  const error = () => failure().errors[0]!

  it('begins with the message and the difference', () => {
    expect(error().message).toMatch(kind.message)
    for (const part of kind.diff ?? []) expect(error().diff).toContain(part)
    // No colours of a terminal, and no frames among the words.
    expect(JSON.stringify(failure())).not.toMatch(/\\u001b|\n\s+at /)
  })

  it('shows the line of the test', () => {
    const line = lineOf(name, kind)
    const frame = error().test.find(({ file }) => file === TESTS)!
    expect(frame.line).toBe(line)
    expect(textAt(frame)).toBe(linesOf(TESTS)[line - 1])
  })

  it('shows the line in Solidity, and the calls that led to it', () => {
    const { reverted } = failure()
    const [frame] = [...error().solidity, ...(reverted?.isCause ? reverted.solidity : [])]
    expect(frame?.file).toBe(kind.at && SOLIDITY)
    if (kind.at !== undefined) {
      const line = made.lineOf(SOLIDITY, `at: ${kind.at}`)
      expect(frame?.line).toBe(line)
      expect(textAt(frame!)).toBe(linesOf(SOLIDITY)[line - 1])
    }
    const what = kind.reverted ?? (kind.at === undefined ? 'none' : 'request')
    expect(reverted?.isCause ?? false).toBe(what !== 'none')
    if (what === 'transaction') expect(reverted?.transaction).toMatch(/^0x\w{64}$/)
    if (what === 'request') expect(reverted?.calls?.error).toBeTypeOf('string')
  })
})
