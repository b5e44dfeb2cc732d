/** The stories of `test/flows`, and of viem's test client, that make no sense on a fork, each with the reason. */

/** A file, or stories of it by parts of their names. */
export interface NotOnForks {
  readonly file: string
  readonly stories?: readonly string[]
  readonly why: string
}

const GENESIS =
  'the chain is built once more from its genesis, by import or by another client: a fork has no file of its genesis (test/forks/differential.test.ts holds forks against their networks)'
const IMPORT = 'imports and exports compare state roots, which a fork without proofs does not have'
const PROOFS = 'proofs and roots are those of a fork with proofs (test/forks/proofs.test.ts)'
const STATE_FILES =
  'a state file of a fork names its network and has what was fetched, so that files of equal chains differ, and another devnet here is on another network (test/forks/stateFiles.test.ts)'
const SCHEDULE =
  'the genesis has hardforks to come: of a network that is not known, only what its node says by eth_config is (test/forks/hardforks.test.ts)'
const REORG = 'the error of a reorg that is too deep names the fork block (test/forks/steering.test.ts)'
const FIRST =
  'a chain that begins with another block than 0: which it is, a fork does not know of its network'

export const NOT_ON_FORKS: readonly NotOnForks[] = [
  { file: 'anvil', why: GENESIS },
  { file: 'anvilCalls', why: GENESIS },
  { file: 'anvilOptions', stories: ['and with a state file, too'], why: STATE_FILES },
  { file: 'anvilRefusals', why: GENESIS },
  { file: 'anvilReorg', stories: ['refuses what it cannot do and leaves the chain as it was'], why: REORG },
  { file: 'anyOrder', why: GENESIS },
  { file: 'blobs', stories: ['is one that EthereumJS would have made'], why: GENESIS },
  {
    file: 'buildBlock',
    stories: [
      'which another devnet imports',
      'takes what the attributes and the extra data say',
      'tells the requests',
    ],
    why: IMPORT,
  },
  { file: 'chainId', stories: ['leaves the genesis that others are given'], why: GENESIS },
  {
    file: 'cheatsAccounts',
    stories: ['is in the root of the next block', 'does not begin to exist by being set to nothing'],
    why: PROOFS,
  },
  { file: 'cheatsAccounts', stories: ['leaves the genesis that others are given'], why: GENESIS },
  { file: 'cheatsSenders', stories: ['makes a chain that is not taken in elsewhere'], why: GENESIS },
  {
    file: 'viemTestActions',
    stories: ['resets, to another network too'],
    why: 'there is a network (test/clients/viemTestActionsOnFork.test.ts)',
  },
  { file: 'viemTestActions', stories: ['dumps its state, and loads it elsewhere'], why: STATE_FILES },
  {
    file: 'cheatsSnapshots',
    stories: ['of a network where there is none'],
    why: 'there is a network',
  },
  { file: 'closing', stories: ['an import into a closed devnet'], why: IMPORT },
  { file: 'config', stories: ['has what is scheduled, and moves on'], why: SCHEDULE },
  { file: 'console', stories: ['nor by another devnet that imports its block'], why: IMPORT },
  {
    file: 'engines',
    stories: ['chooses the engine where the option is absent'],
    why: 'counts the runs of an engine, in which those of the network are',
  },
  { file: 'export', why: IMPORT },
  {
    file: 'faultInvariants',
    stories: ['accepted, block by block, by EthereumJS', 'keeps to its rules where a later time'],
    why: GENESIS,
  },
  { file: 'faultInvariants', stories: ['answers every question about it without a defect'], why: PROOFS },
  {
    file: 'faults',
    stories: ['refuse a reorg that is too deep'],
    why: REORG,
  },
  { file: 'genesisBlockNumber', stories: ['a chain that begins with block N'], why: FIRST },
  { file: 'hardhatProfile', stories: ['can be set beside a genesis'], why: GENESIS },
  { file: 'import', why: IMPORT },
  { file: 'importChanged', why: IMPORT },
  { file: 'importExtended', why: IMPORT },
  { file: 'importRefused', why: IMPORT },
  { file: 'importRules', why: IMPORT },
  { file: 'jovian', why: 'a fork has the upgrade of its network (test/forks/l2.test.ts)' },
  {
    file: 'l2',
    stories: ['can be brought in elsewhere', 'cannot be brought in', 'is said by the genesis'],
    why: GENESIS,
  },
  { file: 'packedHistory', why: PROOFS },
  { file: 'proofs', why: PROOFS },
  {
    file: 'replayed',
    stories: [
      'state files and blocks that are brought in',
      'is found where a result was an error',
      // The line that it looks for is an answer of the network.
      'plays up to a line, and lets somebody look around there',
    ],
    why: 'the recording of a fork has answers of its network among its lines, and no more of them than were asked for (test/forks/recordings.test.ts)',
  },
  { file: 'reorgFaults', stories: ['leaves what is final, and says how much could go'], why: REORG },
  { file: 'simulateBlocks', stories: ['is under the rules of its time'], why: SCHEDULE },
  { file: 'stateFiles', why: STATE_FILES },
  { file: 'stateFilesRefused', why: STATE_FILES },
  { file: 'uncles', why: IMPORT },
]
