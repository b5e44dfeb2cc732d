import { fromBinary, toBinary } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toHex, toQuantity } from '../bytes/hex.ts'
import { decodeRlp } from '../bytes/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { EMPTY_CODE_HASH } from '../state/accountRecord.ts'
import { accountKey, slotKey } from '../state/hashedKey.ts'
import { decodeAccount, type ProvenAccount, rootOfStorage } from '../state/provenState.ts'
import { resolvePath, trieOf } from '../state/sparseTrie.ts'
import { EMPTY_ROOT_BYTES } from '../state/trieEncoding.ts'
import { encodeWord, parseAddress, parseBytes, parseHash, parseSlot } from '../wire/hex.ts'
import { arrayOf, InvalidValue, type Parser, recordOf } from '../wire/parser.ts'
import { described, lacksMethod } from './answers.ts'
import {
  hashOfCode,
  keepSlot,
  type NodeStore,
  type Plan,
  parseNumber,
  StatePlanner,
} from './stateRequests.ts'
import { type Upstream, type UpstreamAnswer, UpstreamFailed, type UpstreamRequest } from './upstream.ts'

/**
 * Plans the requests of one batch. If a proof is invalid, the function `read` of a plan throws `UpstreamFailed` of the
 * kind `wrongProof`. The account of a slot must be proven before the slot, possibly earlier in the same batch.
 */
export class ProofPlanner extends StatePlanner {
  readonly #root: Uint8Array
  readonly #store: NodeStore
  readonly #storageRoots = new Map<Address, Uint8Array>()

  constructor(upstream: Upstream, number: bigint, root: Hash, store: NodeStore) {
    super(upstream, number)
    this.#root = fromHex(root)
    this.#store = store
  }

  protected override account(address: Address): Plan {
    const proofAt = this.stateRequest('eth_getProof', address, [])
    const codeAt = this.stateRequest('eth_getCode', address)
    return {
      requests: [proofAt, codeAt],
      read: ([proofAnswer, codeAnswer]) => {
        const said = this.parsed(proofAt, parseAccountProof, proofAnswer!)
        const code = this.parsed(codeAt, parseBytes, codeAnswer!)
        const { key } = accountKey(address)
        const { value: account, nodes } = this.#shown(proofAt, this.#root, key, said.proof, decodeAccount)
        const [flaw] = flawsIn(said, account, address)
        if (flaw !== undefined) throw this.#wrong(proofAt, flaw)
        this.#requireCode(codeAt, code, account)
        const storageRoot = account === undefined ? EMPTY_ROOT_BYTES : rootOfStorage(account)
        this.#storageRoots.set(address, storageRoot)
        const remote = account && {
          nonce: account.nonce,
          balance: account.balance,
          code,
          codeHash: account.codeHash,
          hasStorage: account.storage !== undefined,
        }
        return ({ accounts, proofs }) => {
          proofs!.keep(nodes)
          proofs!.keepStorageRoot(address, storageRoot)
          accounts.set(address, remote)
        }
      },
    }
  }

