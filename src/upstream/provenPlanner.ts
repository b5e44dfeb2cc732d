/** How values of the state of another node are fetched with proofs, which are held against the state root of the block. */
import { type Address, fromHex, type Hash, toHex, toQuantity } from '../bytes/hex.ts'
import { decodeRlp } from '../bytes/rlp.ts'
import { EMPTY_CODE_HASH } from '../state/accountRecord.ts'
import { accountKey, slotKey } from '../state/hashedKey.ts'
import { decodeAccount, type ProvenAccount, rootOfStorage } from '../state/provenState.ts'
import { EMPTY_ROOT_BYTES } from '../state/trieEncoding.ts'
import { encodeWord, parseAddress, parseBytes, parseHash, parseSlot } from '../wire/hex.ts'
import { arrayOf, InvalidValue, type Parser, recordOf } from '../wire/parser.ts'
import { described } from './answerErrors.ts'
import { hashOfCode, keepSlot, PlainPlanner, type Plan } from './fetchPlan.ts'
import { parseNumber } from './parseNumber.ts'
import { NodeMissing, type NodeStore, shownBy } from './provenNodes.ts'
import type { UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/**
 * Makes the plans of one batch. A slot is held against the storage of its account, which must have been proven before, or
 * is read before it in the same batch. Plans throw `UpstreamFailed` of the kind `wrongProof`.
 */
export class ProvenPlanner extends PlainPlanner {
  readonly #root: Uint8Array
  readonly #store: NodeStore
  /** The storage of the accounts in this batch. */
  readonly #storageRoots = new Map<Address, Uint8Array>()

  constructor(upstream: string, number: bigint, root: Hash, store: NodeStore) {
    super(upstream, number)
    this.#root = fromHex(root)
    this.#store = store
  }

  protected override account(address: Address): Plan {
    const proofAt = this.request('eth_getProof', address, [], this.tag)
    const codeAt = this.request('eth_getCode', address, this.tag)
    return {
      requests: [proofAt, codeAt],
      read: ([proofResult, codeResult]) => {
        const said = this.parsed(proofAt, parseAccountProof, proofResult)
        const code = this.parsed(codeAt, parseBytes, codeResult)
        const { value: account, nodes } = this.#shown(
          proofAt,
          this.#root,
          accountKey(address).key,
          said.proof,
          decodeAccount,
        )
        this.#requireSame(proofAt, said, account, address)
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
    const proofAt = this.request('eth_getProof', address, [encodeWord(slot)], this.tag)
    return {
      requests: [proofAt],
      read: ([result]) => {
        const said = this.parsed(proofAt, parseSlotProof, result)
        if (said.slot !== slot) throw this.#wrong(proofAt, `a proof of the slot ${encodeWord(said.slot)}`)
        const root = this.#storageRoots.get(address) ?? this.#store.storageRoot(address)
        const { value = 0n, nodes } = this.#shown(proofAt, root, slotKey(slot), said.proof, decodeSlot)
        if (value !== said.value) {
          const came = `the value ${encodeWord(said.value)}, and the proof shows ${encodeWord(value)}`
          throw this.#wrong(proofAt, came)
        }
        return (values) => {
          values.proofs!.keep(nodes)
          keepSlot(values, address, slot, value)
        }
      },
    }
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

  #requireSame(
    at: UpstreamRequest,
    said: SaidAccount,
    account: ProvenAccount | undefined,
    address: Address,
  ): void {
    const [flaw] = flawsIn(said, account, address)
    if (flaw !== undefined) throw this.#wrong(at, flaw)
  }

  #requireCode(at: UpstreamRequest, code: Uint8Array, account: ProvenAccount | undefined): void {
    const hash = toHex(hashOfCode(code))
    const proven = toHex(account?.codeHash ?? EMPTY_CODE_HASH)
    if (hash === proven) return
    throw this.#wrong(at, `code with the hash ${hash}, and the account is proven to have ${proven}`)
  }

  #wrong(at: UpstreamRequest, came: string): UpstreamFailed {
    const wrong = `a wrong answer to ${described(at)}`
    return new UpstreamFailed({ kind: 'wrongProof', upstream: this.upstream, wrong, came })
  }
}

interface SaidAccount {
  readonly address: Address | undefined
  readonly balance: bigint
  readonly nonce: bigint
  readonly codeHash: Hash
  readonly storageHash: Hash
  readonly proof: readonly Uint8Array[]
}

/** Yields what an answer says of an account otherwise than its proof shows. */
function* flawsIn(
  said: SaidAccount,
  account: ProvenAccount | undefined,
  address: Address,
): Generator<string> {
  if (said.address !== undefined && said.address !== address) yield `a proof of the account ${said.address}`
  for (const name of ['balance', 'nonce'] as const) {
    const proven = account?.[name] ?? 0n
    if (said[name] !== proven) yield `the ${name} ${said[name]}, and the proof shows ${proven}`
  }
  // Nodes say different hashes of accounts that do not exist: of nothing, or zeros.
  if (account === undefined) return
  const hashes = { codeHash: toHex(account.codeHash), storageHash: toHex(rootOfStorage(account)) }
  for (const name of ['codeHash', 'storageHash'] as const) {
    if (said[name] !== hashes[name]) yield `the ${name} ${said[name]}, and the proof shows ${hashes[name]}`
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

function decodeSlot(encoded: Uint8Array): bigint {
  return toQuantity(decodeRlp(encoded) as Uint8Array)
}
