/**
 * The transactions whose traces are compared with another node's: what calls, creations and failures can look like
 * from the inside, each as small as can be. `scripts/record-traces.ts` sends them to that node.
 */

import { type Address, fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { contractAddress } from '../../../src/model/account/account.ts'
import type { UnsignedTransaction } from '../../../src/model/transaction/transaction.ts'
import { assemble, creationOf, type Item, inMemory } from '../compilers/assembly.ts'
import { authorize, type Signer } from './signing.ts'

export interface TracedTransaction {
  readonly name: string
  readonly fields: Partial<UnsignedTransaction>
}

const GAS = 1_000_000n
const EMPTY: Address = '0x000000000000000000000000000000000000e3e3'
const NOBODY: Address = '0x000000000000000000000000000000000000b0b0'
const HEIR: Address = '0x00000000000000000000000000000000000be1e1'

/** Error("no") */
const REASON = fromHex(
  ('0x08c379a00000000000000000000000000000000000000000000000000000000000000020' +
    '00000000000000000000000000000000000000000000000000000000000000026e6f'.padEnd(128, '0')) as Hex,
)
/** Panic(0x11) */
const PANIC = fromHex(`0x4e487b71${'11'.padStart(64, '0')}`)

const reverting = (data: Uint8Array): Uint8Array => assemble(inMemory(data), data.length, 0, 'REVERT')
/** Keeps the first word of its input in slot 0, says so and answers it. */
const KEEPER = assemble(
  ...([0, 'CALLDATALOAD', 'DUP1', 0, 'SSTORE', 0, 'MSTORE'] as const),
  ...([7, 32, 0, 'LOG1', 32, 0, 'RETURN'] as const),
)
const READER = assemble(0, 'SLOAD', 0, 'MSTORE', 32, 0, 'RETURN')

type Opener = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'

/** Calls `to` with the first `input` bytes of memory, and leaves whether that went well. */
function calling(kind: Opener, to: Address, { value = 0, input = 0, gas = 100_000 } = {}): Uint8Array {
  const carried: Item[] = kind === 'CALL' || kind === 'CALLCODE' ? [value] : []
  return assemble(0, 0, input, 0, ...carried, to, gas, kind)
}

/** Creates from `initCode` and leaves where. */
function creating(initCode: Uint8Array, salt?: number): Uint8Array {
  const salted: Item[] = salt === undefined ? [] : [salt]
  const create = salt === undefined ? 'CREATE' : 'CREATE2'
  return assemble(inMemory(initCode), ...salted, initCode.length, 0, 0, create)
}

/** The transactions of `sender`, whose nonce is zero, in their order. */
export async function tracedTransactions(sender: Signer, delegator: Signer): Promise<TracedTransaction[]> {
  const transactions: TracedTransaction[] = []
  const add = (name: string, fields: Partial<UnsignedTransaction>): void => {
    const nonce = BigInt(transactions.length)
    transactions.push({ name, fields: { nonce, gasLimit: GAS, ...fields } })
  }
  const deploy = (name: string, runtime: Uint8Array, value = 0n): Address => {
    const to = contractAddress(sender.address, BigInt(transactions.length))
    add(`deploys ${name}`, { to: undefined, data: creationOf(runtime), value })
    return to
  }
  /** Deploys `code` and calls it. */
  const run = (name: string, code: Uint8Array, fields: Partial<UnsignedTransaction> = {}): Address => {
    const to = deploy(`what ${name}`, code)
    add(name, { to, ...fields })
    return to
  }
  const word = fromHex(`0x${'2a'.padStart(64, '0')}`)

  add('pays', { to: NOBODY, value: 5n, gasLimit: 21_000n })
  const keeper = deploy('the keeper', KEEPER)
  const reader = deploy('the reader', READER)
  const refuser = deploy('what reverts with a reason', reverting(REASON))
  const spender = deploy('what burns its gas', assemble('JUMPDEST', 0, 'JUMP'))
  const invalid = deploy('what is invalid', assemble('INVALID'))
  add('writes, logs and returns', { to: keeper, data: word })
  add('writes what was written', { to: keeper, data: word })
  add('clears a slot', { to: keeper, data: new Uint8Array(32) })
  add('reads', { to: reader })
  run('calls with value', assemble(9, 0, 'MSTORE', calling('CALL', keeper, { value: 3, input: 32 })), {
    value: 10n,
  })
  run('pays somebody new', calling('CALL', EMPTY, { value: 1 }), { value: 1n })
  run('calls without code', calling('CALL', NOBODY, { input: 64 }))
  run('delegates', assemble(11, 0, 'MSTORE', calling('DELEGATECALL', keeper, { input: 32 })), { value: 2n })
  run('borrows code', assemble(12, 0, 'MSTORE', calling('CALLCODE', keeper, { value: 1, input: 32 })), {
    value: 2n,
  })
  run('looks', calling('STATICCALL', reader))
  run('may not write where it only looks', calling('STATICCALL', keeper, { input: 32 }))
  run('survives a revert', calling('CALL', refuser))
  run('survives an invalid instruction', calling('CALL', invalid))
  run('survives what runs out of gas', calling('CALL', spender, { gas: 100 }))
  run('has less than it wants to send', assemble(calling('CALL', keeper, { value: 99 }), 0, 'MSTORE'))
  run('has less than it wants to endow', assemble(0, 0, 99, 'CREATE', 'POP'))
  add('reverts with a reason', { to: refuser, value: 1n })
  run('panics', reverting(PANIC))
  run('reverts with bytes of its own', reverting(fromHex('0xdeadbeef01')))
  run('reverts silently', assemble(0, 0, 'REVERT'))
  run('reverts after a call', assemble(calling('CALL', keeper, { input: 32 }), reverting(REASON)))
  run('runs out of gas', assemble(1, 0xffffff, 'MSTORE8'), { gasLimit: 60_000n })
  run('jumps nowhere', assemble(3, 'JUMP'), { gasLimit: 60_000n })
  run('has nothing to pop', assemble('POP'), { gasLimit: 60_000n })
  run('is no instruction', Uint8Array.of(0x0c), { gasLimit: 60_000n })
  run('copies what was not returned', assemble(32, 0, 0, 'RETURNDATACOPY'), { gasLimit: 60_000n })
  run('creates', assemble(creating(creationOf(READER)), 'POP'))
  const twice = run('creates under a salt', assemble(creating(creationOf(READER), 5), 'POP'))
  add('creates where something stands', { to: twice })
  run('creates what reverts', assemble(creating(reverting(REASON)), 'POP'))
  run('creates what is invalid', assemble(creating(assemble('INVALID')), 'POP'))
  run('creates forbidden code', assemble(creating(assemble(0xef, 0, 'MSTORE8', 1, 0, 'RETURN')), 'POP'))
  run('creates too much code', assemble(creating(assemble('0x6001', 0, 'RETURN')), 'POP'))
  add('creates what cannot be paid for', {
    to: undefined,
    data: assemble('0x0200', 0, 'RETURN'),
    gasLimit: 100_000n,
  })
  add('fails to be created', { to: undefined, data: reverting(REASON) })
  run('leaves its money to somebody', assemble(HEIR, 'SELFDESTRUCT'), { value: 4n })
  run('creates what destroys itself', assemble(creating(assemble(HEIR, 'SELFDESTRUCT')), 'POP'))
  run('hashes', assemble(1, 0, 'MSTORE', calling('STATICCALL', precompile(2), { input: 32 })))
  run(
    'asks for a point that is none',
    assemble(1, 0, 'MSTORE', calling('CALL', precompile(6), { input: 64 })),
  )
  run('pays a precompile', calling('CALL', precompile(4), { value: 1, input: 3 }), { value: 1n })
  run(
    'logs around calls, one of which fails',
    assemble(
      ...([1, 0, 0, 'LOG1', calling('CALL', keeper), 2, 0, 0, 'LOG1'] as Item[]),
      ...([calling('CALL', refuser), calling('STATICCALL', keeper), 3, 4, 1, 0, 'LOG2'] as Item[]),
    ),
  )
  run(
    'looks at others',
    assemble(NOBODY, 'BALANCE', keeper, 'EXTCODESIZE', refuser, 'EXTCODEHASH', EMPTY, 'BALANCE', 77, 'SLOAD'),
  )
  add('names what it touches', {
    type: 1,
    to: keeper,
    data: word,
    accessList: [{ address: keeper, storageKeys: [`0x${'00'.repeat(32)}`] }],
  })
  const wish = await authorize(delegator, { address: keeper, nonce: 0n })
  add('sets code', { type: 4, to: delegator.address, data: word, authorizationList: [wish] })
  add('calls set code', { to: delegator.address, data: word })
  run('calls set code from code', calling('CALL', delegator.address))
  return transactions
}

function precompile(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** The tracers that are compared, as they are asked for. */
export const TRACERS = {
  call: { tracer: 'callTracer' },
  callWithLog: { tracer: 'callTracer', tracerConfig: { withLog: true } },
  topCall: { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } },
  prestate: { tracer: 'prestateTracer' },
  diff: { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  fourByte: { tracer: '4byteTracer' },
  struct: { enableReturnData: true },
} as const
