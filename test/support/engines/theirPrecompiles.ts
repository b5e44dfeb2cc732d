/** EthereumJS's precompiles, with libraries of its own: the reference for ours. */
import { Common, Mainnet } from '@ethereumjs/common'
import { createEVM, type ExecResult, getActivePrecompiles, type PrecompileInput } from '@ethereumjs/evm'
import type { Address } from '../../../src/bytes/hex.ts'
import type { AnyHardfork } from '../../../src/model/hardfork/hardfork.ts'
import { THEIR_KZG } from './theirKzg.ts'

const GAS_LIMIT = 2n ** 62n

/** The outcome of a call: the gas of a successful one, and its output; `undefined`: it failed and used all gas. */
export type Outcome = { readonly gas: bigint; readonly output: Uint8Array } | undefined

export interface TheirPrecompiles {
  readonly addresses: readonly Address[]
  run(address: Address, input: Uint8Array): Promise<Outcome>
}

export async function theirPrecompiles(hardfork: AnyHardfork): Promise<TheirPrecompiles> {
  const common = new Common({
    chain: Mainnet,
    hardfork: hardfork === 'frontier' ? 'chainstart' : hardfork,
    customCrypto: { kzg: THEIR_KZG },
  })
  const evm = await createEVM({ common })
  const precompiles = getActivePrecompiles(common)
  return {
    addresses: [...precompiles.keys()].map((digits): Address => `0x${digits}`),
    async run(address, data) {
      const precompile = precompiles.get(address.slice(2))!
      const input = {
        data,
        gasLimit: GAS_LIMIT,
        common,
        _EVM: evm,
        _debug: undefined,
      } as unknown as PrecompileInput
      const { exceptionError, executionGasUsed, returnValue }: ExecResult = await precompile(input)
      return exceptionError === undefined ? { gas: executionGasUsed, output: returnValue } : undefined
    },
  }
}
