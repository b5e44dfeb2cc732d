/** Random contracts with code that compilers never write, and every instruction that accesses state. */

import type { Address } from '../../../src/bytes/hex.ts'
import { HARDFORKS, type Hardfork } from '../../../src/model/hardfork/hardfork.ts'
import { assemble, creationOf, type Instruction, type Item, inMemory } from '../compilers/assembly.ts'
import type { Random } from '../random/random.ts'
import { precompileCall } from './precompileInputs.ts'

/** Instructions that push one word about the block, the transaction or the account, and since when. */
const ENVIRONMENT: readonly (readonly [Instruction, Hardfork])[] = [
  ['NUMBER', 'byzantium'],
  ['TIMESTAMP', 'byzantium'],
  ['COINBASE', 'byzantium'],
  ['PREVRANDAO', 'byzantium'],
  ['GASLIMIT', 'byzantium'],
  ['CHAINID', 'istanbul'],
  ['SELFBALANCE', 'istanbul'],
  ['GASPRICE', 'byzantium'],
  ['ADDRESS', 'byzantium'],
  ['CALLER', 'byzantium'],
  ['ORIGIN', 'byzantium'],
  ['CALLVALUE', 'byzantium'],
  ['CALLDATASIZE', 'byzantium'],
  ['RETURNDATASIZE', 'byzantium'],
  ['CODESIZE', 'byzantium'],
  ['MSIZE', 'byzantium'],
  ['PC', 'byzantium'],
  ['GAS', 'byzantium'],
  ['BASEFEE', 'london'],
  ['BLOBBASEFEE', 'cancun'],
]

/** Instructions that compute a word from words, how many they take, and since when. */
const ARITHMETIC: readonly (readonly [Instruction, number, Hardfork])[] = [
  ...(['ADD', 'MUL', 'SUB', 'DIV', 'SDIV', 'MOD', 'SMOD', 'EXP', 'SIGNEXTEND'] as const).map(
    (name) => [name, 2, 'byzantium'] as const,
  ),
  ...(['LT', 'GT', 'SLT', 'SGT', 'EQ', 'AND', 'OR', 'XOR', 'BYTE'] as const).map(
    (name) => [name, 2, 'byzantium'] as const,
  ),
  ...(['SHL', 'SHR', 'SAR'] as const).map((name) => [name, 2, 'constantinople'] as const),
  ['ADDMOD', 3, 'byzantium'],
  ['MULMOD', 3, 'byzantium'],
  ['ISZERO', 1, 'byzantium'],
  ['NOT', 1, 'byzantium'],
  ['CLZ', 1, 'osaka'],
]

/** Words at which arithmetic goes wrong, if it does. */
const WORDS = [0n, 1n, 2n, 31n, 32n, 255n, 256n, 2n ** 128n, 2n ** 255n, 2n ** 255n - 1n, 2n ** 256n - 1n]

interface Place {
  readonly random: Random
  readonly hardfork: Hardfork
  /** Contracts and accounts that may be called. */
  readonly others: readonly Address[]
}

/** Creation code of a random contract that may call `others`. */
export function randomContract(random: Random, hardfork: Hardfork, others: readonly Address[]): Uint8Array {
  const place = { random, hardfork, others }
  const before = random.chance(0.5) ? body(place, 3) : new Uint8Array()
  const isBroken = random.chance(0.05)
  return creationOf(
    body(place, 6),
    isBroken ? assemble(0, 0, random.pick(['REVERT', 'INVALID'] as const)) : before,
  )
}

function body(place: Place, longest: number): Uint8Array {
  const { random } = place
  const steps = random.list(random.between(1, longest), () => random.pick(STEPS)(place, random.below(4)))
  return assemble(...steps, end(place))
}

function end({ random, others }: Place): Uint8Array {
  switch (random.below(16)) {
    case 0:
      return assemble(random.below(70), 0, 'REVERT')
    case 1:
      return assemble('INVALID')
    case 2:
      return assemble(random.pick(others), 'SELFDESTRUCT')
    case 3:
      return assemble(random.pick(['CALLER', 'ADDRESS'] as const), 'SELFDESTRUCT')
    case 4:
      return assemble(7, 'JUMP') // to no JUMPDEST
    case 5:
      return assemble(1, 0xffffff, 'MSTORE8') // costs more gas than anyone has
    case 6:
    case 7:
      return assemble(random.below(70), 0, 'RETURN')
    default:
      return assemble('STOP')
  }
}

/** Something that leaves the stack as it was, and what came of it in a slot below 4. */
type Step = (place: Place, slot: number) => Uint8Array

