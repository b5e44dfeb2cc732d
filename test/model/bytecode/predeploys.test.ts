import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'

// EXTCODEHASH at these addresses on Ethereum, Base, OP Mainnet and elsewhere.
const CODE_HASHES = {
  '0xca11bde05977b3631167028862be2a173976ca11':
    '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c':
    '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
}

describe('the contracts of every devnet', () => {
  it('have the code that they have on real chains', () => {
    const hashes = PREDEPLOYS.map(({ address, code }) => [address, keccak256(code)])
    expect(Object.fromEntries(hashes)).toEqual(CODE_HASHES)
  })
})