  protected override slot(address: Address, slot: bigint): Plan {
    const proofAt = this.stateRequest('eth_getProof', address, [encodeWord(slot)])
    return {
      requests: [proofAt],
      read: ([answer]) => {
        const said = this.parsed(proofAt, parseSlotProof, answer!)
        if (said.slot !== slot) throw this.#wrong(proofAt, `a proof of the slot ${encodeWord(said.slot)}`)
        const root = this.#storageRoots.get(address) ?? this.#store.storageRoot(address)
        const { value = 0n, nodes } = this.#shown(proofAt, root, slotKey(slot), said.proof, (encoded) =>
          toQuantity(decodeRlp(encoded) as Uint8Array),
        )
        if (value !== said.value) {
          const came = `the value ${encodeWord(said.value)}, but the proof shows ${encodeWord(value)}`
          throw this.#wrong(proofAt, came)
        }
        return (values) => {
          values.proofs!.keep(nodes)
          keepSlot(values, address, slot, value)
        }
      },
    }
  }

  /** Parses an answer. If the node does not have eth_getProof, the error message says so. */
  protected override parsed<T>(request: UpstreamRequest, parse: Parser<T>, answer: UpstreamAnswer): T {
    if (request.method === 'eth_getProof' && 'error' in answer && lacksMethod(answer.error)) {
      const { code, message } = answer.error
      throw new UpstreamFailed({
        kind: 'refused',
        upstream: this.name,
        wrong: 'no proofs',
        came: `the error ${code} "${message}"`,
        right: 'use a node that supports eth_getProof, or disable proofs',
        error: answer.error,
      })
    }
    return super.parsed(request, parse, answer)
  }

  #shown<V>(
    at: UpstreamRequest,
    root: Uint8Array,
    key: string,
    proof: readonly Uint8Array[],
    decodeValue: (encoded: Uint8Array) => V,
  ) {
    try {
      return shownBy(root, key, proof, decodeValue)
    } catch (error) {
      if (!(error instanceof NodeMissing)) throw error
      throw this.#wrong(at, `a proof with ${error.message}`)
    }
  }

  #requireCode(at: UpstreamRequest, code: Uint8Array, account: ProvenAccount | undefined): void {
    const hash = toHex(hashOfCode(code))
    const proven = toHex(account?.codeHash ?? EMPTY_CODE_HASH)
    if (hash === proven) return
    throw this.#wrong(at, `code with the hash ${hash}, but the proof of the account shows ${proven}`)
  }

  #wrong(at: UpstreamRequest, came: string): UpstreamFailed {
    const wrong = `a wrong answer to ${described(at)}`
    return new UpstreamFailed({ kind: 'wrongProof', upstream: this.name, wrong, came })
  }
}

/** Thrown if a proof does not contain a required node, or contains a node with a different hash. */
class NodeMissing extends Error {
  /** `hash` is a string with one character for each byte. */
  constructor(hash: string) {
    super(`no node with the hash ${toHex(fromBinary(hash))}`)
  }
}

/**
 * Returns the value at `key` in the trie with `root` (`undefined` if `proof` proves its absence), and the nodes used.
 * Throws `NodeMissing`. Ignores other nodes in `proof`: some clients include nodes that are embedded in their parents.
 */
function shownBy<V>(
  root: Uint8Array,
  key: string,
  proof: readonly Uint8Array[],
  decodeValue: (encoded: Uint8Array) => V,
): { readonly value: V | undefined; readonly nodes: ReadonlyMap<string, Uint8Array> } {
  const offered = new Map(proof.map((node) => [toBinary(keccak256(node)), node]))
  const nodes = new Map<string, Uint8Array>()
  const source = (hash: string) => {
    const node = offered.get(hash)
    if (node === undefined) throw new NodeMissing(hash)
    nodes.set(hash, node)
    return node
  }
  const { leaf } = resolvePath(trieOf<V>(root), key, { source, decodeValue })
  return { value: leaf?.value, nodes }
}

interface SaidAccount {
  readonly address: Address | undefined
  readonly balance: bigint
  readonly nonce: bigint
  readonly codeHash: Hash
  readonly storageHash: Hash
  readonly proof: readonly Uint8Array[]
}

function* flawsIn(
  said: SaidAccount,
  account: ProvenAccount | undefined,
  address: Address,
): Generator<string> {
  if (said.address !== undefined && said.address !== address) yield `a proof of the account ${said.address}`
  for (const name of ['balance', 'nonce'] as const) {
    const proven = account?.[name] ?? 0n
    if (said[name] !== proven) yield `the ${name} ${said[name]}, but the proof shows ${proven}`
  }
  // The hashes of a missing account are not checked: some clients return the hashes of empty values, others zeros.
  if (account === undefined) return
  const hashes = { codeHash: toHex(account.codeHash), storageHash: toHex(rootOfStorage(account)) }
  for (const name of ['codeHash', 'storageHash'] as const) {
    if (said[name] !== hashes[name]) yield `the ${name} ${said[name]}, but the proof shows ${hashes[name]}`
  }
}

