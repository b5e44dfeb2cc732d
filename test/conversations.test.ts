// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how conversations write names
/** Plays fixtures/conversations in process, over HTTP and over WebSocket (CONTRACT 2 to 4, row by row). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConversation, play, type Way } from './support/docs/conversation.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/conversations')

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.io'))
  .sort()

describe('the conversations', () => {
  it.each(files)('%s', (file) => play(parseConversation(file, readFileSync(join(FOLDER, file), 'utf8'))))

  it.each(readdirSync(join(FOLDER, 'errors/base')))('say in both dialects what goes wrong: %s', (file) => {
    expect(readdirSync(join(FOLDER, 'errors/geth'))).toContain(file)
  })
})

/** Plays `lines` under a title. */
async function playLines(...lines: string[]): Promise<void> {
  await play(parseConversation('x.io', ['// A test of the player.', ...lines].join('\n')))
}

const ASK = '>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
const ANSWER = '<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
const HASH = `0x${'11'.repeat(32)}`

describe('the player', () => {
  it('accepts what is right, whatever the order of members', async () => {
    await playLines(ASK, ANSWER)
    await playLines(ASK, '<< {"result":"0x7a69","id":1,"jsonrpc":"2.0"}')
  })

  it.each([
    [
      'a wrong answer',
      '<< {"jsonrpc":"2.0","id":1,"result":"0x7a6a"}',
      /x\.io:2: \$\.result: expected "0x7a6a", got "0x7a69"/,
    ],
    ['a wrong id', '<< {"jsonrpc":"2.0","id":2,"result":"0x7a69"}', /\$\.id: expected 2, got 1/],
    ['an id of another type', '<< {"jsonrpc":"2.0","id":"1","result":"0x7a69"}', /\$\.id/],
    ['a key that is missing', '<< {"jsonrpc":"2.0","id":1,"result":"0x7a69","error":null}', /lacks error/],
    ['a key too many', '<< {"jsonrpc":"2.0","id":1}', /should not have result/],
    ['a response where none is due', '<<', /\$: expected nothing/],
    [
      'an array for a text',
      '<< {"jsonrpc":"2.0","id":1,"result":["0x7a69"]}',
      /\$\.result: expected an array/,
    ],
    ['an object for a text', '<< {"jsonrpc":"2.0","id":1,"result":{}}', /\$\.result: expected an object/],
    ['null for a text', '<< {"jsonrpc":"2.0","id":1,"result":null}', /\$\.result: expected null/],
    ['another shape', '<< {"jsonrpc":"2.0","id":1,"result":"${*:hash}"}', /expected a hash/],
    ['another text around a hole', '<< {"jsonrpc":"2.0","id":1,"result":"0x${*}6a"}', /\$\.result/],
    ['an unused capture', '<< {"jsonrpc":"2.0","id":1,"result":"${chain}"}', /never used again: chain/],
    [
      'a shape that there is not',
      '<< {"jsonrpc":"2.0","id":1,"result":"${*:number}"}',
      /there is no shape number/,
    ],
  ])('fails on %s', async (_, answer, message) => {
    await expect(playLines(ASK, answer)).rejects.toThrow(message)
  })

  it('fails where a response is due and none comes', async () => {
    await expect(playLines('>> {"jsonrpc":"2.0","method":"eth_chainId"}', ANSWER)).rejects.toThrow(
      'expected an object',
    )
  })

  it('fails on items too many, too few or in another order', async () => {
    const [one, two] = [ANSWER.slice(3), ANSWER.slice(3).replace('"id":1', '"id":2')]
    const ask =
      '>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]'
    await playLines(ask, `<< [${one},${two}]`)
    await expect(playLines(ask, `<< [${two},${one}]`)).rejects.toThrow('$[0].id')
    await expect(playLines(ask, `<< [${one}]`)).rejects.toThrow('expected 1 items, got 2')
    await expect(playLines(ask, `<< [${one},${two},${two}]`)).rejects.toThrow('expected 3 items, got 2')
  })

  it('fails where two ways answer the same in other bytes', async () => {
    const conversation = parseConversation('x.io', `// A test of the player.\n${ASK}\n${ANSWER}`)
    const spaced: Way = (devnet) => async (text) => (await devnet.respond(text))?.replace(':', ': ')
    await expect(play(conversation, [spaced])).rejects.toThrow('but over HTTP')
  })

  it('binds a capture once, and holds it to that', async () => {
    const again = ASK.replace('eth_chainId', 'eth_blockNumber')
    const captured = '<< {"jsonrpc":"2.0","id":1,"result":"${it:quantity}"}'
    await playLines(ASK, captured, ASK, captured)
    await expect(playLines(ASK, captured, again, captured)).rejects.toThrow('expected "0x7a69", got "0x0"')
  })

  it('fills names into requests, and refuses those that have no value', async () => {
    const look = '>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash","params":["${hash}"]}'
    const nothing = '<< {"jsonrpc":"2.0","id":1,"result":null}'
    await playLines(`-- let hash "${HASH}"`, look, nothing)
    await expect(playLines(look, nothing)).rejects.toThrow('${hash} has no value yet')
    await expect(playLines(`-- let hash "${HASH}"`, ASK, ANSWER)).rejects.toThrow('never used again: hash')
    await expect(playLines('-- let a 1', '-- let a 2', ASK, ANSWER)).rejects.toThrow(
      '${a} has a value already',
    )
  })

  it('lets fixtures give names that nobody needs, and settles which devnet is asked', async () => {
    const code = '>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["${gold}"]}'
    await playLines('-- fixture market', code, '<< {"jsonrpc":"2.0","id":1,"result":"${*:data}"}')
    await playLines('-- options {"chainId":7}', ASK, ANSWER.replace('0x7a69', '0x7'))
  })

  it('fails on a wrong status, header or body of HTTP', async () => {
    const ask = '>>> {"method":"POST","headers":{"content-type":"application/json"},"body":"7"}'
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"${*}"}}'
    await playLines(
      ask,
      `<<< {"status":200,"headers":{"content-type":"application/json","allow":null},"body":${body}}`,
    )
    await expect(playLines(ask, '<<< {"status":201}')).rejects.toThrow('$.status: expected 201, got 200')
    await expect(playLines(ask, '<<< {"status":200,"headers":{"content-type":null}}')).rejects.toThrow(
      '$.headers',
    )
    await expect(playLines(ask, '<<< {"status":200,"body":{}}')).rejects.toThrow('should not have jsonrpc')
    await expect(playLines(ask, '<<< {"status":200,"body":"7"}')).rejects.toThrow('$.body')
  })

  it.each([
    ['no first comment', ['>> {}', '<< {}'], /first line must be a comment/],
    ['nothing that is asked', ['// Nothing.', '-- tick'], /nothing is asked/],
    ['a request without its response', ['// Half.', '>> {}'], /x\.io:2: a request without a response/],
    [
      'two requests in a row',
      ['// Half.', '>> {}', '>> {}', '<< {}'],
      /x\.io:2: a request without a response/,
    ],
    ['a response without its request', ['// Half.', '<< {}'], /x\.io:2: a response without its request/],
    [
      'a response of the other kind',
      ['// Mixed.', '>> {}', '<<< {}'],
      /x\.io:3: a response without its request/,
    ],
    ['a response that is no JSON', ['// Broken.', '>> {}', '<< {'], /x\.io:3: not JSON/],
    [
      'options that come late',
      ['// Late.', '-- tick', '-- options {}', '>> {}', '<< {}'],
      /options come first/,
    ],
    [
      'a fixture that comes late',
      ['// Late.', '-- tick', '-- fixture market', '>> {}', '<< {}'],
      /the fixture comes before/,
    ],
    ['a line of no kind', ['// Odd.', '> {}', '<< {}'], /x\.io:2: not a line of a conversation/],
  ])('refuses a file with %s', (_, lines, message) => {
    expect(() => parseConversation('x.io', lines.join('\n'))).toThrow(message)
  })

  it.each([
    ['-- jump', /there is no directive jump/],
    ['-- tick many', /not a number of times: many/],
    ['-- let hash', /expected a name and JSON/],
    ['-- send {"from":"0x0000000000000000000000000000000000000001"}', /unknown account/],
    ['-- sign raw {"from":"0x0000000000000000000000000000000000000001"}', /not a development account/],
  ])('fails on %s', async (line, message) => {
    await expect(playLines(line, ASK, ANSWER)).rejects.toThrow(message)
  })
})
