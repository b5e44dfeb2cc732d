/** What the bundle does in ways of its own, against the packages that it is made of. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as util from '@ethereumjs/util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLING } from '../scripts/build/dist.ts'
import { startQuickly } from '../scripts/build/startQuickly.ts'
import * as source from '../src/index.ts'
import type { Hex } from '../src/model/bytes/hex.ts'
import { withRandom } from './support/random.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-bundle-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What `from` exports, when it is bundled. */
async function bundled<T>(from: string): Promise<T> {
  const outfile = join(folder, 'bundle.mjs')
  const stdin = { contents: `export * from '${from}'`, resolveDir: ROOT }
  await build({ ...BUNDLING, splitting: false, stdin, outfile, plugins: [startQuickly] })
  return import(`${pathToFileURL(outfile).href}?${from}`)
}

describe('bytes and numbers', () => {
  it(
    'become each other as in the packages of EthereumJS',
    withRandom(async (random) => {
      const ours = await bundled<typeof util>('@ethereumjs/util')
      for (let n = 0; n < 2_000; n++) {
        const bytes = random.bytes(random.pick([0, 1, 2, 6, 7, 20, 32, 33, 200]))
        if (n % 3 === 0) bytes.fill(0, 0, random.below(bytes.length + 1))
        const number = util.bytesToBigInt(bytes)
        expect(conversions(ours, bytes, number)).toEqual(conversions(util, bytes, number))
      }
      for (const text of ['', '0x', '0xAb', '0xg', 'ab', '0x0\n'] as Hex[]) {
        expect(ours.isHexString(text)).toBe(util.isHexString(text))
        expect(ours.stripHexPrefix(text)).toBe(util.stripHexPrefix(text))
      }
    }),
  )

  function conversions(
    { bytesToBigInt, bytesToHex, bytesToUnprefixedHex, hexToBytes, bigIntToBytes, ...rest }: typeof util,
    bytes: Uint8Array,
    number: bigint,
  ): unknown {
    const padded = [rest.setLengthLeft, rest.setLengthRight].flatMap((setLength) =>
      [true, false].map((allowTruncate) => {
        try {
          return setLength(bytes, 32, { allowTruncate })
        } catch (error) {
          return (error as Error).message
        }
      }),
    )
    return {
      numbers: [bytesToBigInt(bytes), bytesToBigInt(bytes, true)],
      texts: [bytesToHex(bytes), bytesToUnprefixedHex(bytes)],
      bytes: [hexToBytes(bytesToHex(bytes)), bigIntToBytes(number), bigIntToBytes(number, true)],
      padded,
    }
  }
})

describe('a traced run', () => {
  // A word in its first bytes, one behind them, as much as a call may fill but does not, and a word far behind; then a log and
  // an answer of all that.
  const code = '0x600160005260026103205261271060006000600060005afa60036180005260016000a06180206000f3'

  /** Each instruction with its stack and memory. */
  async function steps({ createDevnet }: typeof source): Promise<Step[]> {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const to = '0x00000000000000000000000000000000000c0de0'
    const options = { enableMemory: true, stateOverrides: { [to]: { code } } }
    const traced = await devnet.request({ method: 'debug_traceCall', params: [{ to }, 'latest', options] })
    return (traced as { structLogs: Step[] }).structLogs
  }

  interface Step {
    readonly op: string
    readonly memory?: readonly Hex[]
  }

  it('has as much memory as is paid for, as from the source', async () => {
    const ours = await steps(await bundled<typeof source>('./src/index.ts'))
    expect(ours).toEqual(await steps(source))
    const afterCall = ours[ours.findIndex(({ op }) => op === 'STATICCALL') + 1]!
    expect(afterCall.memory).toHaveLength(Math.ceil(10_000 / 32))
  })
})
