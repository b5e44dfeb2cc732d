/** The way of a block selector from HTTP to the state: the files that src/README.md names are those that run, and no others. */
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { PAGES, ROOT } from '../support/pages.ts'

const SOURCE = join(ROOT, 'src/')

it('passes the files that the page on the architecture names, each once', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const session = new Session()
  onTestFinished(async () => {
    session.disconnect()
    await devnet.close()
  })
  await devnet.tick()
  const { url } = await devnet.listen({ port: 0 })
  const { address } = devnet.accounts[0]!
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getBalance',
    params: [address, 'pending'],
  })
  const ask = () =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then((response) =>
      response.text(),
    )
  // What is loaded and made with the first request is not on the way of the others.
  await ask()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  expect(await ask()).toContain('"result"')
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const entered = result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
    .map(({ url: file }) => file.replace('file://', ''))
    .filter((file) => file.startsWith(SOURCE))
    .map((file) => file.slice(SOURCE.length))
  expect(entered.sort()).toEqual([...namedFiles()].sort())
})

/** The files of the page's block on the life of a question, those beside the way included. */
function namedFiles(): string[] {
  const block = PAGES.get('src/README.md')!.blocks.find(({ text }) =>
    text.includes('bytes arrive over HTTP'),
  )!
  const [way, beside] = block.text.split('\n\n')
  const files = way!.split('\n').map((line) => line.split(' ')[0]!)
  expect(files).toHaveLength(9)
  expect(new Set(files).size).toBe(files.length)
  return [...files, ...beside!.match(/[\w/]+\.ts/g)!]
}