const STEPS: readonly Step[] = [
  ({ random }, slot) => assemble(random.below(3), slot, 'SSTORE'),
  ({ random }, slot) => assemble(random.below(3), slot, 'SSTORE'),
  (_, slot) => assemble(slot, 'SLOAD', 1, 'ADD', slot, 'SSTORE'),
  (place, slot) => assemble(place.random.pick(known(place, ENVIRONMENT)), slot, 'SSTORE'),
  // The hash of a block between this one and 300 before it, or after it: into a slot with which nobody computes, so that
  // it can be told from other words.
  ({ random }, slot) =>
    assemble(random.pick([0, 1, 2, 255, 256, 257, 300]), 'NUMBER', 'SUB', 'BLOCKHASH', slot + 4, 'SSTORE'),
  ({ random }, slot) =>
    random.chance(0.5)
      ? assemble(random.below(33), 0, 'LOG0')
      : assemble(slot, random.hex(32), 32, 0, 'LOG2'),
  (place, slot) => {
    const value = place.random.chance(0.3) ? 1 : 0
    return assemble(32, 0, 0, 0, value, someone(place), 'GAS', 'CALL', slot, 'SSTORE')
  },
  (place, slot) => {
    const kind = place.random.pick(['DELEGATECALL', 'STATICCALL'] as const)
    return assemble(0, 0, 0, 0, someone(place), 'GAS', kind, slot, 'SSTORE')
  },
  (place, slot) => {
    const gas = place.random.pick([0, 2300, 5000, 50_000])
    return assemble(0, 0, 0, 0, 0, someone(place), gas, 'CALLCODE', slot, 'SSTORE')
  },
  (place, slot) => {
    const what = place.random.pick(['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'] as const)
    return assemble(someone(place), what, slot, 'SSTORE')
  },
  (place, slot) =>
    isSince(place, 'cancun')
      ? assemble(slot, 'TLOAD', 1, 'ADD', 'DUP1', slot, 'TSTORE', slot, 'SSTORE')
      : assemble(1, slot, 'SSTORE'),
  spawn,
  spawn,
  compute,
  compute,
  remember,
  remember,
  askPrecompile,
]

function isSince({ hardfork }: Place, first: Hardfork): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first)
}

function known(place: Place, table: typeof ENVIRONMENT): Instruction[] {
  return table.filter(([, first]) => isSince(place, first)).map(([name]) => name)
}

/** Mostly another account, now and then the contract itself. */
function someone({ random, others }: Place): Item {
  return random.chance(0.05) ? 'ADDRESS' : random.pick(others)
}

function compute(place: Place, slot: number): Uint8Array {
  const { random } = place
  const [name, takes] = random.pick(ARITHMETIC.filter(([, , first]) => isSince(place, first)))
  const words = random.list(takes, () => (random.chance(0.6) ? random.pick(WORDS) : random.bigint(256)))
  return assemble(...words, name, slot, 'SSTORE')
}

/** Writes into memory, in one way or another, and hashes what is there. */
function remember(place: Place, slot: number): Uint8Array {
  const { random } = place
  const size = random.pick([0, 1, 31, 32, 33, 100])
  const [from, to] = random.list(2, () => random.pick([0, 1, 32, 64, 1_000, 50_000]))
  const ways: Item[][] = [
    [random.pick(WORDS), to!, random.pick(['MSTORE', 'MSTORE8'] as const)],
    [size, from!, to!, random.pick(['CALLDATACOPY', 'CODECOPY'] as const)],
    [size, from!, to!, someone(place), 'EXTCODECOPY'],
    ['RETURNDATASIZE', 0, to!, 'RETURNDATACOPY'],
    [from!, 'MLOAD', to!, 'MSTORE'],
    [from!, 'CALLDATALOAD', to!, 'MSTORE'],
  ]
  if (isSince(place, 'cancun')) ways.push([size, from!, to!, 'MCOPY'])
  // Beyond what was returned: that is a failure.
  if (random.chance(0.05)) ways.push([size, 'RETURNDATASIZE', to!, 'RETURNDATACOPY'])
  return assemble(...random.pick(ways), random.below(100), random.below(40), 'KECCAK256', slot, 'SSTORE')
}

/** Calls a precompile, and stores the hash of its output, or its failure. */
function askPrecompile({ random }: Place, slot: number): Uint8Array {
  const { to, data } = precompileCall(random)
  const gas = random.chance(0.9) ? 'GAS' : random.pick([0, 100, 3_000, 50_000])
  const ask: Item[] = random.chance(0.5)
    ? [0, 0, data.length, 0, to, gas, random.pick(['STATICCALL', 'DELEGATECALL'] as const)]
    : [0, 0, data.length, 0, 0, to, gas, random.pick(['CALL', 'CALLCODE'] as const)]
  const answer: Item[] = ['RETURNDATASIZE', 0, 0, 'RETURNDATACOPY', 'RETURNDATASIZE', 0, 'KECCAK256', 'ADD']
  return assemble(inMemory(data), ...ask, ...answer, slot, 'SSTORE')
}

/**
 * Creates a child that destroys itself when it is called, calls it at once more often than not, and notes its address.
 * There are few salts, so that a child collides with an elder one, or rises again where that is gone.
 */
function spawn({ random }: Place, slot: number): Uint8Array {
  const child = creationOf(assemble('CALLER', 'SELFDESTRUCT'), assemble(1, slot, 'SSTORE'))
  const value = random.chance(0.1) ? 1 : 0
  const create = random.chance(0.7)
    ? assemble(random.below(2), child.length, 0, value, 'CREATE2')
    : assemble(child.length, 0, value, 'CREATE')
  const call = random.chance(0.6) ? assemble(0, 0, 0, 0, 0, 'DUP6', 'GAS', 'CALL', 'POP') : new Uint8Array()
  return assemble(inMemory(child), create, call, slot, 'SSTORE')
}
