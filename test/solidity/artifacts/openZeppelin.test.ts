/** All contracts of OpenZeppelin are recognized. */
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { createDevnet } from '../../../src/index.ts'
import { openZeppelinArtifacts } from '../../support/compilers/openZeppelin.ts'

/** The first compilation takes a minute. */
const LIMIT_MS = 300_000

describe('OpenZeppelin', { timeout: 120_000 }, () => {
  it(
    'has some 250 contracts, each of which is recognized by its code, deployed and created, with any immutables',
    async () => {
      const devnet = await createDevnet({ rhythm: 'manual', artifacts: openZeppelinArtifacts() })
      const contracts = await devnet.artifacts.contracts()
      expect(contracts.length).toBeGreaterThan(240)
      const found = (code: Uint8Array, isCreation: boolean) => {
        const match = devnet.artifacts.find(code, isCreation)
        return match?.kind === 'contract'
          ? `${match.contract.sourceName}:${match.contract.name}`
          : match?.kind
      }
      let withCode = 0
      for (const { sourceName, name, output } of contracts) {
        const { bytecode, deployedBytecode } = output.evm!
        if (deployedBytecode!.object === '') continue
        withCode++
        const qualified = `${sourceName}:${name}`
        const code = bytesOf(deployedBytecode!.object)
        for (const { start, length } of Object.values(deployedBytecode!.immutableReferences ?? {}).flat()) {
          code.fill(0xab, start, start + length)
        }
        expect(found(code, false)).toBe(qualified)
        expect(found(new Uint8Array([...bytesOf(bytecode!.object), ...new Uint8Array(64)]), true)).toBe(
          qualified,
        )
      }
      expect(withCode).toBeGreaterThan(70)
      expect(devnet.artifacts.merged!.abi.length).toBeGreaterThan(500)
    },
    LIMIT_MS,
  )
})

function bytesOf(object: string): Uint8Array {
  return fromHex(`0x${object.replace(/__\$.{34}\$__/g, '11'.repeat(20))}` as Hex)
}
