/**
 * The type of a parameter, in a word. The parser of the method shows it: it accepts `undefined` or not, and for an
 * impossible value its error has the expected type.
 */
import { InvalidValue, type Parser } from '../../src/wire/parser.ts'

/** The word of each type, with the beginning of the parsers' expectation, and the meaning of the word. */
const TYPES: Readonly<Record<string, readonly [expected: string, means: string]>> = {
  address: ['a 20-byte address', '20 bytes: `0x` and 40 hex digits'],
  hash: ['32 bytes', '32 bytes: `0x` and 64 hex digits'],
  bytes: ['bytes', '`0x` and an even number of hex digits'],
  word: ['at most 32 bytes', 'up to 32 bytes; leading zeros may be missing'],
  quantity: ['a quantity', '`0x` and hex digits without leading zeros'],
  amount: ['a whole number from', 'a quantity with or without leading zeros, decimal text, or a JSON number'],
  number: ['a number', 'a JSON number'],
  boolean: ['true or false', '`true` or `false`'],
  text: ['a text', 'any text'],
  slot: ['a storage slot', '32 bytes or a quantity'],
  slots: ['an array of storage keys', '`[slot, …]`'],
  'slots by address': ['an object {address: [slot', '`{address: [slot, …]}`'],
  block: [
    'a block:',
    'a block number, a hash, or an object of EIP-1898: `{blockHash, requireCanonical?}`, `{blockNumber}`',
  ],
  'block number': ['a block number', 'a quantity, `latest`, `pending`, `safe`, `finalized` or `earliest`'],
  call: [
    'a call object',
    '`{from?, to?, data?, value?, gas?, …}`; a call to send also has `nonce?`, `type?` and fees',
  ],
  'state overrides': [
    'state overrides',
    '`{address: {balance?, nonce?, code?, state?, stateDiff?, movePrecompileToAddress?}}`',
  ],
  'block overrides': [
    'block overrides',
    '`{number?, time?, gasLimit?, feeRecipient?, prevRandao?, baseFeePerGas?, blobBaseFee?, difficulty?}`',
  ],
  simulation: [
    'a simulation',
    '`{blockStateCalls: [{blockOverrides?, stateOverrides?, calls?}, …], validation?, traceTransfers?, returnFullTransactions?}`',
  ],
  filter: [
    'a filter object',
    '`{fromBlock?, toBlock?, address?, topics?}` or `{blockHash, address?, topics?}`',
  ],
  'trace options': [
    'a trace configuration',
    '`{tracer?, tracerConfig?, timeout?}`: `callTracer`, `flatCallTracer`, `prestateTracer`, `erc7562Tracer`, `4byteTracer`, `noopTracer`, a tracer in JavaScript, several of them by `muxTracer`, or the struct logger',
  ],
  'payload attributes': [
    'payload attributes',
    '`{timestamp, prevRandao, suggestedFeeRecipient, withdrawals?, parentBeaconBlockRoot?}`',
  ],
  kinds: [
    'an array of kinds of traces',
    'the parts of a trace: `trace`, the calls; `stateDiff`, the changes of the state',
  ],
  'typed data': ['typed data', '`{types, primaryType, domain, message}` (EIP-712), or its JSON'],
  percentiles: [
    'an array of percentiles',
    'up to 100 numbers from 0 to 100 in ascending order; in the dialect `geth`, without duplicates',
  ],
}

export const LEGEND = Object.entries(TYPES).map(([word, [, means]]) => [word, means] as const)

export function isOptional(parse: Parser<unknown>): boolean {
  try {
    parse(undefined, '')
    return true
  } catch {
    return false
  }
}

/** The word of the type that `parse` accepts; `any` if it accepts everything, `undefined` if there is no word yet. */
export function wordFor(parse: Parser<unknown>): string | undefined {
  try {
    parse(Symbol('impossible'), '')
    return 'any'
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    return Object.entries(TYPES).find(([, [expected]]) => error.expected.startsWith(expected))?.[0]
  }
}
