/** The texts by which a call is copied: cast, node and curl run them against a devnet. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { decodeCall } from '../../src/page/decode/decode.ts'
import { type CopiedCall, callTexts } from '../../src/page/source/callTexts.ts'
import { codecOf, encodeValues, itemsOf, selectorOf } from '../../src/solidity/abi/codec.ts'
import { ROOT } from '../support/docs/pages.ts'

const run = promisify(execFile)
const TYPES = ['string', 'uint256[]', '(address,(bool,bytes))', 'int8'] as const
const ABI = [
  {
    type: 'function',
    name: 'note',
    stateMutability: 'payable',
    inputs: [
      { name: 'text', type: 'string' },
      { name: 'numbers', type: 'uint256[]' },
      {
        name: 'pair',
        type: 'tuple',
        components: [
          { name: 'who', type: 'address' },
          {
            name: 'more',
            type: 'tuple',
            components: [
              { name: 'is', type: 'bool' },
              { name: 'it', type: 'bytes' },
            ],
          },
        ],
      },
      { name: 'small', type: 'int8' },
    ],
    outputs: [],
  },
] as const
const [ITEM] = itemsOf(ABI)
const WHO = `0x${'ab'.repeat(20)}` as const
const VALUES = [`it's "quoted" $HOME`, [1n, 2n ** 255n], { who: WHO, more: { is: true, it: '0x00ff' } }, -5]
const data = `${selectorOf(ITEM!)}${encodeValues(ITEM!.inputs ?? [], VALUES).slice(2)}` as const
/** Returns its calldata. */
const ECHO = { address: `0x${'ec'.repeat(20)}`, code: '0x365f5f37365ff3' } as const

let devnet: Devnet
let url: string
beforeAll(async () => {
  devnet = await createDevnet({ rhythm: 'instant', consoleLogs: false })
  url = (await devnet.listen()).url
  await devnet.request({ method: 'anvil_setCode', params: [ECHO.address, ECHO.code] })
  return () => devnet.close()
})

/** Runs each text of a call, and resolves to what the last line of each says. */
async function outputs(call: CopiedCall, isKnown = true): Promise<readonly string[]> {
  const decoded = isKnown ? decodeCall(call.data, [codecOf({ abi: ABI } as never)]) : undefined
  const { cast, viem, curl } = callTexts(call, decoded, url)
  const folder = mkdtempSync(join(ROOT, 'dist/copied-'))
  try {
    const script = join(folder, 'call.mjs')
    writeFileSync(script, viem)
    const shell = async (text: string) =>
      (
        await run('sh', ['-c', text], {
          env: { ...process.env, PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}` },
        })
      ).stdout
    return await Promise.all([shell(cast), run('node', [script]).then(({ stdout }) => stdout), shell(curl)])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test(`a call with ${TYPES} has the same calldata in each form`, { timeout: 60_000 }, async () => {
  for (const output of await outputs({ kind: 'call', to: ECHO.address, data })) expect(output).toContain(data)
})

test('a transaction is sent by each form, from its sender, with its value and gas limit', {
  timeout: 60_000,
}, async () => {
  const from = devnet.accounts[3]!.address
  const sent = { kind: 'send', from, to: ECHO.address, value: '0x7', data, gas: '0x30d40' } as const
  const before = Number(devnet.latest.header.number)
  await outputs(sent)
  await outputs({ ...sent, data: '0x' }, false)
  await outputs({ ...sent, to: null, value: '0x0', data: '0x00' }, false)
  const found = []
  for (let number = before + 1; number <= Number(devnet.latest.header.number); number++) {
    const block = await devnet.request({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, true],
    })
    for (const { from: by, to, value, input, gas } of block!.transactions as never[])
      found.push(JSON.stringify([by, to, value, input, gas]))
  }
  const expected = [
    [from.toLowerCase(), ECHO.address, '0x7', data, '0x30d40'],
    [from.toLowerCase(), ECHO.address, '0x7', '0x', '0x30d40'],
    [from.toLowerCase(), null, '0x0', '0x00', '0x30d40'],
  ]
  expect(found.sort()).toEqual(expected.flatMap((one) => Array(3).fill(JSON.stringify(one))).sort())
})
