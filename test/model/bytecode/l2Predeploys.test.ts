import { getContractAddress, keccak256, sliceHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { WETH9 } from '../../../fixtures/contracts/WETH9.ts'
import type { Hex } from '../../../src/bytes/hex.ts'
import { withL2Predeploys } from '../../../src/model/bytecode/l2Predeploys.ts'
import { GAS_PRICE_ORACLE, L1_BLOCK, type OwnUpgrade, PERMIT2, WETH } from '../../../src/model/l2/l2.ts'

function codeOf(address: Hex, chainId = 1n, upgrade: OwnUpgrade = 'jovian'): Hex {
  return withL2Predeploys([], 'base', upgrade, chainId).find((one) => one.address === address)!.code
}

/** What stands before Permit2's code in the transaction that deploys it. */
const PERMIT2_CONSTRUCTOR =
  '60c0346100bb574660a052602081017f8cad95687ba82c2ce50e74f7b754645e5117c3a5bec8151c0726d5857980a86681527f9ac997416e8ff9d2ff6bebeb7149f65cdae5e32e2b90440b566bb3044041d36a60408301524660608301523060808301526080825260a082019180831060018060401b038411176100a557826040525190206080526123c090816100c1823960805181611b47015260a05181611b210152f35b634e487b7160e01b600052604160045260246000fd5b600080fdfe'
/** Where the code holds chain id and domain separator, which are zeros before it is deployed. */
const HELD = [
  [6_945, 6_977],
  [6_983, 7_015],
] as const

describe('the contracts of an L2', () => {
  it('are these', () => {
    const contracts = withL2Predeploys([], 'base', 'jovian', 1n)
    const [first, ...others] = contracts.map(({ address }) => address).sort()
    expect(first).toBe(PERMIT2)
    // specs.optimism.io/protocol/predeploys.html
    expect(others.map((address) => address.slice(-2))).toEqual([
      '06',
      '07',
      '0f',
      '10',
      '11',
      '12',
      '13',
      '14',
      '15',
      '16',
      '17',
      '18',
      '19',
      '1a',
      '1b',
      '20',
      '21',
    ])
  })

  // The hashes of the deployed codes: specs.optimism.io/protocol/isthmus/derivation.html, and for Jovian base/base
  // `jovian.rs`, which deploys the code of op-node's `jovian_upgrade_transactions.go`.
  it.each([
    [
      'isthmus',
      '0x8e3fe7a416d3e5f3b7be74ddd4e7e58e516fa3f80b67c6d930e3cd7297da4a4b',
      '0x4d195a9d7caf9fb6d4beaf80de252c626c853afd5868c4f4f8d19c9d301c2679',
    ],
    [
      'jovian',
      '0x5f885ca815d2cf27a203123e50b8ae204fdca910b6995d90b2d7700cbb9240d1',
      '0xe9fc7c96c4db0d6078e3d359d7e8c982c350a513cb2c31121adf5e1e8a446614',
    ],
  ] as const)('have the L1Block and the GasPriceOracle of %s', (upgrade, l1Block, gasPriceOracle) => {
    expect(keccak256(codeOf(L1_BLOCK, 1n, upgrade))).toBe(l1Block)
    expect(keccak256(codeOf(GAS_PRICE_ORACLE, 1n, upgrade))).toBe(gasPriceOracle)
  })

  it('have, of Permit2, the code whose deployment leads to its address', () => {
    let code: string = codeOf(PERMIT2)
    for (const [start, end] of HELD) {
      code = code.slice(0, 2 + 2 * start) + '00'.repeat(end - start) + code.slice(2 + 2 * end)
    }
    const deployed = getContractAddress({
      opcode: 'CREATE2',
      from: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
      salt: '0x0000000000000000000000000000000000000000d3af2663da51c10215000000',
      bytecode: `0x${PERMIT2_CONSTRUCTOR}${code.slice(2)}`,
    })
    expect(deployed.toLowerCase()).toBe(PERMIT2)
  })

  // ethereum-optimism/optimism, `Preinstalls.t.sol`
  it.each([
    [1n, '0x866a5aba21966af95d6c7ab78eb2b2fc913915c28be3b9aa07cc04ff903e3f28'],
    [901n, '0x48deb34b39fb4b41f5c195008940d5ef510cdd7853eba5807b2fa08dfd586475'],
    [1_234n, '0x6cda538cafce36292a6ef27740629597f85f6716f5694d26d5c59fc1d07cfd95'],
  ])('have, of Permit2, the domain of chain %d', (chainId, separator) => {
    const [id, domain] = HELD.map(([start, end]) => sliceHex(codeOf(PERMIT2, chainId), start, end))
    expect([BigInt(id!), domain]).toEqual([chainId, separator])
  })

  it('have, of WETH, what is compiled from our source', () => {
    expect(codeOf(WETH)).toBe(WETH9.deployedBytecode)
  })
})
