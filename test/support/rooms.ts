/** Who may import whom: the rooms of `src` from bottom to top, and the packages that each may use. */

/** Packages that any room may use. */
export const EVERYWHERE = ['@noble/hashes']

export interface Room {
  /** Those that it may import; `top`: the files of `src` itself. */
  readonly rooms: readonly string[]
  readonly packages: readonly string[]
  /** Folders of it that may import more rooms. */
  readonly folders?: Readonly<Record<string, readonly string[]>>
}

export const ROOMS: Readonly<Record<string, Room>> = {
  model: {
    rooms: [],
    packages: [
      '@ethereumjs/rlp',
      '@noble/curves',
      '@scure/bip32',
      '@scure/bip39',
      'hash-wasm',
      'mcl-wasm',
      'micro-eth-signer',
    ],
  },
  wire: { rooms: ['model'], packages: [] },
  // What bytes mean to people: by an ABI, or by the signatures of console.log. A devnet runs without it.
  abi: { rooms: ['model'], packages: ['ox'] },
  // What compilers wrote. The disk is reached by process.getBuiltinModule, where a contract is looked for by its name.
  artifacts: { rooms: ['abi', 'model'], packages: [] },
  // All Merkle roots are made here, by a trie of our own: @ethereumjs/mpt is what the tests hold it against.
  state: { rooms: ['model'], packages: [] },
  // Another node, from which a chain was forked. The disk, for what was fetched, is loaded on demand.
  upstream: {
    rooms: ['wire', 'state', 'model'],
    packages: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path', 'ws'],
  },
  // EthereumJS only in evm/ethereumjs.
  evm: {
    rooms: ['state', 'model'],
    packages: [
      '@ethereumjs/block',
      '@ethereumjs/common',
      '@ethereumjs/evm',
      '@ethereumjs/tx',
      '@ethereumjs/util',
      '@ethereumjs/vm',
    ],
  },
  // What Solidity was doing, from what its compiler said and which instructions ran.
  solidity: { rooms: ['artifacts', 'abi', 'evm', 'state', 'model'], packages: [] },
  pool: { rooms: ['state', 'model'], packages: [] },
  chain: { rooms: ['state', 'model'], packages: [] },
  // What goes wrong on purpose: the sequencer asks for slices and blocks, rpc for requests.
  faults: { rooms: ['chain', 'wire', 'model'], packages: [] },
  sequencer: { rooms: ['faults', 'chain', 'pool', 'evm', 'state', 'model'], packages: [] },
  // Solidity is loaded where code failed that compilers are known to have written.
  rpc: {
    rooms: [
      'solidity',
      'sequencer',
      'faults',
      'chain',
      'pool',
      'evm',
      'upstream',
      'wire',
      'artifacts',
      'state',
      'model',
    ],
    packages: [],
  },
  // What a devnet is made with: what its values may be is known by those who use them.
  options: {
    rooms: ['artifacts', 'evm', 'pool', 'rpc', 'upstream', 'wire', 'model'],
    packages: ['valibot'],
  },
  // Observes a devnet through the seam that rpc/observer.ts describes, and plays what it wrote down.
  recording: { rooms: ['rpc', 'sequencer', 'faults', 'wire', 'model'], packages: [] },
  // A devnet's own client, typed by ABI. viem is loaded where its transport is asked for.
  client: { rooms: ['rpc', 'solidity', 'wire', 'artifacts', 'abi', 'model'], packages: ['abitype', 'viem'] },
  server: {
    rooms: ['rpc'],
    packages: [
      'cors',
      'express',
      'node:fs',
      'node:http',
      'node:net',
      'node:path',
      'node:stream',
      'node:url',
      'ws',
    ],
  },
  // What test suites import: a user of the public door, and of the disk only where something is kept there.
  testing: {
    // Of the nouns, no more than where a test called and how names are spelt; of solidity, what reports are made of.
    rooms: ['top', 'solidity', 'model'],
    packages: [
      '@playwright/test',
      'vitest',
      'viem',
      'abitype',
      'istanbul-lib-coverage',
      'istanbul-lib-report',
      'istanbul-reports',
      'node:crypto',
      'node:fs',
      'node:os',
      'node:path',
      'node:url',
      'node:util',
      'node:zlib',
    ],
  },
  // The command line is a user of the whole: it alone of the rooms sees the devnet itself.
  cli: {
    rooms: [
      'top',
      'testing',
      'options',
      'server',
      'recording',
      'sequencer',
      'rpc',
      'solidity',
      'faults',
      'abi',
      'upstream',
      'model',
    ],
    packages: [
      'commander',
      'jiti',
      'open',
      'picocolors',
      'supports-hyperlinks',
      'valibot',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:path',
      'node:stream',
      'node:url',
      'node:util',
      'node:zlib',
    ],
  },
  // What a browser shows. It asks by JSON-RPC; of other rooms it takes nouns and what bytes mean.
  page: {
    rooms: ['abi', 'wire', 'model'],
    packages: ['preact', '@preact/signals', 'vite', 'node:url'],
    // A report has a devnet in the page, which repeats a session.
    folders: { report: ['top'] },
  },
}
