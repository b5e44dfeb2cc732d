/** Random messages in random worlds, for comparing engines. */

import { type Address, toHex, ZERO_ADDRESS } from '../../../src/bytes/hex.ts'
import type { BlockContext } from '../../../src/engine/blockContext.ts'
import type { Message, MessageKind } from '../../../src/engine/engine.ts'
import { delegationTo } from '../../../src/model/account/account.ts'
import { type AnyHardfork, createRules, type Rules } from '../../../src/model/hardfork/hardfork.ts'
import { minimumGas } from '../../../src/model/transaction/intrinsicGas.ts'
import type { AccessList, Authorization } from '../../../src/model/transaction/transaction.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import { authorize, signerOf } from '../chains/signing.ts'
import { creationOf } from '../compilers/assembly.ts'
import type { Random } from '../random/random.ts'
import { randomContract } from './programs.ts'
import { CONTEXT } from './scenes.ts'
import { wholeCode } from './wholeCode.ts'
import { wildCode } from './wildCode.ts'

export const ALL_HARDFORKS = [
  ...([
    'frontier',
    'homestead',
    'tangerineWhistle',
    'spuriousDragon',
    'byzantium',
    'constantinople',
  ] as const),
  ...([
    'petersburg',
    'istanbul',
    'berlin',
    'london',
    'paris',
    'shanghai',
    'cancun',
    'prague',
    'osaka',
  ] as const),
] satisfies AnyHardfork[]

/** A message with its state and block context. */
export interface RandomRun {
  readonly rules: Rules
  readonly state: State
  readonly context: BlockContext
  readonly message: Message
}

const SENDER = signerOf(`0x${'5e'.repeat(32)}`)
const AUTHORITY = signerOf(`0x${'a7'.repeat(32)}`)
const CONTRACTS: readonly Address[] = [1, 2, 3, 4].map((n): Address => `0x${'c'.repeat(38)}0${n}`)
const OTHERS: readonly Address[] = [
  ...CONTRACTS,
  SENDER.address,
  AUTHORITY.address,
  CONTEXT.coinbase,
  `0x${'e'.repeat(40)}`, // an account that does not exist
  '0x000000000000000000636f6e736f6c652e6c6f67', // the console
]

/** Signatures take long: the authorizations from which random messages take theirs. */
let authorizations: readonly Authorization[] = []

/** Signs the authorizations of random messages; awaited once before `randomRun`. */
export async function prepareRandomRuns(): Promise<void> {
  if (authorizations.length > 0) return
  const wishes = [AUTHORITY, SENDER].flatMap((signer) =>
    [0n, 31_337n, 1n].flatMap((chainId) =>
      [...OTHERS, ZERO_ADDRESS].flatMap((address) =>
        [0n, 1n, 8n].map((nonce) => authorize(signer, { chainId, address, nonce })),
      ),
    ),
  )
  authorizations = await Promise.all(wishes)
}

/** Returns a message of any kind under `hardfork`, on contracts with random code. */
export function randomRun(random: Random, hardfork: AnyHardfork): RandomRun {
  const rules = createRules(hardfork, 31_337n)
  const context: BlockContext = {
    ...CONTEXT,
    baseFeePerGas: rules.has(1559) ? CONTEXT.baseFeePerGas : undefined,
    blobBaseFee: rules.has(4844) ? CONTEXT.blobBaseFee : undefined,
    difficulty: rules.since('paris') ? 0n : 131_072n,
  }
  return { rules, context, state: randomState(random, rules), message: randomMessage(random, rules) }
}

function randomState(random: Random, rules: Rules): State {
  const accounts: AccountChange[] = CONTRACTS.map((address) => ({
    address,
    nonce: BigInt(random.below(3)),
    balance: random.chance(0.5) ? 0n : BigInt(random.below(1_000)),
    code: codeOf(random, rules),
    storage: random.list(
      random.below(4),
      () => [BigInt(random.below(5)), random.chance(0.5) ? 1n : random.bigint(256) + 1n] as const,
    ),
  }))
  accounts.push({ address: SENDER.address, nonce: 7n, balance: 10n ** 24n })
  if (random.chance(0.5)) {
    const isDelegated = rules.has(7702) && random.chance(0.5)
    const code = isDelegated ? { code: delegationTo(random.pick(OTHERS)) } : {}
    accounts.push({
      address: AUTHORITY.address,
      nonce: BigInt(random.below(2)),
      balance: BigInt(random.below(2)),
      ...code,
    })
  }
  return State.empty.with(accounts)
}

