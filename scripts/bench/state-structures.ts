/**
 * Which structure should hold the accounts? Three candidates under the same load: 1,000 to 1,000,000 accounts, ten
 * accounts written and the root computed in each block, 10,000 blocks of history kept, reads at the tip and in the
 * past, a fork per test.
 *
 *   trie       one persistent Merkle trie keyed by keccak(address), with a bounded memo of hashed keys
 *   map+trie   a persistent hash map keyed by address for reads, and the Merkle trie brought up to date at each block
 *   versions   flat Map of (block, value) lists with overlays for forks, and the Merkle trie
 *
 * Each candidate of each size has a process of its own, so that none finds another's garbage, caches or optimized code,
 * and the heap holds nothing but its world when it is weighed.
 *
 * Run with `npx tsx scripts/bench/state-structures.ts [--quick] [accounts …]`. The full table takes some three minutes.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { toBinary } from '../../src/bytes/bytes.ts'
import { type Address, fromHex, toMinimalBytes } from '../../src/bytes/hex.ts'
import { encodeRlp } from '../../src/bytes/rlp.ts'
import { keccak256, loadKeccak } from '../../src/crypto/keccak.ts'
import { PersistentMap } from '../../src/model/collections/persistentMap.ts'
import * as trie from '../../src/state/trie.ts'
import { rootOf } from '../../src/state/trieEncoding.ts'
import { machine } from './machine.ts'
import { heapUsed, summary, time } from './measure.ts'
import { duration, table } from './table.ts'

interface Account {
  readonly address: Address
  readonly nonce: bigint
  readonly balance: bigint
}

/** One version of the world; `write` answers the next. */
interface World {
  read(address: Address): Account | undefined
  write(accounts: readonly Account[]): World
  fork(): World
  root(): Uint8Array
}

const BLOCKS = 10_000
const WRITES = 10
/** Blocks that are timed as one. */
const PART = 200

const EMPTY = new Uint8Array(32)
const encodeAccount = ({ nonce, balance }: Account) =>
  encodeRlp([toMinimalBytes(nonce), toMinimalBytes(balance), EMPTY, EMPTY])

const memo = { young: new Map<string, string>(), old: new Map<string, string>() }
function hashedKey(address: Address): string {
  let key = memo.young.get(address)
  if (key !== undefined) return key
  key = memo.old.get(address) ?? toBinary(keccak256(fromHex(address)))
  if (memo.young.size >= 65_536) {
    memo.old = memo.young
    memo.young = new Map()
  }
  memo.young.set(address, key)
  return key
}
const plainHashedKey = (address: Address) => toBinary(keccak256(fromHex(address)))

class TrieWorld implements World {
  readonly accounts: trie.Trie<Account>

  constructor(accounts?: trie.Trie<Account>) {
    this.accounts = accounts
  }
  read(address: Address) {
    return trie.get(this.accounts, hashedKey(address))
  }
  write(accounts: readonly Account[]) {
    const batch = trie.newBatch()
    let next = this.accounts
    for (const account of accounts) next = trie.set(next, hashedKey(account.address), account, batch)
    return new TrieWorld(next)
  }
  fork() {
    return this
  }
  root() {
    return rootOf(this.accounts, encodeAccount)
  }
}

class MapWorld implements World {
  readonly accounts: PersistentMap<Account>
  readonly merkle: trie.Trie<Account>

  constructor(accounts = PersistentMap.empty<Account>(), merkle?: trie.Trie<Account>) {
    this.accounts = accounts
    this.merkle = merkle
  }
  read(address: Address) {
    return this.accounts.get(address)
  }
  write(accounts: readonly Account[]) {
    const batch = trie.newBatch()
    let merkle = this.merkle
    for (const account of accounts) {
      merkle = trie.set(merkle, plainHashedKey(account.address), account, batch)
    }
    return new MapWorld(this.accounts.setAll(accounts.map((a) => [a.address, a] as const)), merkle)
  }
  fork() {
    return this
  }
  root() {
    return rootOf(this.merkle, encodeAccount)
  }
}

/** What an account was, by the block in which it became so. */
interface Cell {
  readonly versions: number[]
  readonly values: Account[]
}

class VersionsWorld implements World {
  readonly cells: Map<Address, Cell>
  readonly version: number
  readonly merkle: trie.Trie<Account>
  readonly below: VersionsWorld | undefined

  constructor(
    cells = new Map<Address, Cell>(),
    version = 0,
    merkle?: trie.Trie<Account>,
    below?: VersionsWorld,
  ) {
    this.cells = cells
    this.version = version
    this.merkle = merkle
    this.below = below
  }
  read(address: Address): Account | undefined {
    const cell = this.cells.get(address)
    if (cell === undefined) return this.below?.read(address)
    let at = cell.versions.length - 1
    if (cell.versions[at]! > this.version) {
      let low = 0
      for (at = -1; low < cell.versions.length; ) {
        const mid = (low + cell.versions.length) >> 1
        if (cell.versions[mid]! > this.version) break
        at = mid
        low = mid + 1
      }
    }
    return at < 0 ? this.below?.read(address) : cell.values[at]
  }
  write(accounts: readonly Account[]) {
    const version = this.version + 1
    const batch = trie.newBatch()
    let merkle = this.merkle
    for (const account of accounts) {
      const cell = this.cells.get(account.address)
      if (cell === undefined) this.cells.set(account.address, { versions: [version], values: [account] })
      else {
        cell.versions.push(version)
        cell.values.push(account)
      }
      merkle = trie.set(merkle, plainHashedKey(account.address), account, batch)
    }
    return new VersionsWorld(this.cells, version, merkle, this.below)
  }
  fork() {
    return new VersionsWorld(new Map(), this.version, this.merkle, this)
  }
  root() {
    return rootOf(this.merkle, encodeAccount)
  }
}

