/** `preseal_getCreation`: what creation code was compiled from, and where its constructor's arguments begin. */

import { longMethod, params } from '../../rpc/method.ts'
import { creationOf } from '../../solidity/artifacts/creation.ts'
import { encodeQuantity, parseBytes } from '../../wire/hex.ts'
import { contractOf } from '../solidity/knownCode.ts'

/**
 * Returns the contract that creation code creates, as artifacts have it; `null` where none has it. `constructor` is the item of its ABI,
 * `null` where it declares none.
 */
export const preseal_getCreation = longMethod(params(parseBytes), async ({ artifacts }, input) => {
  await artifacts?.load()
  const contract = contractOf(artifacts?.find(input, true))
  const creation = contract && creationOf(contract)
  if (contract === undefined || creation === undefined) return null
  const { compilation, sourceName, name } = contract
  return {
    name,
    path: compilation.pathOf(sourceName),
    codeSize: encodeQuantity(creation.codeSize),
    constructor: creation.constructorItem ?? null,
  }
})