const parseNodes = arrayOf(parseBytes)

const parseAccountProof: Parser<SaidAccount> = (value, path) => {
  const record = recordOf(value, path, 'a proof of an account (EIP-1186)')
  return {
    address: record.address === undefined ? undefined : parseAddress(record.address, `${path}.address`),
    balance: parseNumber(256)(record.balance, `${path}.balance`),
    nonce: parseNumber(64)(record.nonce, `${path}.nonce`),
    codeHash: parseHash(record.codeHash, `${path}.codeHash`),
    storageHash: parseHash(record.storageHash, `${path}.storageHash`),
    proof: parseNodes(record.accountProof, `${path}.accountProof`),
  }
}

const parseSlotProof: Parser<{ slot: bigint; value: bigint; proof: readonly Uint8Array[] }> = (
  value,
  path,
) => {
  const { storageProof } = recordOf(value, path, 'a proof of a slot (EIP-1186)')
  if (!Array.isArray(storageProof) || storageProof.length !== 1) {
    throw new InvalidValue(`${path}.storageProof`, 'the proof of one slot', storageProof)
  }
  const at = `${path}.storageProof[0]`
  const record = recordOf(storageProof[0], at, 'a proof of a slot')
  return {
    slot: parseSlot(record.key, `${at}.key`),
    value: parseNumber(256)(record.value, `${at}.value`),
    proof: parseNodes(record.proof, `${at}.proof`),
  }
}

/** The maximum number of slots in one request. The proof of one slot takes several kilobytes. */
const MOST_SLOTS = 64

/** Joins eth_getProof requests for the same account at `tag`. A cache around this upstream stores each proof alone. */
export function joinProofs(upstream: Upstream, tag: string): Upstream {
  return {
    name: upstream.name,
    async send(requests) {
      const groups = [...grouped(requests, tag)]
      const answers = await upstream.send(groups.map(joined))
      const parts: UpstreamAnswer[] = []
      for (const [index, group] of groups.entries()) {
        for (const [at, part] of split(group, answers[index]!).entries()) parts[group.indexes[at]!] = part
      }
      return parts
    },
    close: () => upstream.close(),
  }
}

interface Group {
  readonly isProof: boolean
  readonly requests: UpstreamRequest[]
  readonly indexes: number[]
  slots: number
}

function grouped(requests: readonly UpstreamRequest[], tag: string): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<unknown, Group>()
  for (const [index, request] of requests.entries()) {
    const { method, params } = request
    const isProof = method === 'eth_getProof' && params[2] === tag
    let group = isProof ? open.get(params[0]) : undefined
    if (group === undefined || group.slots === MOST_SLOTS) {
      group = { isProof, requests: [], indexes: [], slots: 0 }
      groups.push(group)
      if (isProof) open.set(params[0], group)
    }
    group.requests.push(request)
    group.indexes.push(index)
    group.slots += keysOf(request).length
  }
  return groups
}

function keysOf({ params }: UpstreamRequest): readonly unknown[] {
  return Array.isArray(params[1]) ? params[1] : []
}

function joined({ isProof, requests }: Group): UpstreamRequest {
  const first = requests[0]!
  if (!isProof) return first
  const [address, , tag] = first.params
  return { ...first, params: [address, requests.flatMap(keysOf), tag] }
}

function split({ isProof, requests }: Group, answer: UpstreamAnswer): UpstreamAnswer[] {
  if (!isProof || 'error' in answer) return requests.map(() => answer)
  const { storageProof, address, storageHash } = Object(answer.result) as Record<string, unknown>
  if (!Array.isArray(storageProof)) return requests.map(() => answer)
  let at = 0
  return requests.map((request) => {
    const count = keysOf(request).length
    const own = storageProof.slice(at, at + count)
    at += count
    return count === 0
      ? { result: { ...(answer.result as object), storageProof: own } }
      : { result: { address, storageHash, storageProof: own } }
  })
}
