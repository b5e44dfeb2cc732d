/** The topics. The file of a topic has its name, and is loaded only in the process that measures it. */

export interface Description {
  /** One sentence, for the terminal and for the page. */
  readonly about: string
  /** Paragraphs for the page that explain the figures. */
  readonly note?: readonly string[]
}

/** The variable with the folder of the chain that `import` imports: its chain.rlp and genesis.json. */
export const CHAIN_FOLDER = 'EXECUTION_APIS_TESTS'

export const TOPICS = {
  start: { about: 'from starting a process to its first answer; anvil for comparison' },
  reads: { about: 'reads at `pending` beside the same at `latest`' },
  network: {
    about:
      'a fork of a node that is 50 ms away, beside anvil; and requests that need no network, beside a chain without one',
  },
  snapshots: { about: 'snapshots, restores and forks, in process, beside anvil over HTTP' },
  http: {
    about: 'the six methods: in process, one at a time over HTTP, on eight connections, in batches of 100',
  },
  suite: {
    about:
      'a suite of a thousand tests with a deployed fixture, beside anvil; and the time of a file of tests',
  },
  execution: { about: 'running code, in process, beside EthereumJS alone and beside anvil over HTTP' },
  programs: { about: 'long runs of code, beside anvil: processor time' },
  traces: {
    about: 'debug_traceTransaction of a long transaction, beside anvil, which has recorded its steps',
  },
  transactions: { about: 'from signed bytes to the sealed block' },
  logs: { about: 'eth_getLogs over a long chain, in process and beside anvil over HTTP' },
  import: { about: "a file of RLP blocks, beside EthereumJS's own loop of `runBlock`" },
  memory: {
    about:
      'the heap of a long chain after a full garbage collection, all of it still readable; and the memory of a process, beside anvil',
  },
  ticks: { about: 'the lateness of the ticks of 200 ms while clients send requests' },
  fanOut: { about: 'notifications of a block to many WebSocket subscribers, beside anvil' },
  rush: {
    about: 'the ticks of 200 ms in real time while hundreds of transfers a second come in and clients read',
    note: [
      'A transfer takes some 100 µs to admit, most of it to recover the sender, and 50 µs to run. Transfers ' +
        'of a tick run at the next, in turns of 10 ms between which requests are answered. The state root of a slice is computed right after it, and not when its block is sealed. A ' +
        'timer that is tens of milliseconds late shows that other processes had the processor.',
    ],
  },
  confirmation: {
    about: 'how long viem waits in real time until its transaction is pre-confirmed',
    note: [
      '`waitForTransactionReceipt` requests the receipt again only after `eth_blockNumber` has changed, ' +
        'however often it polls. With one slice in a block that is each tick; with ten, as Base had them, it mostly sees ' +
        'the sealed receipt. `sendRawTransactionSync` waits for the slice itself.',
    ],
  },
  growth: {
    about:
      'the same with many accounts and with few (forks and snapshots, too), and after many blocks and after few',
    note: [
      'The work stays the same; the distance to memory grows. "Any" account or block is one that was not read ' +
        'lately: its hashed key is computed again, and the five nodes above a leaf of a million (a thousand has ' +
        'three) are in no cache of the processor. A plain JavaScript `Map` is no better: a look-up in a million of ' +
        'entries takes some ten times as long as in a thousand. Over HTTP the difference disappears.',
    ],
  },
  crypto: { about: 'the cryptography, beside its fallback in pure JavaScript' },
} satisfies Record<string, Description>

export type Topic = keyof typeof TOPICS

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name)
}
