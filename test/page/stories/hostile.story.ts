/**
 * Contracts whose every string was chosen by a stranger: markup, script, marks that turn the direction of text, a megabyte,
 * broken UTF-8. The page shows them as text, and nothing runs, overflows or breaks its policy.
 */

import type { Page } from 'playwright-core'
import { encodeAbiParameters, encodeFunctionData, parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import { expect } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { story } from '../../support/page/story.ts'

const MARKUP = '<img src=x onerror="window.isHurt=1"><script>window.isHurt=1</script>'
const NAMES = [
  MARKUP,
  '"><svg onload=window.isHurt=1>',
  'javascript:window.isHurt=1',
  '{{constructor.constructor("window.isHurt=1")()}}',
  '\u202egnp.exe\u202c\u2066\u200b\u0000\u001b[31m',
  `long ${'a'.repeat(1_000_000)}`,
]

const SAID = toEventSelector('Said(string)')
const REFUSED = toFunctionSelector('Refused(string)')

/** Logs its calldata behind the selector as `Said`, or reverts with it as `Refused` if value was sent. */
const LOGS = assemble(
  ...([4, 'CALLDATASIZE', 'SUB', 4, 0, 'CALLDATACOPY'] as const),
  ...([SAID, 4, 'CALLDATASIZE', 'SUB', 0, 'LOG1', 'STOP'] as const),
)
const REVERTS = assemble(
  ...(['JUMPDEST', BigInt(REFUSED) << 224n, 0, 'MSTORE'] as const),
  ...([4, 'CALLDATASIZE', 'SUB', 4, 4, 'CALLDATACOPY', 'CALLDATASIZE', 0, 'REVERT'] as const),
)
/** Behind CALLVALUE, a PUSH1 and JUMPI. */
const ECHO = Buffer.concat([assemble('CALLVALUE', 4 + LOGS.length, 'JUMPI'), LOGS, REVERTS])
const ADDRESS = `0x${'ec'.repeat(20)}` as const
const CONSOLE = '0x000000000000000000636f6e736f6c652e6c6f67'
const SAY = parseAbi(['function say(string text) payable'])
const LOG = parseAbi(['function log(string text)'])

const hashes: `0x${string}`[] = []

async function before(devnet: Devnet): Promise<void> {
  const from = devnet.accounts[0]!.address
  await devnet.request({ method: 'anvil_setCode', params: [ADDRESS, `0x${ECHO.toString('hex')}`] })
  const named = (name: string) => ({
    type: 'function',
    name: 'say',
    inputs: [{ name, type: 'string' }],
    outputs: [],
    stateMutability: 'payable',
  })
  const abi = [
    named(MARKUP),
    { type: 'event', name: 'Said', inputs: [{ name: MARKUP, type: 'string', indexed: false }] },
    { type: 'error', name: 'Refused', inputs: [{ name: MARKUP, type: 'string' }] },
  ]
  devnet.abis.add(abi as never, { name: MARKUP, address: ADDRESS })
  hashes.length = 0
  const send = async (to: string, data: string, value = 0n) => {
    const transaction = { from, to, data, value: `0x${value.toString(16)}`, gas: '0x5f5e100' }
    hashes.push(await devnet.request({ method: 'eth_sendTransaction', params: [transaction] }))
    await devnet.mine()
  }
  for (const text of NAMES) {
    await send(ADDRESS, encodeFunctionData({ abi: SAY, args: [text] }))
    await send(CONSOLE, encodeFunctionData({ abi: LOG, args: [text] }))
  }
  await send(ADDRESS, encodeFunctionData({ abi: SAY, args: [MARKUP] }), 1n)
  const broken = encodeAbiParameters([{ type: 'bytes' }], ['0xc3280080ffedbfbf'])
  await send(ADDRESS, `${toFunctionSelector('say(string)')}${broken.slice(2)}`)
}

/** Blocks with room for a megabyte of calldata. */
const options = { gasLimit: 1_000_000_000n, hardfork: 'prague' } as const

story(
  'strings of strangers are text wherever they stand',
  async ({ devnet, url, open, look }) => {
    const visit = async (path: string, tab?: Page) => {
      const page = tab ?? (await open(path))
      await tab?.goto(`${url}${path}`)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate('window.isHurt'), path).toBeUndefined()
      expect(await page.locator('main img, main script, main svg[onload]').count(), path).toBe(0)
      return page
    }
    // Another tab for each would be another process.
    const passing = await open('/')
    for (const [i, hash] of hashes.entries()) {
      // All tabs of the markup, of the megabyte in a call and in console.log, of the failure and of the broken UTF-8.
      const tabs = [0, 10, 11, 12, 13].includes(i) ? ['events', 'calls', 'console', 'state'] : []
      for (const tab of ['', ...tabs.map((name) => `?tab=${name}`)]) {
        await visit(`/tx/${hash}${tab}`, passing)
      }
    }
    const failed = await visit(`/tx/${hashes.at(-2)}`)
    await failed.getByText('Refused').first().waitFor()
    await look(failed, 'hostile-transaction')
    const account = await visit(`/address/${ADDRESS}`)
    await account.getByText('<img src=x').first().waitFor()
    await look(account, 'hostile-account')
    const logs = await visit('/logs')
    await logs.getByText('Said(').first().waitFor()
    await look(logs, 'hostile-logs')
    const now = await visit('/')
    for (const text of [NAMES[0]!, NAMES[4]!, NAMES.at(-1)!]) {
      const data = encodeFunctionData({ abi: LOG, args: [text] })
      const transaction = { from: devnet.accounts[0]!.address, to: CONSOLE, data, gas: '0x5f5e100' }
      await devnet.request({ method: 'eth_sendTransaction', params: [transaction] })
    }
    await devnet.mine()
    await now.getByRole('region', { name: 'console.log' }).getByText('<img src=x').waitFor()
    await now.getByRole('region', { name: 'console.log' }).getByText('long aaa').waitFor()
    expect(await now.evaluate('window.isHurt')).toBeUndefined()
    await look(now, 'hostile-now')
    for (const path of ['/blocks', '/block/1', '/contracts', '/controls']) await visit(path, passing)
  },
  { before, devnet: options, timeoutMs: 240_000 },
)
