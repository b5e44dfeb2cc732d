/** Random blocks as they travel: any header, and all that a body may have under a hardfork. */

import { fromHex } from '../../../src/bytes/hex.ts'
import type { BlockBody } from '../../../src/model/block/block.ts'
import type { Withdrawal } from '../../../src/model/block/header.ts'
import { type Header, isMined } from '../../../src/model/block/header.ts'
import { type AnyHardfork, isSince } from '../../../src/model/hardfork/hardfork.ts'
import { decodeIncludedTransaction } from '../../../src/model/transaction/signedTransaction.ts'
import type { Random } from '../random/random.ts'
import { randomHeader } from './headers.ts'
import { KINDS, randomSigned } from './transactions.ts'

/** The hardforks at which something new came into blocks: fields of headers, parts of bodies, types of transactions. */
export const BLOCK_SHAPES = [
  'frontier',
  'spuriousDragon',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
] as const satisfies readonly AnyHardfork[]

/** Which hardfork brought which kind of transaction, in the order of `KINDS`; `undefined`: another chain's. */
const SINCE: readonly (AnyHardfork | undefined)[] = [
  'frontier',
  'spuriousDragon',
  undefined,
  'berlin',
  'london',
  'cancun',
  'prague',
]
const CHAIN_ID = 31_337n

export interface RandomBlock extends BlockBody {
  readonly header: Header
}

/** A block with a transaction of each kind that `hardfork` has. Its header's hashes do not fit its body. */
export async function randomBlock(random: Random, hardfork: AnyHardfork): Promise<RandomBlock> {
  const kinds = KINDS.filter((_, index) => {
    const first = SINCE[index]
    return first !== undefined && isSince(hardfork, first)
  })
  const signed = await Promise.all(
    kinds.map(([, type, chainId]) => randomSigned(random, type, chainId && CHAIN_ID)),
  )
  const header = randomHeader(random, hardfork)
  return {
    header,
    transactions: signed.map(({ raw }) => decodeIncludedTransaction(fromHex(raw))),
    ommers: isMined(header) ? random.list(random.below(3), () => randomHeader(random, hardfork)) : [],
    withdrawals: isSince(hardfork, 'shanghai')
      ? random.list(random.below(4), () => randomWithdrawal(random))
      : undefined,
  }
}

export function randomWithdrawal(random: Random): Withdrawal {
  return {
    index: random.bigint(64),
    validatorIndex: random.bigint(64),
    address: random.hex(20),
    amountGwei: random.bigint(64),
  }
}
