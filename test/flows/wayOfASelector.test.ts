/** The way of a block selector from HTTP to the state: the files that src/README.md names are those that run, and no others. */
import { expect, it, onTestFinished } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { countEntered } from '../support/coverage.ts'
import { PAGES } from '../support/pages.ts'

it('passes the files that the page on the architecture names, each once', async () => {
  const devnet = await createDevnet({ rhythm: 'manual' })
  onTestFinished(() => devnet.close())
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
  const entered = await countEntered()
  expect(await ask()).toContain('"result"')
  expect(await entered()).toEqual([...namedFiles()].sort())
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
