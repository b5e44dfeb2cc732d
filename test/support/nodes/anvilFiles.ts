/** What anvil begins with, and what it has in the end, in its own files and dumps. */
import { gunzipSync } from 'node:zlib'
import { type Address, fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import { HISTORY_STORAGE_ADDRESS, SYSTEM_CONTRACTS } from '../../../src/model/bytecode/predeploys.ts'
import { createRules, type Hardfork } from '../../../src/model/hardfork/hardfork.ts'

/** A genesis.json of ours, as far as it matters here. */
export interface GenesisJson {
  readonly timestamp: Hex
  readonly baseFeePerGas: Hex
  readonly config: { blobSchedule?: object }
  readonly alloc: Record<Address, { balance: Hex; nonce?: Hex; code?: Hex; storage?: Record<Hex, Hex> }>
}

/** The genesis that both can have: ours, with the one system contract that anvil has and calls (EIP-2935). */
export async function genesisFor(hardfork: Hardfork): Promise<GenesisJson> {
  await using devnet = await createDevnet({ rhythm: 'manual', hardfork })
  const genesis = devnet.genesis() as unknown as GenesisJson
  const rules = createRules(hardfork, 31_337n)
  if (rules.has(2935)) {
    const { code } = SYSTEM_CONTRACTS.find(({ address }) => address === HISTORY_STORAGE_ADDRESS)!
    genesis.alloc[HISTORY_STORAGE_ADDRESS] = { balance: '0x0', nonce: '0x1', code }
  }
  // What anvil 1.7.1 takes for the schedule of Osaka. (Receipts have prices by that of Cancun, once there is an excess.)
  if (hardfork === 'osaka') {
    genesis.config.blobSchedule = { osaka: { target: 10, max: 15, baseFeeUpdateFraction: 5_007_716 } }
  }
  return genesis
}

/** Block 0 and its accounts as a state file of anvil. */
export async function anvilStateOf(devnet: Devnet, { alloc }: GenesisJson): Promise<object> {
  const params = ['0x0', false] as const
  const block = (await devnet.request({ method: 'eth_getBlockByNumber', params })) as Record<string, unknown>
  const { withdrawals = null, ...header } = block
  return {
    block: {
      number: header.number,
      beneficiary: header.miner,
      timestamp: header.timestamp,
      gas_limit: Number(header.gasLimit),
      basefee: Number(header.baseFeePerGas),
      difficulty: header.difficulty,
      prevrandao: header.mixHash,
      blob_excess_gas_and_price: { excess_blob_gas: 0, blob_gasprice: 1 },
      slot_num: 0,
    },
    accounts: Object.fromEntries(
      Object.entries(alloc).map(([address, { balance, nonce = '0x0', code = '0x', storage = {} }]) => [
        address,
        { balance, nonce: Number(nonce), code, storage },
      ]),
    ),
    best_block_number: 0,
    blocks: [{ header, transactions: [], ommers: [], withdrawals }],
    transactions: [],
    historical_states: null,
  }
}

/** An account as it can be compared. */
export interface Account {
  readonly address: Address
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
  readonly slots: readonly (readonly [slot: bigint, value: bigint])[]
}

interface DumpedAccount {
  readonly nonce: number
  readonly balance: Hex
  readonly code: Hex
  readonly storage: Record<Hex, Hex>
}

/** The JSON that `anvil_dumpState` has answered, before it was packed. */
export function unpackedDump(answer: Hex): string {
  return gunzipSync(fromHex(answer)).toString()
}

/** The accounts in such JSON. Some are empty: accounts that are no more. */
export function accountsInDump(json: string): Account[] {
  const { accounts } = JSON.parse(json) as { accounts: Record<Address, DumpedAccount> }
  return Object.entries(accounts).map(([address, { nonce, balance, code, storage }]) => ({
    address: address as Address,
    nonce: BigInt(nonce),
    balance: BigInt(balance),
    code,
    slots: Object.entries(storage).map(([slot, value]) => [BigInt(slot), BigInt(value)] as const),
  }))
}
