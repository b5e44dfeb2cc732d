/** Ten thousand wrong requests over HTTP: each gets the code that is due, and the process lives (issue 2, acceptance 7). */
import { describe, expect, it } from 'vitest'
import { createDevnet } from '../src/index.ts'
import { DIALECTS, type Dialect } from '../src/wire/dialect.ts'
import { HttpClient } from './support/clients/exchange.ts'
import {
  type Malformed,
  type MalformedBody,
  malformedBody,
  signedTransactions,
} from './support/random/malformed.ts'
import { type Random, withRandom } from './support/random/random.ts'

const HEAD = 3
const REQUESTS_PER_DIALECT = 5_000

/** Asks `bodies` of one devnet over kept connections, some at a time; gives what was wrong with the answers. */
async function ask(dialect: Dialect, bodies: readonly MalformedBody[]): Promise<string[]> {
  await using devnet = await createDevnet({ rhythm: 'manual', dialect })
  for (let i = 0; i < HEAD; i++) await devnet.seal()
  const { port } = await devnet.listen()
  const client = new HttpClient(port, 8)
  const complaints: string[] = []
  const queue = bodies.values()
  const asker = async () => {
    for (const body of queue) {
      const complaint = complaintAbout(body, await client.send({ body: body.text }))
      if (complaint !== undefined) complaints.push(`${complaint}\n  asked: ${body.text.slice(0, 500)}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: 8 }, asker))
    const next = await client.send({ body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' })
    expect(next.body).toBe(`{"jsonrpc":"2.0","id":1,"result":"0x${HEAD}"}`)
  } finally {
    client.close()
  }
  return complaints
}

/** What is wrong with the response to `body`, or `undefined`. */
function complaintAbout(
  { answer }: MalformedBody,
  { status, body }: { status: number; body: string },
): string | undefined {
  if (answer === undefined)
    return status === 204 && body === '' ? undefined : `expected 204, got ${status}: ${body}`
  if (status !== 200) return `expected 200, got ${status}: ${body}`
  const response: unknown = JSON.parse(body)
  if (!isBatch(answer)) return complaintAboutOne(answer, response, body)
  if (!Array.isArray(response) || response.length !== answer.length)
    return `expected ${answer.length} responses: ${body}`
  return answer.map((one, i) => complaintAboutOne(one, response[i], body)).find((one) => one !== undefined)
}

function isBatch(answer: Malformed | readonly Malformed[]): answer is readonly Malformed[] {
  return Array.isArray(answer)
}

function complaintAboutOne(
  { id, code, text }: Malformed,
  response: unknown,
  body: string,
): string | undefined {
  const complain = (what: string) => `${what} in ${JSON.stringify(response)}\n  to ${text.slice(0, 500)}`
  const { error, ...envelope } = response as Record<string, unknown>
  try {
    expect(envelope).toEqual({ jsonrpc: '2.0', id: JSON.parse(id) })
  } catch {
    return complain(`expected the id ${id}`)
  }
  // JSON.parse rounds large ids; the text of the response must have all of their digits.
  if (!body.includes(`"id":${id}`)) return complain(`expected the id ${id}, letter for letter`)
  const { code: got, message, data, ...rest } = error as Record<string, unknown>
  if (got !== code) return complain(`expected the code ${code}`)
  if (typeof message !== 'string' || message === '') return complain('expected a message')
  if (/\n\s*at /.test(JSON.stringify({ message, data }).replaceAll('\\n', '\n')))
    return complain('a stack trace')
  if (Object.keys(rest).length > 0) return complain(`expected nothing but code, message and data`)
  return undefined
}

/** Bodies that hold at least so many wrong requests. */
function someBodies(
  random: Random,
  context: Parameters<typeof malformedBody>[1],
  requests: number,
): MalformedBody[] {
  const bodies: MalformedBody[] = []
  for (let left = requests; left > 0; ) {
    const body = malformedBody(random, context)
    bodies.push(body)
    left -= Array.isArray(body.answer) ? body.answer.length : 1
  }
  return bodies
}

describe('malformed requests', () => {
  it.each(DIALECTS)(
    'each get exactly the code that is due, and the next request is answered (dialect %s)',
    async (dialect) => {
      await withRandom(async (random) => {
        const context = { dialect, head: HEAD, batchLimit: 1_000, ...(await signedTransactions()) }
        const bodies = someBodies(random, context, REQUESTS_PER_DIALECT)
        expect(await ask(dialect, bodies)).toEqual([])
      })()
    },
  )

  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
  const one = (text: string, id: string, code: number): MalformedBody => ({
    text,
    answer: { text, id, code },
  })
  const inParams = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${params}}`

  it('may be nested 100,000 levels deep', async () => {
    const list = deep('[', ']')
    const object = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const batched = one(list, 'null', -32600)
    expect(
      await ask('base', [
        one('['.repeat(100_000), 'null', -32700),
        one('{"a":'.repeat(100_000), 'null', -32700),
        { text: list, answer: [batched.answer as Malformed] },
        one(object, 'null', -32600),
        one(`{"jsonrpc":"2.0","id":${list},"method":"eth_chainId"}`, 'null', -32600),
        one(`{"jsonrpc":${list},"id":1,"method":"eth_chainId"}`, '1', -32600),
        one(`{"jsonrpc":"2.0","id":1,"method":${object}}`, '1', -32600),
        one(inParams(object), '1', -32602),
        one(inParams(list), '1', -32602),
        one(inParams(`[{"to":${list}}]`), '1', -32602),
        one(inParams(`[{"accessList":[${object}]}]`), '1', -32602),
        one(inParams(`[{},"latest",${object}]`), '1', -32602),
        one(inParams(`[{},${object}]`), '1', -32602),
        one(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":${list}}]}`, '1', -32602),
        one(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":${list}}]}`, '1', -32602),
      ]),
    ).toEqual([])
  })

  it('may be megabytes long', async () => {
    const digits = 'a'.repeat(4_000_001)
    expect(
      await ask('base', [
        one(inParams(`[{"data":"0x${digits}"}]`), '1', -32602),
        one(inParams(`[{"value":"0x${digits}"}]`), '1', -32602),
        one(inParams(`[{"to":"0x${digits}"}]`), '1', -32602),
        one(`{"jsonrpc":"2.0","id":1,"method":"${digits}"}`, '1', -32601),
        one(
          `{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x${digits}"]}`,
          '1',
          -32602,
        ),
        one(
          `{"jsonrpc":"2.0","id":1${'0'.repeat(4_000_000)},"method":"eth_banana"}`,
          `1${'0'.repeat(4_000_000)}`,
          -32601,
        ),
        one(
          `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[${'0,'.repeat(1_000_000)}0]}`,
          '1',
          -32602,
        ),
      ]),
    ).toEqual([])
  })
})
