/** The command line on a network: what it says of it, and what it does not. */
import { expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { startCli } from '../support/processes/process.ts'

it('--fork-url names host and block, and never the key', async () => {
  await using network = await createDevnet({ rhythm: 'manual' })
  await network.mine(3)
  const { url } = await network.listen({ port: 0 })
  const cli = startCli('--fork-url', `${url}/?key=very-secret@2`, '--port', '0', '--rhythm', 'manual')
  await cli.printed(/^Listening/m)
  cli.kill('SIGINT')
  const { code, stdout } = await cli.ended
  expect(code).toBe(0)
  expect(stdout).toContain(`Network  ${new URL(url).host}, block 2 0x`)
  expect(stdout).not.toContain('very-secret')
})

it('--fork-proofs is said at the start, as text and as JSON', async () => {
  await using network = await createDevnet({ rhythm: 'manual' })
  await network.mine(3)
  const { url } = await network.listen({ port: 0 })
  const flags = ['--fork-url', `${url}@2`, '--fork-proofs', '--port', '0', '--rhythm', 'manual']
  const text = startCli(...flags)
  const json = startCli(...flags, '--json')
  await Promise.all([text.printed(/^Listening/m), json.printed(/"listening"/)])
  for (const cli of [text, json]) cli.kill('SIGINT')
  expect((await text.ended).stdout).toMatch(/^Network {2}127\.0\.0\.1:\d+, block 2 0x\w{64}, with proofs$/m)
  const [told] = (await json.ended).stdout.split('\n')
  const { hash } = (await network.request({
    method: 'eth_getBlockByNumber',
    params: ['0x2', false],
  })) as { hash: string }
  expect(JSON.parse(told!)).toMatchObject({
    event: 'listening',
    network: { host: new URL(url).host, chainId: 31337, block: 2, hash, proofs: true },
  })
})

it('--fork-url of a node that is not there ends with one line that says so', async () => {
  const cli = startCli('--fork-url', 'http://127.0.0.1:1/very-secret', '--retries', '0', '--port', '0')
  const { code, stderr } = await cli.ended
  expect(code).toBe(1)
  expect(stderr.trim()).toMatch(/^preseal: 127\.0\.0\.1:1: no answer to eth_chainId.*$/)
})
