/** The dialects of errors and of a few requests and results. `hardhat` is `geth` with Hardhat's texts for refused transactions. */
export const DIALECTS = ['base', 'geth', 'hardhat'] as const
export type Dialect = (typeof DIALECTS)[number]
