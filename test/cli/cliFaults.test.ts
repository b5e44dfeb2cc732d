/** `--faults FILE`: what goes wrong on purpose, as the command line is told and tells it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Running, startCli } from '../support/processes/process.ts'

async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'faults.json')
  await writeFile(file, text)
  return file
}

function start(file: string, ...flags: string[]): Running {
  const running = startCli('--port', '0', '--rhythm', 'manual', '--faults', file, ...flags)
  onTestFinished(() => running.kill('SIGKILL'))
  return running
}

function post(url: string, method: string, params: unknown[] = []): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

describe('--faults', () => {
  it('lets go wrong what the file says, once all is ready, and says that it is on purpose', async () => {
    const file = await fileOf(
      JSON.stringify([
        { kind: 'omitSlice', when: { block: 1, slice: 1 } },
        { kind: 'httpStatus', method: 'eth_chainId', status: 429, retryAfterSeconds: 2 },
        { kind: 'timeout', method: 'eth_getCode' },
        { kind: 'reorg', depth: 1, transactions: 'keep', when: { block: 2 } },
      ]),
    )
    const devnet = start(file, '--fixture', 'fixtures/market.ts')
    const [, port] = await devnet.printed(/^Listening on 127\.0\.0\.1:(\d+)$/m)
    const url = `http://127.0.0.1:${port}`
    const planned = (await (await post(url, 'preseal_listFaults')).json()) as { result: unknown[] }
    expect(planned.result).toHaveLength(4)
    const refused = await post(url, 'eth_chainId')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    await devnet.printed(
      /^planned fault: httpStatus \(method eth_chainId, status 429, retryAfterSeconds 2\) for eth_chainId$/m,
    )
    // The market has made its blocks already: what was planned for them has gone by.
    for (let i = 0; i < 3; i++) await post(url, 'evm_mine')
    expect(
      ((await (await post(url, 'preseal_listFaults')).json()) as { result: unknown[] }).result,
    ).toHaveLength(1)
  })

  it('tells it as JSON lines', async () => {
    const fault = { kind: 'reorg', depth: 1, transactions: 'keep' }
    const devnet = start(await fileOf(JSON.stringify([fault])), '--json')
    const [line] = await devnet.printed(/^\{"event":"listening".*$/m)
    await post((JSON.parse(line) as { url: string }).url, 'evm_mine')
    const [reorged] = await devnet.printed(/^\{"event":"reorged".*$/m)
    expect(JSON.parse(reorged)).toMatchObject({ removed: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] })
    const [told] = await devnet.printed(/^\{"event":"fault".*$/m)
    expect(JSON.parse(told)).toEqual({ event: 'fault', fault, block: 1 })
  })

  it.each([
    [
      '[{"kind":"omitSlice"},{"kind":"delaySlice","slices":0}]',
      '[1].slices: expected a whole number from 1 to 1000000, got 0',
    ],
    ['[{"kind":"omit"}]', '[0].kind: expected one of omitSlice, duplicateSlice, '],
    [
      '[{"kind":"missL1Slots","slots":3}]',
      'fault.kind: expected a fault that needs no L1, because this devnet has none (option l1), got "missL1Slots"',
    ],
    ['{"kind":"omitSlice"}', 'expected an array of faults: [{"kind": …, "when": …}, …]'],
    ['[{', 'not JSON: '],
  ])('refuses a file with %s, naming it and what is wrong', async (text, message) => {
    const file = await fileOf(text)
    const { code, stderr } = await start(file).ended
    expect(stderr).toContain(`preseal: --faults ${file}: ${message}`)
    expect(code).toBe(1)
  })

  it('refuses a file that is not there', async () => {
    const { code, stderr } = await start('nowhere.json').ended
    expect([code, stderr]).toEqual([
      1,
      'preseal: --faults nowhere.json: there is no such file or directory\n',
    ])
  })
})
