/** Whether a chain is an L2 of the OP Stack, and which upgrade its contracts have: they themselves say it. */

import type { Address } from '../bytes/hex.ts'
import type { Header } from '../model/block/header.ts'
import { GAS_PRICE_ORACLE, L2_UPGRADES, type L2Upgrade } from '../model/l2/l2.ts'
import { encodeQuantity, encodeWord, parseBytes } from '../wire/hex.ts'
import { resultOf } from './answerErrors.ts'
import { parsedAnswer } from './fetchPlan.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/**
 * Returns the newest upgrade that was activated in the GasPriceOracle at the block: `isEcotone`, `isFjord`, `isIsthmus`
 * and `isJovian` are the lowest bytes of its slot 0. `undefined` if there is no such contract.
 */
export async function l2UpgradeOf(upstream: Upstream, header: Header): Promise<L2Upgrade | undefined> {
  const codeAt = codeRequest(GAS_PRICE_ORACLE, header)
  const flagsAt: UpstreamRequest = {
    method: 'eth_getStorageAt',
    params: [GAS_PRICE_ORACLE, encodeWord(0n), encodeQuantity(header.number)],
    isImmutable: true,
  }
  const [code, flags] = (await upstream.send([codeAt, flagsAt])) as [UpstreamAnswer, UpstreamAnswer]
  if (!hasCode(upstream, codeAt, code)) return undefined
  const result = resultOf(upstream.name, flagsAt, flags)
  const word = parsedAnswer(upstream.name, flagsAt, parseBytes, result)
  // Each upgrade activates those before it, too.
  const activated = [...word]
    .reverse()
    .slice(0, L2_UPGRADES.length - 1)
    .filter((flag) => flag === 1).length
  return L2_UPGRADES[activated]
}

/** Returns the request of the code of an account at the block. */
export function codeRequest(address: Address, { number }: Header): UpstreamRequest {
  return { method: 'eth_getCode', params: [address, encodeQuantity(number)], isImmutable: true }
}

/** Returns whether the answer has code. Throws `UpstreamFailed`. */
export function hasCode(upstream: Upstream, request: UpstreamRequest, answer: UpstreamAnswer): boolean {
  const result = resultOf(upstream.name, request, answer)
  return parsedAnswer(upstream.name, request, parseBytes, result).length > 0
}
