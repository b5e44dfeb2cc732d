/** Parses and encodes geth's genesis.json (`core/genesis.go`). Numbers may be JSON numbers, decimal strings or hex. */
import { EMPTY_BYTES, toHex, toQuantity, toWord, ZERO_ADDRESS, ZERO_HASH } from '../bytes/hex.ts'
import { type Genesis, type GenesisAccount, LAST_FIRST_BLOCK } from '../model/block/genesis.ts'
import { encodeForkConfig, number, parseForkConfig } from './forkConfig.ts'
import { encodeBytes, encodeQuantity, encodeWord, parseAddress, parseBytes, parseHash } from './hex.ts'
import { entriesOf, InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

/** geth's default gas limit and difficulty (`params/protocol_params.go`). */
const DEFAULT_GAS_LIMIT = 4_712_388n
const DEFAULT_DIFFICULTY = 131_072n

export const parseGenesis: Parser<Genesis> = (value, path) => {
  const record = recordOf(value, path, 'a genesis.json of geth: an object with config and alloc')
  const config = recordOf(record.config, `${path}.config`, 'an object with chainId and the fork schedule')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  return {
    schedule: parseForkConfig(config, `${path}.config`),
    header: {
      number: member('number', firstNumber),
      parentHash: member('parentHash', withDefault(parseHash, ZERO_HASH)),
      coinbase: member('coinbase', withDefault(parseAddress, ZERO_ADDRESS)),
      difficulty:
        member('difficulty', optional(number(256))) ??
        ((config.ethash ?? null) === null ? 0n : DEFAULT_DIFFICULTY),
      // As in geth, zero selects the default.
      gasLimit: member('gasLimit', withDefault(number(64), 0n)) || DEFAULT_GAS_LIMIT,
      gasUsed: member('gasUsed', withDefault(number(64), 0n)),
      timestamp: member('timestamp', withDefault(number(64), 0n)),
      extraData: member('extraData', withDefault(parseBytes, EMPTY_BYTES)),
      prevRandao: withDefault(parseHash, ZERO_HASH)(record.mixHash ?? record.mixhash, `${path}.mixHash`),
      nonce: toWord(member('nonce', withDefault(number(64), 0n))).subarray(24),
      baseFeePerGas: member('baseFeePerGas', optional(number(256))),
      blobGasUsed: member('blobGasUsed', optional(number(64))),
      excessBlobGas: member('excessBlobGas', optional(number(64))),
    },
    accounts: entriesOf(record.alloc, `${path}.alloc`, 'an object from addresses to accounts').map(
      ([key, account]) => parseAccount(key, account, `${path}.alloc`),
    ),
  }
}

/** Parses the number of the first block. Default: 0. */
export const firstNumber: Parser<bigint> = (value, path) => {
  const first = withDefault(number(64), 0n)(value, path)
  if (first > LAST_FIRST_BLOCK) {
    throw new InvalidValue(path, `the number of the first block, at most ${LAST_FIRST_BLOCK}`, value)
  }
  return first
}

function parseAccount(key: string, value: unknown, path: string): GenesisAccount {
  const address = parseAddress(key.startsWith('0x') ? key : `0x${key}`, `${path}[${JSON.stringify(key)}]`)
  const at = `${path}.${key}`
  const record = recordOf(value, at, 'an account: an object with balance, and maybe nonce, code, storage')
  return {
    address,
    balance: withDefault(number(256), 0n)(record.balance, `${at}.balance`),
    nonce: withDefault(number(64), 0n)(record.nonce, `${at}.nonce`),
    code: withDefault(parseBytes, EMPTY_BYTES)(record.code, `${at}.code`),
    storage: entriesOf(record.storage ?? {}, `${at}.storage`, 'an object from slots to values').map(
      ([slot, word]) => [parseWord(slot, `${at}.storage`), parseWord(word, `${at}.storage.${slot}`)] as const,
    ),
  }
}

/** Parses a storage key or value. `0x` and leading zeros may be missing. */
const parseWord: Parser<bigint> = (value, path) => {
  const digits = typeof value === 'string' ? value.replace(/^0x/, '') : ''
  if (!/^[0-9a-fA-F]{1,64}$/.test(digits)) {
    throw new InvalidValue(path, 'up to 32 bytes (0x and up to 64 hex digits)', value)
  }
  return BigInt(`0x${digits}`)
}

export function encodeGenesis({ schedule, header, accounts }: Genesis): Record<string, unknown> {
  const { baseFeePerGas, blobGasUsed, excessBlobGas } = header
  return {
    config: encodeForkConfig(schedule),
    nonce: encodeQuantity(toQuantity(header.nonce)),
    timestamp: encodeQuantity(header.timestamp),
    extraData: encodeBytes(header.extraData),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    difficulty: encodeQuantity(header.difficulty),
    mixHash: header.prevRandao,
    coinbase: header.coinbase,
    parentHash: header.parentHash,
    number: encodeQuantity(header.number),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: encodeQuantity(baseFeePerGas) }),
    ...(blobGasUsed === undefined ? {} : { blobGasUsed: encodeQuantity(blobGasUsed) }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas: encodeQuantity(excessBlobGas) }),
    alloc: Object.fromEntries(accounts.map((account) => [account.address, encodeAccount(account)])),
  }
}

function encodeAccount({ balance, nonce, code, storage }: GenesisAccount): Record<string, unknown> {
  const slots = storage.map(([slot, value]) => [encodeWord(slot), encodeWord(value)])
  return {
    balance: encodeQuantity(balance),
    ...(nonce === 0n ? {} : { nonce: encodeQuantity(nonce) }),
    ...(code.length === 0 ? {} : { code: toHex(code) }),
    ...(slots.length === 0 ? {} : { storage: Object.fromEntries(slots) }),
  }
}
