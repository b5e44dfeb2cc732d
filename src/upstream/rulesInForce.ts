/** Parses the result of `eth_config` (EIP-7910): the rules that a node has in force, and those that come next. */

import { type Address, ZERO_ADDRESS } from '../bytes/hex.ts'
import type { AnyHardfork, BlobSchedule } from '../model/hardfork/hardfork.ts'
import { PRECOMPILES } from '../model/hardfork/precompiles.ts'
import { number } from '../wire/forkConfig.ts'
import { parseAddress } from '../wire/hex.ts'
import { entriesOf, InvalidValue, optional, type Parser, recordOf } from '../wire/parser.ts'

/** Rules from a time on. */
export interface RulesInForce {
  /** In seconds. */
  readonly activationTime: bigint
  /** The hardfork, by its newest precompile: EIP-7910 has no names of hardforks. */
  readonly hardfork: AnyHardfork
  readonly blobs: BlobSchedule | undefined
  readonly depositContract: Address | undefined
}

/** Returns the rules that are in force, and those of the next and the last hardfork; none if the result is no config. */
export function parseRulesInForce(result: unknown): readonly RulesInForce[] {
  try {
    const { current, next, last } = recordOf(result, 'result', 'an object {current, next, last}')
    const all = [current, next, last].map((value) => optional(parseRules)(value, 'result'))
    const times = new Set<bigint>()
    // The last hardfork is often the next one.
    return all.flatMap((rules) => {
      if (rules === undefined || times.has(rules.activationTime)) return []
      times.add(rules.activationTime)
      return [rules]
    })
  } catch (error) {
    if (error instanceof InvalidValue) return []
    throw error
  }
}

/** The hardforks that are recognized by the precompiles that they add. */
const RECOGNIZED: ReadonlySet<AnyHardfork> = new Set(['cancun', 'prague', 'osaka'])

const parseRules: Parser<RulesInForce> = (value, path) => {
  const record = recordOf(value, path, 'rules')
  const precompiles = entriesOf(record.precompiles, `${path}.precompiles`, 'addresses of precompiles')
  const addresses = new Set(precompiles.map(([name, at]) => parseAddress(at, `${path}.precompiles.${name}`)))
  const hardfork = PRECOMPILES.findLast(
    ({ address, since }) => RECOGNIZED.has(since) && addresses.has(address),
  )?.since
  if (hardfork === undefined)
    throw new InvalidValue(`${path}.precompiles`, 'precompiles of Cancun or later', value)
  const contracts = recordOf(record.systemContracts ?? {}, `${path}.systemContracts`, 'addresses')
  const deposits = optional(parseAddress)(contracts.DEPOSIT_CONTRACT_ADDRESS, `${path}.systemContracts`)
  return {
    activationTime: number(64)(record.activationTime, `${path}.activationTime`),
    hardfork,
    blobs: optional(parseBlobs)(record.blobSchedule, `${path}.blobSchedule`),
    // The zero address stands for none.
    depositContract: deposits === ZERO_ADDRESS ? undefined : deposits,
  }
}

const parseBlobs: Parser<BlobSchedule> = (value, path) => {
  const record = recordOf(value, path, 'a blob schedule')
  return {
    target: Number(number(32)(record.target, `${path}.target`)),
    max: Number(number(32)(record.max, `${path}.max`)),
    baseFeeUpdateFraction: number(64)(record.baseFeeUpdateFraction, `${path}.baseFeeUpdateFraction`),
  }
}
