/** The option `fork` and its flags: what they accept, and what they say of the rest. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseFlags } from '../../src/cli/invocation.ts'
import { createDevnet, type DevnetOptions } from '../../src/index.ts'

const flags = (...words: string[]) => parseFlags(['node', 'preseal', ...words]).options.fork
const refusal = (options: object) =>
  createDevnet(options as DevnetOptions).then(
    () => 'no error',
    (error: Error) => error.message,
  )

describe('flags', () => {
  it.each([
    [['--fork-url', 'http://node.example/key'], { url: 'http://node.example/key' }],
    [['-f', 'http://node.example@17'], { url: 'http://node.example', block: 17 }],
    [['--rpc-url', 'wss://node.example/v1@safe'], { url: 'wss://node.example/v1', block: 'safe' }],
    [['--fork-url', 'http://name:word@node.example'], { url: 'http://name:word@node.example' }],
    [
      ['--fork-url', 'http://name:word@node.example@5', '--fork-block-number', '6'],
      { url: 'http://name:word@node.example', block: 6 },
    ],
    [
      ['--fork-url', 'http://x', '--fork-header', 'A: b', '--fork-header', 'Authorization: Bearer c:d'],
      { url: 'http://x', headers: { A: 'b', Authorization: 'Bearer c:d' } },
    ],
    [
      ['--fork-url', 'http://x', '--timeout', '900', '--retries', '2', '--fork-requests-per-second', '30'],
      { url: 'http://x', timeoutMs: 900, retries: 2, requestsPerSecond: 30 },
    ],
    [
      ['--fork-url', 'http://x', '--no-rate-limit', '--no-storage-caching'],
      { url: 'http://x', cache: false },
    ],
    [
      ['--fork-url', 'http://x', '--cache-path', 'kept', '--offline'],
      { url: 'http://x', cache: 'kept', offline: true },
    ],
    [['--fork-url', 'http://x', '--fork-proofs'], { url: 'http://x', proofs: true }],
  ])('%j set members of the option', (words, expected) => {
    expect(flags(...words)).toEqual(expected)
  })

  it('without a URL are refused', () => {
    expect(() => flags('--fork-block-number', '6')).toThrow(
      '--fork-block-number: expected --fork-url as well',
    )
  })

  it('with a header that is none are refused, and do not show it', () => {
    expect(() => flags('--fork-url', 'http://x', '--fork-header', 'secret')).toThrow(
      /^(?!.*secret).*--fork-header/,
    )
  })
})

describe('an error', () => {
  it.each([
    [{ fork: {} }, 'option fork: expected either url or provider'],
    [
      { fork: { url: 'http://x', provider: { request() {} } } },
      'option fork: expected either url or provider',
    ],
    [{ fork: { url: 'node.example' } }, 'option fork.url: expected a URL that begins with http://'],
    [{ fork: { url: 'http://x', block: -1 } }, 'option fork.block: expected a block number'],
    [{ fork: { url: 'http://x', block: 'newest' } }, 'option fork.block: expected a block number'],
    [{ fork: { url: 'http://x', retries: 0.5 } }, 'option fork.retries: expected a number of retries'],
    [
      { fork: { url: 'http://x', cache: 'c.json' } },
      'option fork.cache: expected a folder, a file that ends in .jsonl',
    ],
    [{ fork: { url: 'http://x', proofs: 1 } }, 'option fork.proofs: expected true or false'],
    [{ fork: { provider: {} } }, 'option fork.provider: expected an object with a method request'],
    [{ fork: { url: 'http://x', blocks: 1 } }, 'blocks'],
    [{ fork: { url: 'http://x' }, genesisBlockNumber: 1 }, 'genesisBlockNumber: expected nothing'],
    [{ forking: { url: 'http://x' } }, 'here: fork: { url, block }'],
  ])('of %j names what is wrong', async (options, message) => {
    expect(await refusal(options)).toContain(message)
  })

  it('of a node that cannot be reached names its host, and not the key', async () => {
    const url = 'http://127.0.0.1:9/v2/very-secret-key?token=also-secret'
    const message = await refusal({ fork: { url, retries: 0 } })
    expect(message).toContain('127.0.0.1:9')
    expect(message).not.toContain('secret')
  })

  it('of a wrong URL does not show it, since it may hold a key', async () => {
    for (const fork of [
      { url: 'node.example/secret-key' },
      'https://node.example/secret-key',
      { url: 'https://node.example', headers: 'Bearer secret-key' },
    ]) {
      const message = await refusal({ fork })
      expect(message).toContain('a text that is not shown because it may contain a key')
      expect(message).not.toContain('secret')
    }
  })
})

describe('PRESEAL_OFFLINE', () => {
  beforeEach(() => vi.stubEnv('PRESEAL_OFFLINE', '1'))
  afterEach(() => vi.unstubAllEnvs())

  it('lets a devnet of the same process be the network, and nobody else', async () => {
    await using network = await createDevnet({ rhythm: 'manual', chainId: 7 })
    await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
    expect(await devnet.request({ method: 'eth_chainId' })).toBe('0x7')
    const provider = { request: network.request.bind(network) }
    expect(await refusal({ fork: { provider } })).toMatch(/^offline: expected the option cache/)
  })
})
