/**
 * The contracts of the OP Stack on L1: those of `@eth-optimism/contracts-bedrock` 0.17.3 (MIT license), without proxies, at their
 * addresses on Ethereum. `scripts/record-l1.ts` writes the file with their code and storage.
 */
import { fromBase64 } from '../bytes/bytes.ts'
import { type Hex, toHex } from '../bytes/hex.ts'
import { GENESIS_CONTRACTS, type Predeploy } from '../model/bytecode/predeploys.ts'
import { L1_ADDRESSES, PROPOSER } from '../model/l2/l1Addresses.ts'
import { L2_CHAINS, type L2Chain } from '../model/l2/l2.ts'
import file from './l1Contracts.json' with { type: 'json' }

/** The ether of the accounts of the L2 in wei, as if it had been deposited: a million ether. Otherwise it could not be withdrawn. */
const ETHER_OF_L2 = 10n ** 24n
/** The proposer, whose proposals cost gas. */
const PROPOSER_ACCOUNT: Predeploy = { address: PROPOSER, code: '0x', balance: 10n ** 24n }

let loaded: Promise<Readonly<Record<L2Chain, readonly Predeploy[]>>> | undefined

/** Returns the genesis contracts of the L1 beside an L2: always the same list, so that devnets share its state. */
export async function l1Contracts(chain: L2Chain): Promise<readonly Predeploy[]> {
  loaded ??= read()
  return (await loaded)[chain]
}

async function read(): Promise<Readonly<Record<L2Chain, readonly Predeploy[]>>> {
  const inflated = new Blob([fromBase64(file.deflated)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
  const codes = new Uint8Array(await new Response(inflated).arrayBuffer())
  const contracts: Record<L2Chain, Predeploy[]> = {
    base: [...GENESIS_CONTRACTS, PROPOSER_ACCOUNT],
    op: [...GENESIS_CONTRACTS, PROPOSER_ACCOUNT],
  }
  let at = 0
  for (const { name, codeSize, storage } of file.contracts) {
    // Each contract has its code twice: immutable addresses differ.
    for (const chain of L2_CHAINS) {
      contracts[chain].push({
        address: L1_ADDRESSES[chain][name as keyof (typeof L1_ADDRESSES)[L2Chain]],
        balance: name === 'optimismPortal2' ? ETHER_OF_L2 : 0n,
        code: toHex(codes.subarray(at, at + codeSize)),
        storage: storage[chain].map(([slot, value]) => [BigInt(slot as Hex), BigInt(value as Hex)] as const),
      })
      at += codeSize
    }
  }
  return contracts
}
