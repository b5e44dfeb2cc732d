import { expect, test } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { inProjectOf } from '../support/compilers/artifacts.ts'
import start from './recipesSetup.ts'

inProjectOf({ Token })

test('a setup shares one port, whose chains begin with the fixture', async () => {
  let url = ''
  const stop = await start({
    provide: (_, port) => {
      url = port.url
    },
  })
  const answer = await fetch(`${url}/c/alice`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
  })
  expect(await answer.json()).toMatchObject({ result: '0x1' })
  await stop()
})
