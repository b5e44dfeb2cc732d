/**
 * The files that a dialect answers differently on purpose, and why. The seed has precedence (dialect `base`); `geth` is
 * the dialect of the suite itself and has none.
 */
import type { DevnetOptions } from '../../src/index.ts'

export type Dialect = Exclude<NonNullable<DevnetOptions['dialect']>, 'hardhat'>

export interface Deviation {
  /** The paths that differ: exactly these. */
  readonly at: readonly string[]
  readonly because: string
}

const REVERTED_CALL: Deviation = {
  at: ['$.error.code'],
  because: 'seed 7: the code of an eth_call that reverts is -32000',
}

const REVERTED_ESTIMATE: Deviation = {
  at: ['$.error.code'],
  because: 'seed 7: the code of an eth_estimateGas that would revert is -32000',
}

export const DEVIATIONS: Readonly<Record<Dialect, Readonly<Record<string, Deviation>>>> = {
  geth: {},
  base: {
    'eth_call/call-revert-abi-error': REVERTED_CALL,
    'eth_call/call-revert-abi-panic': REVERTED_CALL,
    'eth_estimateGas/estimate-call-abi-error': REVERTED_ESTIMATE,
    'eth_estimateGas/estimate-failed-call': REVERTED_ESTIMATE,
    'eth_getLogs/filter-error-invalid-blockHash-and-range': {
      at: ['$.error', '$.result'],
      because: 'seed 2.2: when blockHash is given, fromBlock and toBlock are ignored',
    },
  },
}
