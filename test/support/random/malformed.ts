/**
 * Requests that are wrong, each with the code that it must be answered with (CONTRACT 4). Everything here is generated:
 * a well-formed request is spoilt in one place, and the place decides about the code.
 */
import { privateKeyToAccount } from 'viem/accounts'
import type { Dialect } from '../../../src/wire/dialect.ts'
import { BAD, GOOD, METHODS, OPTIONAL } from './badParams.ts'
import type { Random } from './random.ts'

/** One request and what must come back: the id as it is written, and the code of the error. */
export interface Malformed {
  readonly text: string
  readonly id: string
  readonly code: number
}

/** A body to send: one request, or a batch of them. `undefined`: it must not be answered at all. */
export interface MalformedBody {
  readonly text: string
  readonly answer: Malformed | readonly Malformed[] | undefined
}

/** What the generator has to know about the chain that is asked. */
export interface MalformedContext {
  readonly dialect: Dialect
  /** The number of the latest block; above it is nothing. */
  readonly head: number
  readonly batchLimit: number
  /** The signed transactions, and the code of the dialect `hardhat`. */
  readonly refusedTransactions: readonly (readonly [raw: string, hardhat: number])[]
  readonly goodTransaction: string
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const SERVER = -32000

/** A body with one or more wrong requests. */
export function malformedBody(random: Random, context: MalformedContext): MalformedBody {
  const kind = random.fraction()
  if (kind < 0.02) return notification(random, context)
  if (kind < 0.1) return batch(random, context)
  const answer = malformed(random, context)
  return { text: answer.text, answer }
}

function malformed(random: Random, context: MalformedContext): Malformed {
  return random.chance(0.1) ? brokenJson(random, context) : wrongRequest(random, context)
}

/** A request that is JSON. */
function wrongRequest(random: Random, context: MalformedContext): Malformed {
  const kinds = [
    notARequest,
    badEnvelope,
    badParams,
    unknownMethod,
    wrongArity,
    unknownBlock,
    badRange,
    contradiction,
  ]
  if (random.chance(0.6)) return badValue(random, context)
  return random.pick([...kinds, badRawTransaction, refusedTransaction])(random, context)
}

function batch(random: Random, context: MalformedContext): MalformedBody {
  if (random.chance(0.05)) return only('[]', 'null', INVALID_REQUEST)
  if (random.chance(0.05)) {
    const code = context.dialect === 'base' ? -32010 : INVALID_REQUEST
    return only(`[${'0,'.repeat(context.batchLimit)}0]`, 'null', code)
  }
  const answer = random.list(random.between(1, 8), () => wrongRequest(random, context))
  return { text: `[${answer.map(({ text }) => text).join(random.pick([',', ' , ', ',\n']))}]`, answer }
}

function only(text: string, id: string, code: number): MalformedBody {
  return { text, answer: { text, id, code } }
}

/** A request without an id, however wrong it is, wants no answer; unless it is no request. */
function notification(random: Random, context: MalformedContext): MalformedBody {
  const { text, id } = random.pick([badValue, badParams, unknownMethod, wrongArity])(random, context)
  return { text: text.replace(`"id":${id},`, ''), answer: undefined }
}

function brokenJson(random: Random, context: MalformedContext): Malformed {
  for (;;) {
    const whole = badValue(random, context).text
    const at = random.below(whole.length)
    const text = random.pick([
      () => whole.slice(0, at),
      () =>
        whole.slice(0, at) +
        random.pick(['{', '}', '"', ',', ':', '\\', '\u0000', "'", 'x']) +
        whole.slice(at),
      () => whole.slice(0, at) + whole.slice(at + 1),
      () => `${whole}${random.pick(['}', ']', ',', whole, 'x', '\u0000'])}`,
      () => whole.replaceAll('"', "'"),
      () => whole.replace('}', ',}'),
      () => `\ufeff${whole}`,
      () =>
        random.pick([
          '',
          ' ',
          'undefined',
          'NaN',
          'Infinity',
          '0x1',
          '01',
          '+1',
          '.5',
          '1.',
          "''",
          '/**/1',
          '\u00a0',
        ]),
      () => '['.repeat(random.between(1, 2_000)),
      () => '{"a":'.repeat(random.between(1, 2_000)),
    ])()
    if (!isJson(text)) return { text, id: 'null', code: PARSE_ERROR }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function notARequest(random: Random): Malformed {
  const text = random.pick([
    () => String(random.between(-1_000, 1_000)),
    () => random.pick(['null', 'true', 'false', '1e400', '-0', '1.5', '""', '"eth_chainId"', '{}']),
    () => JSON.stringify(random.hex(random.below(100))),
    () => `{${JSON.stringify(random.hex(4))}:1}`,
  ])()
  return { text, id: 'null', code: INVALID_REQUEST }
}

function badEnvelope(random: Random): Malformed {
  const [id, echo] = random.chance(0.8) ? twice(goodId(random)) : [undefined, 'null']
  const member = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`"${name}":${value}`]
  const join = (...members: string[][]) => `{${members.flat().join(',')}}`
  const version = member('jsonrpc', '"2.0"')
  const method = member('method', '"eth_chainId"')
  const text = random.pick([
    () =>
      join(
        member('jsonrpc', random.pick(['"1.0"', '2', '2.0', 'null', '"2"', '{}', '["2.0"]', '""', '"2.0 "'])),
        member('id', id),
        method,
      ),
    () => join(member('id', id), method),
    () => join(member('JSONRPC', '"2.0"'), member('id', id), method),
    () =>
      join(
        version,
        member('id', id),
        member('method', random.pick(['null', '7', 'true', '{}', '[]', '["eth_chainId"]'])),
      ),
    () => join(version, member('id', id)),
  ])()
  if (random.chance(0.7)) return { text, id: echo, code: INVALID_REQUEST }
  const badId = random.pick([
    'true',
    'false',
    '{}',
    '[]',
    '[1]',
    '{"id":1}',
    `${'['.repeat(50)}${']'.repeat(50)}`,
  ])
  return { text: join(version, member('id', badId), method), id: 'null', code: INVALID_REQUEST }
}

function twice(id: string): [string, string] {
  return [id, id]
}

/** An id in the form in which it must come back. */
function goodId(random: Random): string {
  return random.pick([
    () => String(random.between(0, 1_000_000)),
    () => String(-random.between(1, 1_000)),
    () => `${random.between(0, 9)}.${random.between(1, 9)}`,
    () => (random.bigint(64) + 2n ** 64n).toString(),
    () => JSON.stringify(random.hex(random.below(20))),
    () => JSON.stringify(random.pick(['', 'ü', '"', '\\', '\n', '\u2028', '😀', '__proto__', 'id'])),
    () => 'null',
  ])()
}

function request(random: Random, method: string, params: readonly unknown[]): { text: string; id: string } {
  const id = goodId(random)
  return {
    id,
    text: `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`,
  }
}

function badParams(random: Random): Malformed {
  const id = goodId(random)
  const params = random.pick([
    '{}',
    '{"address":"0x0"}',
    '"latest"',
    '7',
    'true',
    'false',
    '""',
    '0',
    '1e400',
  ])
  const method = random.pick([...METHODS.keys(), 'eth_banana'])
  return {
    id,
    code: INVALID_PARAMS,
    text: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
  }
}

function unknownMethod(random: Random): Malformed {
  const known = random.pick([...METHODS.keys()])
  const method = random.pick([
    () => known.toUpperCase(),
    () => `${known} `,
    () => ` ${known}`,
    () => known.slice(1),
    () => `${known}s`,
    () => random.hex(random.below(2_000)),
    () =>
      random.pick([
        '',
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        'eth_subscribe',
        'eth_unsubscribe',
        '😀',
        '\u0000',
        'rpc.discover',
      ]),
  ])()
  const params = random.pick([[], ['latest'], [{}], [null]])
  return { ...request(random, method, params), code: METHOD_NOT_FOUND }
}

function wrongArity(random: Random): Malformed {
  const [method, kinds] = random.pick([...METHODS])
  const good = kinds.map((kind) => GOOD[kind](random))
  const required = kinds.filter((kind) => !OPTIONAL.has(kind)).length
  if (required > 0 && random.chance(0.5)) {
    const given = good.slice(0, random.below(required))
    // A missing parameter may also be null, which is the same.
    const filled = random.chance(0.3) ? [...given, null] : given
    return { ...request(random, method, filled), code: INVALID_PARAMS }
  }
  const more = random.list(random.between(1, 20), () => random.pick([null, 'latest', 0, {}, []]))
  return { ...request(random, method, [...good, ...more]), code: INVALID_PARAMS }
}

/** A right request for a block that there is not. */
function unknownBlock(random: Random, { dialect, head }: MalformedContext): Malformed {
  const code = dialect === 'base' ? -32001 : SERVER
  const number = random.pick([head + 1, head + 2, head + random.between(3, 1_000_000), 2 ** 53])
  const hex = random.chance(0.1) ? '0xffffffffffffffff' : `0x${number.toString(16)}`
  const hash = random.hex(32)
  if (random.chance(0.15)) return { ...request(random, 'eth_getLogs', [{ blockHash: hash }]), code }
  const selector = random.pick([
    hex,
    hash,
    { blockNumber: hex },
    { blockHash: hash },
    { blockHash: hash, requireCanonical: random.chance(0.5) },
  ])
  const [method, first] = random.pick([
    ['eth_getBalance', random.hex(20)],
    ['eth_getCode', random.hex(20)],
    ['eth_getTransactionCount', random.hex(20)],
    ['eth_call', { to: random.hex(20) }],
    ['eth_estimateGas', { to: random.hex(20) }],
  ])
  return { ...request(random, method as string, [first, selector]), code }
}

function badRange(random: Random, { head }: MalformedContext): Malformed {
  const hex = (number: number) => `0x${number.toString(16)}`
  const low = random.below(head)
  const high = random.between(low + 1, head)
  const above = head + random.between(1, 1_000)
  const filter = random.pick([
    { fromBlock: hex(high), toBlock: hex(low) },
    { fromBlock: 'latest', toBlock: hex(low) },
    { toBlock: hex(low) },
    { fromBlock: hex(low), toBlock: hex(above) },
    { fromBlock: 'pending', toBlock: hex(above) },
    { fromBlock: hex(above + 1), toBlock: 'pending' },
    { fromBlock: hex(above), toBlock: 'latest' },
    { fromBlock: 'earliest', toBlock: '0xffffffffffffffff' },
  ])
  return { ...request(random, 'eth_getLogs', [filter]), code: INVALID_PARAMS }
}

/** Values that are each right but contradict each other, for which geth has another code. */
function contradiction(random: Random, { dialect }: MalformedContext): Malformed {
  const members = random.pick([
    { gasPrice: '0x1', maxFeePerGas: '0x1' },
    { gasPrice: '0x0', maxPriorityFeePerGas: '0x0' },
    { data: '0x01', input: '0x02' },
    { data: '0x', input: '0x00' },
  ])
  const method = random.pick(['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])
  const code = dialect === 'base' ? INVALID_PARAMS : SERVER
  return { ...request(random, method, [{ to: random.hex(20), ...members }]), code }
}

function badRawTransaction(random: Random, { goodTransaction }: MalformedContext): Malformed {
  const digits = goodTransaction.slice(2)
  const raw = random.pick([
    () => BAD.bytes(random),
    () => `0x${digits.slice(0, 2 * random.below(digits.length / 2))}`,
    () => `${goodTransaction}${random.hex(random.between(1, 40)).slice(2)}`,
    () => `0x${random.pick(['01', '03', '04', '05', '7f', 'bf'])}${digits.slice(2)}`,
    () => `0x${random.pick(['f8ff', 'c0', 'c3', 'ff', '02c0', '02', 'f90000', 'fbffffffff'])}`,
    () => `0x${random.pick(['', '01', '02', '04'])}${'c1'.repeat(random.between(1, 5_000))}`,
    // Nested for real, each list with its length: deeper than any reader recurses.
    () => `0x${nestedLists(random.between(2, 3_000))}`,
    () => random.hex(random.between(0, 200)),
  ])()
  return { ...request(random, 'eth_sendRawTransaction', [raw]), code: INVALID_PARAMS }
}

function nestedLists(depth: number): string {
  let size = 1
  const heads = ['c0']
  for (let i = 1; i < depth; i++) {
    const length = size.toString(16).padStart(size.toString(16).length + (size.toString(16).length % 2), '0')
    const head =
      size < 56 ? (0xc0 + size).toString(16) : `${(0xf7 + length.length / 2).toString(16)}${length}`
    heads.push(head)
    size += head.length / 2
  }
  return heads.reverse().join('')
}

/** Rightly signed, and not to be taken. */
function refusedTransaction(random: Random, { dialect, refusedTransactions }: MalformedContext): Malformed {
  const [raw, hardhat] = random.pick(refusedTransactions)
  const code = dialect === 'hardhat' ? hardhat : SERVER
  return { ...request(random, 'eth_sendRawTransaction', [raw]), code }
}

/** Signed transactions that a devnet with the chain id 31337 must refuse, and one that is well-formed. */
export async function signedTransactions(): Promise<
  Pick<MalformedContext, 'refusedTransactions' | 'goodTransaction'>
> {
  const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  const transfer = {
    type: 'eip1559',
    chainId: 31_337,
    gas: 21_000n,
    maxFeePerGas: 2n * 10n ** 9n,
    to: account.address,
  } as const
  const raw = (fields: object) => account.signTransaction({ ...transfer, ...fields })
  const sign = async (fields: object, hardhat = SERVER) => [await raw(fields), hardhat] as const
  return {
    goodTransaction: await raw({}),
    refusedTransactions: await Promise.all([
      sign({}), // the sender has nothing
      sign({ chainId: 1 }, INVALID_PARAMS),
      sign({ gas: 20_999n }),
      sign({ gas: 2n ** 64n - 1n }),
      sign({ gas: 16_777_217n }),
      sign({ to: null, data: `0x${'00'.repeat(49_153)}`, gas: 10_000_000n }, INVALID_PARAMS),
      sign({ nonce: Number.MAX_SAFE_INTEGER }),
      sign({ value: 2n ** 256n - 1n }),
    ]),
  }
}

/** A right request with one value spoilt. */
function badValue(random: Random, _ground?: MalformedContext): Malformed {
  const [method, kinds] = random.pick([...METHODS].filter(([, list]) => list.length > 0))
  const at = random.below(kinds.length)
  const params = kinds.slice(0, at + 1).map((kind, i) => (i === at ? BAD[kind](random) : GOOD[kind](random)))
  return { ...request(random, method, params), code: INVALID_PARAMS }
}
