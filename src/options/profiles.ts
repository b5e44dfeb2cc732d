/** Profiles: default options for the networks that a devnet can simulate. */
import type { DevnetOptions, ProfileName } from './options.ts'

/** For each profile, the options whose defaults differ from the defaults in `OPTIONS`. */
export const PROFILES: Readonly<Record<ProfileName, DevnetOptions>> = {
  default: {},
  'base-flashblocks': {
    l2: 'base',
    ticksPerBlock: 10,
    sliceGasBudget: true,
    pendingNonce: 'preconfirmed',
    pendingContextLag: 1,
    receipts: 'preconfirmed',
  },
  'op-flashblocks': {
    l2: 'op',
    tickMs: 250,
    ticksPerBlock: 8,
    pendingHash: 'real',
    receipts: 'preconfirmed',
    subscriptions: 'standard',
  },
  // Base since November 2026, with blocks every 200 ms. Flashblocks subscriptions are accepted but send nothing.
  'base-denim': { l2: 'base', ticksPerBlock: 0 },
  ethereum: { ticksPerBlock: 60, subscriptions: 'standard', dialect: 'geth', systemContracts: true },
  // Hardhat's network: a block and a second per transaction, calls in the context of the next block, no code limit.
  hardhat: {
    rhythm: 'instant',
    callContext: 'next',
    pendingBlock: 'pool',
    allowBlocksWithSameTimestamp: false,
    allowQueuedTransactions: false,
    allowLowerNonces: false,
    checkCallBalance: false,
    codeSizeLimit: 0,
    accounts: 20,
    dialect: 'hardhat',
    subscriptions: 'standard',
    lenient: true,
  },
}

export function withProfile(options: DevnetOptions): DevnetOptions {
  const profile = PROFILES[options?.profile as ProfileName]
  if (profile === undefined) return options
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...profile, ...Object.fromEntries(given) }
}
