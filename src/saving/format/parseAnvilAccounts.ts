/** Parses the accounts in anvil's `state.json`. The newest state has anvil's own format, older states have revm's. */
import { EMPTY_BYTES, type Hash } from '../../bytes/hex.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import type { GenesisAccount } from '../../model/block/genesis.ts'
import {
  parseAddress,
  parseAmount,
  parseAmount64,
  parseBytes,
  parseHash,
  parseSlot,
  smallAmount,
} from '../../wire/hex.ts'
import {
  arrayOf,
  entriesOf,
  InvalidValue,
  type JsonObject,
  recordOf,
  withDefault,
} from '../../wire/parser.ts'

const parseSmall = smallAmount(Number.MAX_SAFE_INTEGER)

/** Returns the accounts that exist after the newest block: no empty accounts, and no zero slots. */
export function parseAnvilAccounts(value: unknown, path: string): GenesisAccount[] {
  return parseTouched(value, path)
    .map((account) => ({ ...account, storage: account.storage.filter(([, word]) => word !== 0n) }))
    .filter(exists)
}

/** Returns all accounts in the file, including empty accounts and zero slots. */
export function parseTouched(value: unknown, path: string): GenesisAccount[] {
  return entriesOf(value, path, 'an object from addresses to accounts').map(([key, account]) => {
    const at = `${path}.${key}`
    const form = 'an account {balance, nonce, code, storage}'
    const { balance, nonce, code, storage } = recordOf(account, at, form)
    return {
      address: parseAddress(key, at),
      balance: parseAmount(balance, `${at}.balance`),
      nonce: parseAmount64(nonce, `${at}.nonce`),
      code: withDefault(parseBytes, EMPTY_BYTES)(code, `${at}.code`),
      storage: parseStorage(storage ?? {}, `${at}.storage`),
    }
  })
}

function parseStorage(value: unknown, path: string): [bigint, bigint][] {
  return entriesOf(value, path, 'an object from slots to values').map(([slot, word]): [bigint, bigint] => {
    const at = `${path}.${slot}`
    return [parseSlot(slot, at), parseSlot(word, at)]
  })
}

/** Returns whether an account exists. anvil's files have empty accounts, too, which do not exist (EIP-161). */
export function exists({ balance, nonce, code, storage }: GenesisAccount): boolean {
  return balance > 0n || nonce > 0n || code.length > 0 || storage.length > 0
}

/** Returns the accounts after each older block, by block hash, with changes that cheats made after the block. */
export function historicalAccounts(
  value: unknown,
  newest: readonly GenesisAccount[],
): ReadonlyMap<Hash, readonly GenesisAccount[]> {
  if (value === undefined || value === null) return new Map()
  const path = Array.isArray(value) ? 'historical_states' : 'historical_states.states'
  const states = Array.isArray(value) ? value : recordOf(value, 'historical_states', 'states').states
  const code = new Map(
    [EMPTY_BYTES, ...newest.map((account) => account.code)].map((one) => [keccakHash(one), one]),
  )
  return new Map(arrayOf((entry, at) => parseHistorical(entry, at, code))(states, path))
}

function parseHistorical(
  entry: unknown,
  path: string,
  code: ReadonlyMap<Hash, Uint8Array>,
): readonly [Hash, readonly GenesisAccount[]] {
  if (!Array.isArray(entry)) throw new InvalidValue(path, "a block's hash and its state", entry)
  const [hash, state] = entry
  const { accounts, storage } = recordOf(state, `${path}[1]`, 'a state {accounts, storage}')
  const slots = recordOf(storage, `${path}[1].storage`, 'an object from addresses to slots')
  const parsed = entriesOf(accounts, `${path}[1].accounts`, 'an object from addresses to accounts').map(
    ([key, account]): GenesisAccount => {
      const at = `${path}[1].accounts.${key}`
      const record = recordOf(account, at, 'an account {balance, nonce, code}')
      return {
        address: parseAddress(key, at),
        balance: parseAmount(record.balance, `${at}.balance`),
        nonce: parseAmount64(record.nonce, `${at}.nonce`),
        code: parseCode(record, at, code),
        storage: parseStorage(slots[key] ?? {}, `${path}[1].storage.${key}`),
      }
    },
  )
  return [parseHash(hash, `${path}[0]`), parsed.filter(exists)]
}

/** Returns the code of revm's `Bytecode` (delegation or padded code). Without `code`, looks up the hash in `known`. */
function parseCode(
  { code, code_hash }: JsonObject,
  path: string,
  known: ReadonlyMap<Hash, Uint8Array>,
): Uint8Array {
  if (code === undefined || code === null) {
    const hash = parseHash(code_hash, `${path}.code_hash`)
    const found = known.get(hash)
    if (found === undefined) throw new InvalidValue(`${path}.code`, `the code whose hash is ${hash}`, code)
    return found
  }
  const { LegacyAnalyzed: analysed, Eip7702: delegation } = recordOf(code, `${path}.code`, 'code')
  if (delegation !== undefined) {
    const at = `${path}.code.Eip7702`
    const { delegated_address } = recordOf(delegation, at, 'a delegation')
    const target = parseAddress(delegated_address, `${at}.delegated_address`)
    return parseBytes(`0xef0100${target.slice(2)}`, at)
  }
  const at = `${path}.code.LegacyAnalyzed`
  const { bytecode, original_len } = recordOf(analysed, at, 'analysed code {bytecode, original_len}')
  return parseBytes(bytecode, `${at}.bytecode`).slice(0, parseSmall(original_len, `${at}.original_len`))
}
