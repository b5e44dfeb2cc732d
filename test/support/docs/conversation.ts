/** Reads and plays conversation files: see fixtures/conversations/README.md for what may stand in one. */
import { privateKeyToAccount } from 'viem/accounts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { onWire } from '../clients/addresses.ts'
import { HttpClient, JSON_BODY } from '../clients/exchange.ts'
import { SocketClient } from '../clients/socket.ts'
import { mismatch, Variables } from './pattern.ts'

interface Step {
  readonly line: number
  readonly kind: 'ask' | 'http' | 'directive'
  /** What is said, or the directive with its arguments; names are not filled in yet. */
  readonly text: string
  /** What must come back; `undefined`: nothing at all. */
  readonly expected: unknown
}

export interface Conversation {
  readonly file: string
  readonly options: DevnetOptions
  /** The fixture script that runs first. */
  readonly fixture: string | undefined
  readonly steps: readonly Step[]
  /** Whether it speaks of statuses and headers, which only HTTP has. */
  readonly isHttpOnly: boolean
}

/** The conversation that `text` holds. Throws where it is not one, or where nothing in it could fail. */
export function parseConversation(file: string, text: string): Conversation {
  const steps: Step[] = []
  let options: DevnetOptions = {}
  let fixture: string | undefined
  let open: { line: number; kind: 'ask' | 'http'; text: string } | undefined
  const lines = text.split('\n')
  const wrong = (line: number, what: string) => new Error(`${file}:${line}: ${what}`)
  if (!/^\/\/ \S/.test(lines[0] ?? ''))
    throw wrong(1, 'the first line must be a comment that says what the file shows')

  for (const [index, source] of lines.entries()) {
    const line = index + 1
    const [, sign = '', rest = ''] = /^(\/\/|--|>>>?|<<<?)(?: (.*))?$/.exec(source) ?? []
    if (sign === '//' || source.trim() === '') continue
    if (sign.startsWith('<')) {
      const kind = sign === '<<' ? 'ask' : 'http'
      if (open?.kind !== kind) throw wrong(line, `a response without its request: ${source}`)
      steps.push({ ...open, expected: rest === '' ? undefined : parseJson(rest, file, line) })
      open = undefined
      continue
    }
    if (open !== undefined) throw wrong(open.line, 'a request without a response')
    if (sign.startsWith('>')) open = { line, kind: sign === '>>' ? 'ask' : 'http', text: rest }
    else if (sign !== '--') throw wrong(line, `not a line of a conversation: ${source}`)
    else if (rest.startsWith('options ')) {
      if (steps.length > 0 || fixture !== undefined) throw wrong(line, 'options come first')
      options = parseJson(rest.slice('options '.length), file, line) as DevnetOptions
    } else if (rest.startsWith('fixture ')) {
      if (steps.length > 0) throw wrong(line, 'the fixture comes before everything that is said')
      fixture = rest.slice('fixture '.length)
    } else steps.push({ line, kind: 'directive', text: rest, expected: undefined })
  }
  if (open !== undefined) throw wrong(open.line, 'a request without a response')
  if (!steps.some(({ kind }) => kind !== 'directive')) throw wrong(1, 'nothing is asked, so nothing can fail')
  return { file, options, fixture, steps, isHttpOnly: steps.some(({ kind }) => kind === 'http') }
}

