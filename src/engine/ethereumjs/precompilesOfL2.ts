/** Precompiles of L2s that EthereumJS does not have under their hardfork. */
import { type AddPrecompile, EVMError, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../../bytes/hex.ts'
import { isSince, type Rules } from '../../model/hardfork/hardfork.ts'
import { PRECOMPILES } from '../../model/hardfork/precompiles.ts'
import { precompilesUnder } from '../precompiles/precompiles.ts'
import { addressObject } from './addressObject.ts'

/** Returns the precompiles that `rules` have beside those of their hardfork, once they are loaded. */
export function precompilesOfL2(rules: Rules): Promise<AddPrecompile[]> {
  const others = PRECOMPILES.filter(
    ({ address, since }) => rules.precompiles.has(address) && !isSince(rules.hardfork, since),
  )
  return Promise.all(
    others.map(async ({ address }) => {
      const precompile = precompilesUnder(rules).get(address)!
      await precompile.load?.()
      const run: AddPrecompile['function'] = ({ data, gasLimit }): ExecResult => {
        const executionGasUsed = precompile.gas(rules, data)
        const output = executionGasUsed > gasLimit ? undefined : precompile.run(data, rules)
        if (output !== undefined) return { executionGasUsed, returnValue: output }
        const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_GAS)
        return { executionGasUsed: gasLimit, returnValue: EMPTY_BYTES, exceptionError }
      }
      return { address: addressObject(address), function: run }
    }),
  )
}
