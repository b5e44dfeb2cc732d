/** What a command line asks for: our flags, anvil's, and those that are not there. */
import { describe, expect, it } from 'vitest'
import { etherText } from '../../src/cli/banner.ts'
import type { Invocation } from '../../src/cli/invocation.ts'
import { parseFlags } from '../../src/cli/invocation.ts'
import { startCli } from '../support/processes/process.ts'

const parse = (...flags: string[]): Invocation => parseFlags(['node', 'preseal', ...flags])

describe("anvil's flags", () => {
  it.each([
    [['-p', '1234', '-a', '3', '-m', 'x y'], { port: 1234, options: { accounts: 3, mnemonic: 'x y' } }],
    [['--no-mining'], { options: { rhythm: 'manual' } }],
    [['--no-mine'], { options: { rhythm: 'manual' } }],
    [['-b', '12'], { options: { tickMs: 12_000, ticksPerBlock: 0 } }],
    [['--block-time=0.5'], { options: { tickMs: 500, ticksPerBlock: 0 } }],
    [
      ['--block-time', '2', '--mixed-mining'],
      { options: { tickMs: 2_000, ticksPerBlock: 0, mixedMining: true } },
    ],
    [['--order', 'fifo'], { options: { order: 'fifo' } }],
    [['--auto-impersonate'], { options: { autoImpersonate: true } }],
    [['--auto-unlock'], { options: { autoImpersonate: true } }],
    [['--derivation-path', "m/44'/60'/1'/0/"], { options: { derivationPath: "m/44'/60'/1'/0/" } }],
    [['--transaction-block-keeper', '9'], { options: { history: { blocks: 9 } } }],
    [['--code-size-limit', '50000'], { options: { codeSizeLimit: 50_000 } }],
    [['--disable-code-size-limit'], { options: { codeSizeLimit: 0 } }],
    [['--disable-block-gas-limit'], { options: { disableBlockGasLimit: true } }],
    [['--block-base-fee-per-gas', '7'], { options: { baseFee: 7n } }],
    [['--timestamp', '1700000000'], { options: { timestamp: 1_700_000_000 } }],
    [['--slots-in-an-epoch', '8'], { options: { safeDistance: 8, finalizedDistance: 16 } }],
    [['--disable-console-log'], { options: { consoleLogs: false } }],
    [['--print-traces', '--quiet'], { trace: true, format: 'silent' }],
    [['--allow-origin', 'http://a.example'], { allowedOrigins: ['http://a.example'] }],
    [['--number', '5'], { options: { genesisBlockNumber: 5 } }],
    [['--mnemonic-random'], { mnemonicWords: 12 }],
    [['--mnemonic-random', '24'], { mnemonicWords: 24 }],
    [['--steps-tracing', '--disable-min-priority-fee'], { options: {} }],
  ])('%j are taken', (flags, expected) => {
    expect(parse(...flags)).toMatchObject(expected)
  })

  it.each([
    [['--fork-retry-backoff', '1'], '--fork-retry-backoff', 'retries wait longer each time'],
    [['--mnemonic-seed-unsafe=5'], '--mnemonic-seed-unsafe', '--mnemonic <words>, or --mnemonic-random'],
    [['-vvv'], '-vvv', '--trace'],
    [['--prune-history'], '--prune-history', '--history <blocks>'],
    [['--ipc'], '--ipc', '--port: only HTTP and WebSocket are supported'],
  ])('%j are answered with what there is instead', async (flags, flag, instead) => {
    const { code, stderr } = await startCli(...flags).ended
    expect(stderr).toContain(`error: unknown option '${flag}'\n(In preseal: ${instead}`)
    expect(code).toBe(2)
  })
})

describe('flags that cannot be', () => {
  it.each([
    [['--mnemonic-random', '13'], '--mnemonic-random: expected 12, 15, 18, 21 or 24 words, got "13"'],
    [['--mnemonic-random', '--mnemonic', 'x'], '--mnemonic-random: cannot be combined with --mnemonic'],
    [['--log-requests', '--quiet-requests'], '--quiet-requests: cannot be combined with --log-requests'],
    [
      ['--allowed-origins', 'localhost:3000/x'],
      '--allowed-origins: expected origins such as http://localhost:3000',
    ],
    [['--block-time', '2s'], '--block-time: expected seconds, such as 2 or 0.5, got "2s"'],
    [
      ['--slots-in-an-epoch', '-1'],
      '--slots-in-an-epoch: expected a number of blocks (a whole number of at least 0), got "-1"',
    ],
    [['--export', 'x', '--history', '5'], '--export: cannot be combined with --history'],
  ])('%j are refused', (flags, message) => {
    expect(() => parse(...flags)).toThrow(message)
  })
})

describe('--help', () => {
  it('has headings, values, units, examples, and where the pages are', async () => {
    const { stdout, code } = await startCli('--help').ended
    expect(code).toBe(0)
    const words = stdout.replaceAll(/\s+/g, ' ')
    for (const heading of ['The chain:', 'Accounts:', 'Blocks and time:', 'Files:', 'Output:']) {
      expect(stdout).toContain(`\n${heading}\n`)
    }
    expect(words).toContain('default, base-flashblocks, op-flashblocks, base-denim, ethereum')
    expect(words).toMatch(/--hardfork <name> [^-]*osaka/)
    expect(words).toContain(': interval, manual, instant (default: interval)')
    expect(words).toContain(': none, base, op (default: none)')
    expect(words).toContain(': base, geth, hardhat (default: base)')
    expect(words).toContain(': fees, fifo (default: fees)')
    expect(words).toContain('--balance <ether> balance of each development account in ether')
    expect(words).toContain('Examples: preseal --rhythm instant')
    expect(words).toContain('docs/options.md')
  })
})

it.each([
  [1n, '0.000000000000000001'],
  [15n * 10n ** 17n, '1.5'],
  [10n ** 22n, '10000'],
  [0n, '0'],
])('%s wei are %s ether', (wei, ether) => {
  expect(etherText(wei)).toBe(ether)
})
