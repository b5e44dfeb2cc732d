/** Random contracts: what compilers never write, every instruction that touches state among it. */
import { HARDFORKS, type Hardfork } from '../../src/model/hardfork.ts'
import type { Address } from '../../src/model/hex.ts'
import { assemble, creationOf, type Instruction, inMemory } from './assembly.ts'
import type { Random } from './random.ts'

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
  ['CALLER', 'byzantium'],
  ['ORIGIN', 'byzantium'],
  ['CALLVALUE', 'byzantium'],
  ['CODESIZE', 'byzantium'],
  ['GAS', 'byzantium'],
  ['BASEFEE', 'london'],
  ['BLOBBASEFEE', 'cancun'],
]

/** Creation code of a random contract that may call `others`. */
export function randomContract(random: Random, hardfork: Hardfork, others: readonly Address[]): Uint8Array {
  const before = random.chance(0.5) ? body(random, hardfork, others, 3) : new Uint8Array()
  const isBroken = random.chance(0.05)
  return creationOf(
    body(random, hardfork, others, 6),
    isBroken ? assemble(0, 0, random.pick(['REVERT', 'INVALID'] as const)) : before,
  )
}

function body(random: Random, hardfork: Hardfork, others: readonly Address[], longest: number): Uint8Array {
  const steps = random.list(random.between(1, longest), () => step(random, hardfork, others))
  return assemble(...steps, end(random, others))
}

function end(random: Random, others: readonly Address[]): Uint8Array {
  switch (random.below(12)) {
    case 0:
      return assemble(0, 0, 'REVERT')
    case 1:
      return assemble('INVALID')
    case 2:
      return assemble(random.pick(others), 'SELFDESTRUCT')
    case 3:
      return assemble('CALLER', 'SELFDESTRUCT')
    case 4:
      return assemble(7, 'JUMP') // to no JUMPDEST
    default:
      return assemble('STOP')
  }
}

/** Something that leaves the stack as it was. */
function step(random: Random, hardfork: Hardfork, others: readonly Address[]): Uint8Array {
  const since = (first: Hardfork) => HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(first)
  const slot = random.below(4)
  const other = random.pick(others)
  switch (random.below(13)) {
    case 0:
    case 1:
      return assemble(random.below(3), slot, 'SSTORE')
    case 2:
      return assemble(slot, 'SLOAD', 1, 'ADD', slot, 'SSTORE')
    case 3: {
      const known = ENVIRONMENT.filter(([, first]) => since(first))
      return assemble(random.pick(known)[0], slot, 'SSTORE')
    }
    case 4:
      // The hash of a block between this one and 300 before it, or after it.
      return assemble(
        random.pick([0, 1, 2, 255, 256, 257, 300]),
        'NUMBER',
        'SUB',
        'BLOCKHASH',
        slot,
        'SSTORE',
      )
    case 5:
      return random.chance(0.5)
        ? assemble(random.below(33), 0, 'LOG0')
        : assemble(slot, random.hex(32), 32, 0, 'LOG2')
    case 6: {
      const value = random.chance(0.3) ? 1 : 0
      return assemble(32, 0, 0, 0, value, other, 'GAS', 'CALL', slot, 'SSTORE')
    }
    case 7:
      return assemble(0, 0, 0, 0, other, 'GAS', random.pick(['DELEGATECALL', 'STATICCALL']), slot, 'SSTORE')
    case 8:
      return assemble(0, 0, 0, 0, 0, other, random.pick([0, 2300, 5000, 50_000]), 'CALLCODE', slot, 'SSTORE')
    case 9:
      return assemble(other, random.pick(['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'] as const), slot, 'SSTORE')
    case 10:
      if (!since('cancun')) return assemble(1, slot, 'SSTORE')
      return assemble(slot, 'TLOAD', 1, 'ADD', 'DUP1', slot, 'TSTORE', slot, 'SSTORE')
    default:
      return spawn(random, slot)
  }
}

/**
 * Creates a child that destroys itself when it is called, calls it at once more often than not, and notes its address.
 * There are few salts, so that a child collides with an elder one, or rises again where that is gone.
 */
function spawn(random: Random, slot: number): Uint8Array {
  const child = creationOf(assemble('CALLER', 'SELFDESTRUCT'), assemble(1, slot, 'SSTORE'))
  const create = random.chance(0.7)
    ? assemble(random.below(2), child.length, 0, 0, 'CREATE2')
    : assemble(child.length, 0, 0, 'CREATE')
  const call = random.chance(0.6) ? assemble(0, 0, 0, 0, 0, 'DUP6', 'GAS', 'CALL', 'POP') : new Uint8Array()
  return assemble(inMemory(child), create, call, slot, 'SSTORE')
}