function codeOf(random: Random, rules: Rules): Uint8Array {
  if (random.chance(0.5)) return wholeCode(random, rules, OTHERS, random.between(3, 40))
  if (random.chance(0.6) || !rules.since('byzantium')) return wildCode(random, OTHERS, random.between(3, 60))
  if (rules.has(7702) && random.chance(0.1)) return delegationTo(random.pick(OTHERS))
  const contract = randomContract(random, rules.hardfork as 'byzantium', OTHERS)
  // The creation code is as good as any.
  return contract
}

function randomMessage(random: Random, rules: Rules): Message {
  // The protocol calls contracts since Cancun.
  const kinds: readonly MessageKind[] = ['transaction', 'transaction', 'transaction', 'simulation']
  const kind = random.pick<MessageKind>(rules.has(4788) ? [...kinds, 'system'] : kinds)
  const to =
    random.chance(0.15) && kind !== 'system'
      ? undefined
      : random.pick(random.chance(0.9) ? CONTRACTS : OTHERS)
  const data = to === undefined ? initCodeOf(random, rules) : random.bytes(random.pick([0, 4, 32, 36, 100]))
  const accessList = rules.has(2930) && random.chance(0.3) ? randomAccessList(random) : []
  const authorizationList =
    rules.has(7702) && to !== undefined && random.chance(0.3)
      ? random.list(random.between(1, 3), () => randomAuthorization(random))
      : []
  const paid = kind === 'system' ? 0n : 9n
  const hasTip = rules.has(1559)
  const payload = {
    to,
    data,
    accessList: kind === 'system' ? [] : accessList,
    authorizationList: kind === 'system' ? [] : authorizationList,
  }
  const least = kind === 'system' ? 0n : minimumGas(rules, payload)
  const blobVersionedHashes =
    rules.has(4844) &&
    kind !== 'system' &&
    to !== undefined &&
    authorizationList.length === 0 &&
    random.chance(0.1)
      ? [`0x01${random.hex(31).slice(2)}` as const]
      : []
  return {
    ...payload,
    kind,
    type:
      payload.authorizationList.length > 0
        ? 4
        : blobVersionedHashes.length > 0
          ? 3
          : rules.has(1559)
            ? 2
            : accessList.length > 0
              ? 1
              : 0,
    from: kind === 'system' ? '0xfffffffffffffffffffffffffffffffffffffffe' : SENDER.address,
    nonce: 7n,
    gasLimit: least + BigInt(random.chance(0.2) ? random.below(3_000) : random.below(200_000)),
    value: kind === 'system' || random.chance(0.7) ? 0n : BigInt(random.below(100)),
    gasPrice: paid,
    tip: kind === 'system' ? 0n : hasTip ? 2n : paid,
    blobGasPrice: blobVersionedHashes.length > 0 ? 1n : 0n,
    blobVersionedHashes,
    mayComeFromContract: kind !== 'transaction',
    movedPrecompiles: undefined,
    dropsChanges: false,
  }
}

function initCodeOf(random: Random, rules: Rules): Uint8Array {
  const code = codeOf(random, rules)
  return random.chance(0.5) ? code : creationOf(code)
}

function randomAccessList(random: Random): AccessList {
  return random.list(random.between(1, 3), () => ({
    address: random.pick(OTHERS),
    storageKeys: random.list(random.below(3), () =>
      toHex(Uint8Array.from({ length: 32 }, (_, i) => (i < 31 ? 0 : random.below(5)))),
    ),
  }))
}

function randomAuthorization(random: Random): Authorization {
  const authorization = random.pick(authorizations)
  return random.chance(0.9) ? authorization : { ...authorization, r: random.bigint(256) }
}