function parseJson(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file}:${line}: not JSON: ${text}`, { cause })
  }
}

/** Sends text to a devnet in some way, and gives the body that came back; `undefined` if there was none. */
type Ask = (text: string) => Promise<string | undefined>
export type Way = (devnet: Devnet) => Ask

const byRespond: Way = (devnet) => async (text) => devnet.respond(text)

/**
 * Plays the conversation over HTTP, and in each of the other `ways`, on equal devnets. Throws where an answer is not
 * what the file says, or where two of them differ by a byte.
 */
export async function play(conversation: Conversation, ways = waysOf(conversation)): Promise<void> {
  const overHttp = await playOverHttp(conversation)
  for (const way of ways) {
    const otherwise = await playOn(conversation, way)
    for (const [i, body] of overHttp.entries()) {
      if (body !== otherwise[i]) {
        throw new Error(`${conversation.file}: ${way.name} ${otherwise[i]}, but over HTTP ${body}`)
      }
    }
  }
}

/** Strictness is the listener's (CONTRACT 4): `devnet.request` has none. */
function waysOf({ isHttpOnly, options }: Conversation): readonly Way[] {
  if (isHttpOnly) return []
  return options.strict === true ? [byRespond, byWebSocket] : [byRespond, byWebSocket, byRequest]
}

async function playOn(conversation: Conversation, way: Way): Promise<(string | undefined)[]> {
  const { devnet, variables } = await setStage(conversation)
  await using _ = devnet
  return await converse(conversation, devnet, variables, way(devnet), undefined)
}

async function playOverHttp(conversation: Conversation): Promise<(string | undefined)[]> {
  const { devnet, variables } = await setStage(conversation)
  await using _ = devnet
  const { port } = await devnet.listen({ port: 0 })
  const client = new HttpClient(port)
  try {
    return await converse(conversation, devnet, variables, askOverHttp(client), client)
  } finally {
    client.close()
  }
}

/** A devnet under the manual rhythm, with the options and the fixture of the conversation. */
async function setStage({
  options,
  fixture,
}: Conversation): Promise<{ devnet: Devnet; variables: Variables }> {
  const devnet = await createDevnet({ ...options, rhythm: 'manual' })
  const variables = new Variables()
  if (fixture !== undefined) {
    const script = await import(`../../../fixtures/${fixture}.ts`)
    for (const [name, value] of Object.entries(await script.default(devnet)))
      variables.set(name, typeof value === 'string' ? onWire(value) : value, false)
  }
  return { devnet, variables }
}

/** Says and checks everything in turn; gives the bodies that came back. */
async function converse(
  { file, steps }: Conversation,
  devnet: Devnet,
  variables: Variables,
  ask: Ask,
  client: HttpClient | undefined,
): Promise<(string | undefined)[]> {
  const bodies: (string | undefined)[] = []
  for (const { kind, line, text, expected } of steps) {
    try {
      if (kind === 'directive') await obey(text, devnet, variables)
      else if (kind === 'ask') {
        const body = await ask(variables.fill(text))
        check(mismatch(expected, body === undefined ? undefined : JSON.parse(body), variables))
        bodies.push(body)
      } else check(await httpMismatch(client!, text, expected, variables))
    } catch (cause) {
      throw new Error(`${file}:${line}: ${cause instanceof Error ? cause.message : cause}`)
    }
  }
  if (variables.unused.length > 0)
    throw new Error(`${file}: never used again: ${variables.unused.join(', ')}`)
  return bodies
}

function check(found: string | undefined): void {
  if (found !== undefined) throw new Error(found)
}

/** Through `devnet.request`, in an envelope of our own; what is not one well-formed request goes to `respond`. */
const byRequest: Way = (devnet) => async (text) => {
  const asked = requestIn(text)
  if (asked === undefined) return devnet.respond(text)
  const { id, method, params } = asked
  try {
    return JSON.stringify({ jsonrpc: '2.0', id, result: await devnet.request({ method, params }) })
  } catch (thrown) {
    const { code, message, data } = thrown as { code: number; message: string; data: unknown }
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
  }
}

/** Over one WebSocket, which ends with the devnet. */
const byWebSocket: Way = (devnet) => {
  const connecting = devnet.listen({ port: 0 }).then(({ webSocketUrl }) => SocketClient.connect(webSocketUrl))
  return async (text) => {
    const client = await connecting
    client.send(text)
    if (/"id"/.test(text)) return client.next()
    // Nothing may come: then the next answer is that to the next question, which takes longer than any refusal.
    client.send(AFTERWARDS)
    const first = await client.next()
    if (isAfterwards(first)) return undefined
    if (!isAfterwards(await client.next()))
      throw new Error(`more than one answer, the first of them ${first}`)
    return first
  }
}

const AFTERWARDS = JSON.stringify({
  jsonrpc: '2.0',
  id: 'afterwards',
  method: 'eth_call',
  params: [{ to: `0x${'55'.repeat(20)}` }, 'latest'],
})

function isAfterwards(text: string): boolean {
  return JSON.parse(text).id === 'afterwards'
}

function requestIn(text: string): { id: unknown; method: string; params: unknown[] } | undefined {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof message !== 'object' || message === null) return undefined
  const { jsonrpc, id, method, params = [] } = message as Record<string, unknown>
  const isEchoed = typeof id === 'string' || Number.isSafeInteger(id)
  if (jsonrpc !== '2.0' || !isEchoed || typeof method !== 'string' || !Array.isArray(params)) return undefined
  return { id, method, params }
}

/** JSON-RPC's own errors ride on 200, and what has no answer gets an empty 204 (CONTRACT 4). */
function askOverHttp(client: HttpClient): Ask {
  return async (text) => {
    const { status, headers, body } = await client.send({ headers: JSON_BODY, body: text })
    if (status === 204 && body === '') return undefined
    if (status !== 200) throw new Error(`expected status 200, got ${status}: ${body}`)
    const type = headers['content-type']
    if (type !== 'application/json') throw new Error(`expected content type application/json, got ${type}`)
    return body
  }
}

/** An HTTP request and its response; of the headers only those count that are named, `null` means none. */
async function httpMismatch(
  client: HttpClient,
  text: string,
  expected: unknown,
  variables: Variables,
): Promise<string | undefined> {
  const { body, ...request } = JSON.parse(variables.fill(text))
  const wanted = expected as { status: number; headers?: Record<string, unknown>; body?: unknown }
  const response = await client.send({
    ...request,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const headers = Object.fromEntries(
    Object.keys(wanted.headers ?? {}).map((name) => [name, response.headers[name] ?? null]),
  )
  const isText = typeof wanted.body === 'string'
  return mismatch(
    {
      status: wanted.status,
      headers: wanted.headers ?? {},
      ...('body' in wanted ? { body: wanted.body } : {}),
    },
    {
      status: response.status,
      headers,
      ...('body' in wanted ? { body: isText ? response.body : JSON.parse(response.body) } : {}),
    },
    variables,
  )
}

type Directive = (devnet: Devnet, variables: Variables, argument: string) => unknown

/** Does what a `--` line says. */
async function obey(text: string, devnet: Devnet, variables: Variables): Promise<void> {
  const [name = '', ...rest] = text.split(' ')
  const directive = DIRECTIVES[name]
  if (directive === undefined) {
    throw new Error(`there is no directive ${name}, only ${Object.keys(DIRECTIVES).join(', ')}`)
  }
  await directive(devnet, variables, variables.fill(rest.join(' ')))
}

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  tick: (devnet, _, times) => repeat(times, () => devnet.tick()),
  seal: (devnet, _, times) => repeat(times, () => devnet.seal()),
  mine: (devnet, _, times) => repeat(times, () => devnet.mine()),
  advance: (devnet, _, argument) => devnet.advance(JSON.parse(argument)),
  /** `let name json` */
  let(_, variables, argument) {
    const [name, json] = named(argument)
    variables.set(name, JSON.parse(json), true)
  },
  /** `send [name] {transaction}`: from an unlocked account; the name is its hash. */
  async send(devnet, variables, argument) {
    const [name, json] = argument.startsWith('{') ? [undefined, argument] : named(argument)
    const hash = await devnet.request({ method: 'eth_sendTransaction', params: [JSON.parse(json)] })
    if (name !== undefined) variables.set(name, hash, true)
  },
  /** `sign name {transaction}`: signed by viem with the key of `from`; the name is the raw bytes. */
  async sign(devnet, variables, argument) {
    const [name, json] = named(argument)
    const { from, ...fields } = JSON.parse(json)
    variables.set(name, await accountOf(devnet, from).signTransaction(toViem(fields)), true)
  },
  /** `authorize name {by, address, chainId, nonce}`: an EIP-7702 authorization, signed by viem. */
  async authorize(devnet, variables, argument) {
    const [name, json] = named(argument)
    const { by, address, chainId, nonce } = JSON.parse(json)
    const wish = { address, chainId: Number(chainId), nonce: Number(nonce) }
    const { r, s, yParity } = await accountOf(devnet, by).signAuthorization(wish)
    const shortest = (word: string) => `0x${BigInt(word).toString(16)}`
    const signature = { yParity: `0x${yParity}`, r: shortest(r), s: shortest(s) }
    variables.set(name, { chainId, address, nonce, ...signature }, true)
  },
}

async function repeat(times: string, act: () => Promise<void>): Promise<void> {
  if (!/^([1-9]\d*)?$/.test(times)) throw new Error(`not a number of times: ${times}`)
  for (let i = 0; i < Number(times || 1); i++) await act()
}

function named(argument: string): [name: string, json: string] {
  const [, name, json] = /^(\w+) (.+)$/.exec(argument) ?? []
  if (name === undefined || json === undefined) throw new Error(`expected a name and JSON, got ${argument}`)
  return [name, json]
}

function accountOf({ accounts }: Devnet, address: string) {
  const account = accounts.find((one) => onWire(one.address) === onWire(address))
  if (account === undefined) throw new Error(`${address} is not a development account`)
  return privateKeyToAccount(account.privateKey)
}

/** A transaction in JSON-RPC's form as viem wants it: quantities become numbers. */
function toViem({ type, to, data, accessList, ...quantities }: Record<string, unknown>) {
  const numbers = Object.entries(quantities).map(([name, value]) => {
    const isNumber = name === 'chainId' || name === 'nonce'
    return [name, isNumber ? Number(value as string) : BigInt(value as string)]
  })
  const given = Object.entries({ type, to, data, accessList }).filter(([, value]) => value !== undefined)
  return Object.fromEntries([...numbers, ...given])
}
