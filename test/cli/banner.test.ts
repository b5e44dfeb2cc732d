/** What the command line warns of at the start. */
import { describe, expect, it } from 'vitest'
import { warnOfGasLimit } from '../../src/cli/banner.ts'
import { startCli } from '../support/processes/process.ts'

const WARNING =
  'warning: no transaction fits into a block of 20999 gas (--gas-limit); each needs at least 21000'

describe('blocks into which no transaction fits', () => {
  const warned = (gasLimit: bigint, disableBlockGasLimit = false, format: 'text' | 'silent' = 'text') => {
    const lines: string[] = []
    warnOfGasLimit({ gasLimit, disableBlockGasLimit }, { format }, (line) => lines.push(line))
    return lines
  }

  it('are warned of, unless blocks have no limit or nothing is to be printed', () => {
    expect(warned(20_999n)).toEqual([WARNING])
    expect(warned(21_000n)).toEqual([])
    expect(warned(20_999n, true)).toEqual([])
    expect(warned(20_999n, false, 'silent')).toEqual([])
  })

  it('are warned of when the command line starts', async () => {
    const devnet = startCli('--port', '0', '--gas-limit', '20999')
    await devnet.printed(/^Listening/m)
    await expect.poll(() => devnet.stderr).toContain(`preseal: ${WARNING}`)
    devnet.kill('SIGINT')
    expect((await devnet.ended).code).toBe(0)
  })
})