const candidates: Record<string, () => World> = {
  trie: () => new TrieWorld(),
  'map+trie': () => new MapWorld(),
  versions: () => new VersionsWorld(),
}

const addressOf = (i: number): Address => `0x${(i * 2654435761).toString(16).padStart(40, '0')}`
const account = (i: number, balance: bigint): Account => ({ address: addressOf(i), nonce: 1n, balance })

/** What is learnt of one candidate at one size: bytes, and microseconds. */
interface Result {
  readonly root: string
  readonly build: number
  readonly bytesPerAccount: number
  readonly tipHot: number
  readonly tipAny: number
  readonly pastAny: number
  readonly block: number
  readonly bytesPerBlock: number
  readonly fork: number
}

/** Measures one candidate; to be run in a process of its own. */
async function measure(name: string, size: number, blocks: number): Promise<Result> {
  await loadKeccak()
  // On another world, so that the first thing measured is not how long the optimizing compiler takes to begin.
  let warm = candidates[name]!()
  for (let i = 0; i < 200; i++) warm = warm.write([account(i, 1n)])
  warm.root()

  // Small worlds are weighed by the dozen, or the heap's own noise would be most of what is seen.
  const copies = Math.max(1, Math.ceil(20_000 / size))
  const worlds: World[] = []
  const empty = weight()
  const started = performance.now()
  for (let copy = 0; copy < copies; copy++) {
    const accounts = Array.from({ length: size }, (_, i) => account(i, BigInt(i)))
    const built = candidates[name]!().write(accounts)
    built.root()
    worlds.push(built)
  }
  const build = ((performance.now() - started) * 1000) / copies
  const built = weight()
  let world = worlds.pop()!

  const history: World[] = Array.from({ length: blocks })
  const beforeBlocks = weight()
  const parts: number[] = []
  let partStarted = performance.now()
  for (let block = 0; block < blocks; block++) {
    const writes = Array.from({ length: WRITES }, (_, i) =>
      account((block * 7919 + i * 104_729) % size, BigInt(block)),
    )
    world = world.write(writes)
    world.root()
    history[block] = world
    if ((block + 1) % PART === 0) {
      parts.push(((performance.now() - partStarted) * 1000) / PART)
      partStarted = performance.now()
    }
  }
  const afterBlocks = weight()

  const addresses = Array.from({ length: size }, (_, i) => addressOf(i))
  const hot = addresses.filter((_, i) => i % Math.ceil(size / 1000) === 0)
  const tip = world
  const past = history[blocks >> 1]!
  const step = 7919
  return {
    root: Buffer.from(tip.root()).toString('hex'),
    build,
    bytesPerAccount: (built - empty) / size / copies,
    tipHot: time(100_000, (i) => tip.read(hot[i % hot.length]!)).median,
    tipAny: time(100_000, (i) => tip.read(addresses[(i * step) % size]!)).median,
    pastAny: time(100_000, (i) => past.read(addresses[(i * step) % size]!)).median,
    block: summary(parts).median,
    bytesPerBlock: (afterBlocks - beforeBlocks) / blocks,
    fork: time(1_000, (i) =>
      tip
        .fork()
        .write([account(i % size, 5n)])
        .read(addresses[0]!),
    ).median,
  }
}

/** Bytes in use, without the memo: its size is bounded (some 25 MB at most) and does not depend on the world's. */
function weight(): number {
  memo.young = new Map()
  memo.old = new Map()
  return heapUsed()
}

function measureApart(name: string, size: number, blocks: number): Result {
  const self = fileURLToPath(import.meta.url)
  const argv = [...process.execArgv, '--expose-gc', self, '--one', name, String(size), String(blocks)]
  const output = execFileSync(process.execPath, argv, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}

function compare(sizes: readonly number[], blocks: number): void {
  const rows: string[][] = []
  for (const size of sizes) {
    const roots = new Set<string>()
    for (const name of Object.keys(candidates)) {
      const result = measureApart(name, size, blocks)
      roots.add(result.root)
      rows.push([
        String(size),
        name,
        duration(result.build),
        result.bytesPerAccount.toFixed(0),
        duration(result.tipHot),
        duration(result.tipAny),
        duration(result.pastAny),
        duration(result.block),
        result.bytesPerBlock.toFixed(0),
        duration(result.fork),
      ])
    }
    if (roots.size !== 1) throw new Error(`the candidates disagree on the root: ${[...roots].join(', ')}`)
  }
  console.log(`${machine()}\n`)
  console.log(table(HEAD, rows))
}

const HEAD = [
  'accounts',
  'structure',
  'build+root',
  'B/account',
  'tip hot',
  'tip any',
  'past any',
  'block',
  'B/block',
  'fork+write+read',
]

const argv = process.argv.slice(2)
if (argv[0] === '--one') {
  console.log(JSON.stringify(await measure(argv[1]!, Number(argv[2]), Number(argv[3]))))
} else {
  const quick = argv.includes('--quick')
  const sizes = argv.filter((argument) => argument !== '--quick').map(Number)
  const usual = quick ? [1_000, 20_000] : [1_000, 100_000, 1_000_000]
  compare(sizes.length > 0 ? sizes : usual, quick ? 1_000 : BLOCKS)
}
