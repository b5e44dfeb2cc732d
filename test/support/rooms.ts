/** Who may import whom: the rooms of `src` from bottom to top, and the packages that each may use. */

/** Packages that any room may use. */
export const EVERYWHERE = ['@noble/hashes']

export interface Room {
  /** The rooms that it may import; `top`: the files of `src` itself. */
  readonly rooms: readonly string[]
  readonly packages: readonly string[]
  /** Folders of the room that may import more, by their path in it. */
  readonly folders?: Readonly<Record<string, readonly string[]>>
}

/** What the folder `cli` of a feature may import besides: its flags and commands for the command line. */
const COMMAND = ['terminal', 'devnet', 'options', 'commander', 'node:fs', 'node:path', 'node:url']

export const ROOMS: Readonly<Record<string, Room>> = {
  bytes: { rooms: [], packages: ['@ethereumjs/rlp'] },
  crypto: { rooms: ['bytes'], packages: ['mcl-wasm'] },
  model: { rooms: ['crypto', 'bytes'], packages: ['@scure/bip32', '@scure/bip39', 'micro-eth-signer'] },
  work: { rooms: [], packages: [] },
  wire: { rooms: ['work', 'model', 'crypto', 'bytes'], packages: [] },
  // A trie of our own makes all Merkle roots; tests hold it against @ethereumjs/mpt.
  state: { rooms: ['work', 'model', 'crypto', 'bytes'], packages: [] },
  pool: { rooms: ['state', 'model', 'bytes'], packages: [] },
  chain: { rooms: ['state', 'model', 'crypto', 'bytes'], packages: [] },
  engine: {
    rooms: ['state', 'work', 'model', 'crypto', 'bytes'],
    packages: [],
    folders: {
      ethereumjs: [
        '@ethereumjs/block',
        '@ethereumjs/common',
        '@ethereumjs/evm',
        '@ethereumjs/tx',
        '@ethereumjs/util',
        '@ethereumjs/vm',
      ],
      // The sandbox of tracers that clients send.
      'trace/javascript': ['@jitl/quickjs-wasmfile-release-sync', 'quickjs-emscripten-core'],
      // Programs that write and compile the module. Nothing that is published imports them.
      'wasm/generate': ['assemblyscript', 'node:crypto', 'node:fs', 'node:path'],
    },
  },
  sequencer: {
    rooms: ['engine', 'chain', 'pool', 'state', 'work', 'model', 'crypto', 'bytes'],
    packages: [],
  },
  // process.getBuiltinModule reaches the disk, for the cache; ws is loaded on demand.
  upstream: {
    rooms: ['chain', 'state', 'wire', 'work', 'model', 'crypto', 'bytes'],
    packages: ['ws'],
  },
  // process.getBuiltinModule reaches the disk, where a contract is looked up by its name.
  solidity: { rooms: ['engine', 'state', 'work', 'model', 'crypto', 'bytes'], packages: ['ox'] },
  rpc: {
    rooms: [
      'solidity',
      'upstream',
      'sequencer',
      'engine',
      'chain',
      'pool',
      'state',
      'wire',
      'work',
      'model',
      'crypto',
      'bytes',
    ],
    packages: [],
  },
  faults: {
    rooms: ['rpc', 'sequencer', 'chain', 'wire', 'model', 'bytes'],
    packages: [],
    folders: { cli: [...COMMAND, 'picocolors'] },
  },
  bridge: {
    rooms: ['rpc', 'upstream', 'sequencer', 'chain', 'state', 'wire', 'work', 'model', 'crypto', 'bytes'],
    packages: [],
    folders: { cli: [...COMMAND, 'picocolors'] },
  },
  saving: {
    rooms: ['rpc', 'upstream', 'sequencer', 'chain', 'pool', 'state', 'wire', 'model', 'crypto', 'bytes'],
    packages: [],
    // `import`, `export` and `genesis` of a devnet have options of their own.
    folders: { api: ['options'], cli: COMMAND },
  },
  methods: {
    rooms: [
      'bridge',
      'faults',
      'rpc',
      'saving',
      'solidity',
      'upstream',
      'sequencer',
      'engine',
      'chain',
      'state',
      'wire',
      'work',
      'model',
      'crypto',
      'bytes',
    ],
    packages: [],
  },
  options: {
    rooms: ['rpc', 'solidity', 'upstream', 'engine', 'pool', 'wire', 'work', 'model', 'bytes'],
    // The configuration file is read from the disk.
    packages: ['valibot', 'node:fs', 'node:path'],
  },
  recording: {
    rooms: ['options', 'methods', 'saving', 'rpc', 'sequencer', 'faults', 'wire', 'work', 'model', 'bytes'],
    packages: [],
    // A recording is played on a new devnet.
    folders: {
      replay: ['devnet', 'upstream'],
      cli: [...COMMAND, 'picocolors', 'node:events', 'node:stream'],
    },
  },
  // viem is loaded where its transport is asked for.
  client: {
    rooms: ['methods', 'rpc', 'solidity', 'wire', 'work', 'model', 'bytes'],
    packages: ['abitype', 'viem'],
  },
  reports: {
    rooms: ['recording', 'solidity', 'chain', 'model'],
    packages: ['node:path'],
    folders: { tests: ['devnet', 'testing', 'explore'], cli: COMMAND },
  },
  server: {
    rooms: ['reports', 'rpc', 'work'],
    packages: [
      'cors',
      'express',
      'node:fs',
      'node:http',
      'node:net',
      'node:os',
      'node:path',
      'node:stream',
      'node:url',
      'ws',
    ],
    // Many chains on one port: devnets, where a port by itself knows none.
    folders: {
      many: ['devnet', 'recording', 'options', 'sequencer', 'wire', 'model', 'valibot'],
      'many/cli': ['terminal', 'commander'],
    },
  },
  devnet: {
    rooms: [
      'bridge',
      'server',
      'client',
      'options',
      'recording',
      'methods',
      'rpc',
      'saving',
      'solidity',
      'upstream',
      'sequencer',
      'engine',
      'faults',
      'chain',
      'pool',
      'state',
      'wire',
      'work',
      'model',
      'crypto',
      'bytes',
    ],
    packages: [],
  },
  // The tools of commands.
  terminal: {
    rooms: ['devnet', 'server', 'options', 'sequencer', 'model'],
    packages: [
      'commander',
      'jiti',
      'open',
      'picocolors',
      'valibot',
      'node:fs',
      'node:path',
      'node:stream',
      'node:url',
    ],
  },
  measuring: {
    rooms: ['devnet', 'solidity', 'engine', 'chain'],
    packages: ['node:path'],
    folders: {
      reporters: [
        'options',
        'wire',
        'testing',
        'istanbul-lib-coverage',
        'istanbul-lib-report',
        'istanbul-reports',
        'node:fs',
        'node:os',
        'node:url',
        'picomatch',
        'vitest',
      ],
    },
  },
  explore: {
    rooms: [
      'devnet',
      'client',
      'faults',
      'rpc',
      'solidity',
      'engine',
      'state',
      'work',
      'model',
      'crypto',
      'bytes',
    ],
    packages: [],
    folders: {
      stories: ['node:net'],
      cli: COMMAND,
      workers: ['terminal', 'node:fs', 'node:path', 'node:url', 'node:worker_threads'],
    },
  },
  testing: {
    rooms: ['top', 'explore', 'reports', 'solidity', 'model', 'crypto', 'bytes'],
    packages: [
      '@playwright/test',
      'vitest',
      'viem',
      'abitype',
      'valibot',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:util',
    ],
  },
  cli: {
    rooms: [
      'top',
      'testing',
      'reports',
      'recording',
      'saving',
      'explore',
      'bridge',
      'terminal',
      'devnet',
      'server',
      'options',
      'rpc',
      'solidity',
      'upstream',
      'sequencer',
      'engine',
      'faults',
      'wire',
      'model',
      'bytes',
    ],
    packages: ['commander', 'picocolors', 'supports-hyperlinks', 'node:fs', 'node:path', 'node:url'],
  },
  // A plugin for Hardhat 3, which is loaded by Hardhat alone.
  hardhat: {
    rooms: [
      'cli',
      'crypto',
      'server',
      'measuring',
      'devnet',
      'options',
      'methods',
      'rpc',
      'solidity',
      'wire',
      'model',
      'bytes',
    ],
    packages: ['hardhat', 'picomatch', 'node:fs', 'node:path'],
  },
  // It asks by JSON-RPC; of other rooms it takes nouns and what bytes mean.
  page: {
    rooms: ['faults', 'solidity', 'wire', 'model', 'bytes'],
    packages: ['preact', '@preact/signals', 'vite', 'node:url'],
    // A report has a devnet in the page, which plays a recording.
    folders: { report: ['reports', 'recording', 'devnet'] },
  },
}
