/** What can be measured. The files are loaded one by one: each topic's process has but its own. */
import type { Row, Thoroughness } from './row.ts'

export type Measure = (thoroughness: Thoroughness) => AsyncIterable<Row>

export interface Description {
  /** One sentence, for the terminal and for the page. */
  readonly about: string
  /** Paragraphs for the page: what profiling has found behind these figures. */
  readonly note?: readonly string[]
  readonly load: () => Promise<Measure>
}

/** Where the folder of the chain that `import` imports stands: its chain.rlp and genesis.json. */
export const CHAIN_FOLDER = 'EXECUTION_APIS_TESTS'

export const TOPICS = {
  start: {
    about: 'from starting a process to its first answer; anvil for knowledge',
    load: async () => {
      const { start } = await import('./start.ts')
      const { anvilStart } = await import('./anvilStart.ts')
      return async function* (thoroughness: Thoroughness) {
        yield* start(thoroughness)
        yield* anvilStart(thoroughness)
      }
    },
  },
  reads: {
    about: 'questions at `pending` beside the same at `latest`',
    load: async () => (await import('./reads.ts')).reads,
  },
  forks: {
    about: 'going back and going apart, with one million accounts beside one thousand',
    load: async () => (await import('./forks.ts')).forks,
  },
  network: {
    about:
      'a fork of a node that is 50 ms off, beside anvil; and what does not touch the network, beside no network',
    load: async () => {
      const { latency } = await import('./network/latency.ts')
      const { unasked } = await import('./network/unasked.ts')
      return async function* (thoroughness: Thoroughness) {
        yield* latency(thoroughness)
        yield* unasked(thoroughness)
      }
    },
  },
  snapshots: {
    about: 'going back and going apart, in process, beside anvil over HTTP',
    load: async () => (await import('./snapshots.ts')).snapshots,
  },
  http: {
    about: 'the six methods: in process, one at a time over HTTP, on eight connections, in batches of 100',
    load: async () => (await import('./http.ts')).http,
  },
  suite: {
    about:
      'a suite of a thousand tests with a deployed fixture, beside anvil; and what a file of tests costs',
    load: async () => (await import('./suite.ts')).suite,
  },
  execution: {
    about: 'running code, in process, beside EthereumJS alone and beside anvil over HTTP',
    load: async () => (await import('./execution.ts')).execution,
  },
  programs: {
    about: 'code that runs for long, beside anvil: processor time',
    load: async () => (await import('./programs.ts')).programsBesideAnvil,
  },
  traces: {
    about: 'debug_traceTransaction of a long transaction, beside anvil with its steps noted beforehand',
    load: async () => (await import('./traces.ts')).traces,
  },
  coverage: {
    about: 'tests with coverage of Solidity, beside the same without',
    load: async () => (await import('./coverage.ts')).coverage,
  },
  transactions: {
    about: 'from signed bytes to the sealed block',
    load: async () => (await import('./transactions.ts')).transactions,
  },
  logs: {
    about: 'eth_getLogs over a long chain, in process and beside anvil over HTTP',
    load: async () => (await import('./logs.ts')).logs,
  },
  import: {
    about: "a file of RLP blocks, beside EthereumJS's own loop of `runBlock`",
    load: async () => (await import('./importing.ts')).importing,
  },
  dumps: {
    about: 'a chain of many accounts written down and read in again, in process, beside anvil over HTTP',
    load: async () => (await import('./dumps.ts')).dumps,
  },
  memory: {
    about:
      'what a long chain weighs after a full garbage collection, all of it still readable; and what a process holds, beside anvil',
    load: async () => (await import('./memory.ts')).memory,
  },
  ticks: {
    about: 'how late the ticks of 200 ms come while clients ask',
    load: async () => (await import('./ticks.ts')).ticks,
  },
  fanOut: {
    about: 'what many WebSocket subscribers are told of a block, beside anvil',
    load: async () => (await import('./fanOut.ts')).fanOut,
  },
  rush: {
    about: 'the ticks of 200 ms in real time while hundreds of transfers a second come in and others read',
    note: [
      'A transfer takes the chain some 100 µs to let in, most of it for recovering the sender, and 50 µs to run. What is ' +
        'sent in a tick runs at the next, in turns of 10 ms between which questions are answered. The state root of a slice is made right after it, and not when its block is sealed. A ' +
        'timer that is tens of milliseconds late says that the machine was taken away.',
    ],
    load: async () => (await import('./rush.ts')).rush,
  },
  page: {
    about:
      'the page in a browser while transfers come in: its longest task, what the tab holds, and what it costs the devnet and its ticks',
    note: [
      'Processor time is that of the process of the devnet, in all its threads: its notifications and answers to the page are in it, the ' +
        'browser is not. Ticks are judged with the devnet on a processor of its own (`taskset`) and the browser, senders and readers on the ' +
        'others: what is later there is the work of the devnet. With all on the same processors the operating system lets the devnet wait ' +
        'while the browser draws, whatever the page asks for; that row is for knowledge.',
    ],
    load: async () => (await import('./browser.ts')).browser,
  },
  confirmation: {
    about: 'how long viem waits in real time until what it sent is pre-confirmed',
    note: [
      '`waitForTransactionReceipt` asks for the receipt again when `eth_blockNumber` has changed, and not before, ' +
        'however often it polls. With one slice in a block that is each tick; with ten, as Base had them, it mostly sees ' +
        'the sealed receipt. `sendRawTransactionSync` waits for the slice itself.',
    ],
    load: async () => (await import('./confirmation.ts')).confirmation,
  },
  growth: {
    about: 'the same with many accounts and with few, and after many blocks and after few',
    note: [
      'What grows here is the distance to memory and not the work. "Any" account or block is one that was not asked for ' +
        'lately: its hashed key has to be made again, and the five nodes above a leaf of a million, where a thousand ' +
        'have three, are in no cache of the processor. A plain JavaScript `Map` pays the same: found in a million of its ' +
        'entries, an address takes some ten times as long as in a thousand. A client of HTTP sees nothing of it.',
    ],
    load: async () => (await import('./growth.ts')).growth,
  },
  solidity: {
    about:
      'what knowing the Solidity of a project costs while nothing fails, and where code fails as a test expects',
    note: [
      'Build info is not parsed to name code: a pass over its bytes notes where code, ABIs and syntax trees stand, and each is parsed ' +
        'when it is asked for. Runtime code is found by its length and creation code by its first bytes; only what is found so is compared.',
    ],
    load: async () => (await import('./solidity.ts')).solidity,
  },
  crypto: {
    about: 'the cryptography behind it, beside the pure JavaScript that is its fallback',
    load: async () => (await import('./crypto.ts')).crypto,
  },
} satisfies Record<string, Description>

export type Topic = keyof typeof TOPICS

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name)
}
