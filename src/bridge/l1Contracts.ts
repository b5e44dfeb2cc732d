/**
 * The contracts of the OP Stack on L1: those of `@eth-optimism/contracts-bedrock` 0.17.3 (MIT license), without proxies, at the
 * addresses of a network. `scripts/record-l1.ts` writes the file with their code and storage beside OP Mainnet.
 */
import { fromBase64 } from '../bytes/bytes.ts'
import { type Address, type Hex, toDigits, toWord } from '../bytes/hex.ts'
import { GENESIS_CONTRACTS, type Predeploy } from '../model/bytecode/predeploys.ts'
import { type L1Addresses, type L1Contract, l1Addresses, PROPOSER } from '../model/l2/l1Addresses.ts'
import { L2_TERMS, type L2Chain } from '../model/l2/l2.ts'
import file from './l1Contracts.json' with { type: 'json' }

/** The ether of the accounts of the L2 in wei, as if it had been deposited: a million ether. Otherwise it could not be withdrawn. */
const ETHER_OF_L2 = 10n ** 24n
/** The proposer, whose proposals cost gas. */
export const PROPOSER_ACCOUNT: Predeploy = { address: PROPOSER, code: '0x', balance: 10n ** 24n }

let codes: Promise<string> | undefined
const networks = new Map<L1Addresses, readonly Predeploy[]>()

/** Returns the genesis contracts of the L1 beside an L2: for a network always the same list, so that devnets share its state. */
export async function l1Contracts(l2: L2Chain, l1ChainId: number): Promise<readonly Predeploy[]> {
  codes ??= inflated()
  const digits = await codes
  const addresses = l1Addresses(l2, l1ChainId)
  let contracts = networks.get(addresses)
  contracts ??= [...GENESIS_CONTRACTS, PROPOSER_ACCOUNT, ...placed(digits, addresses, l2)]
  networks.set(addresses, contracts)
  return contracts
}

interface GameTerms {
  readonly gameType: bigint
  /** The AnchorStateRegistry that asks the games. */
  readonly registry: Address
  /** The length of the `gameArgs` that the factory appends to the data of a game. */
  readonly gameArgsLength: bigint
}

/** Returns the code of preseal's game with the immutables of another network. */
export async function disputeGame({ gameType, registry, gameArgsLength }: GameTerms): Promise<Hex> {
  const { permissionedDisputeGame, anchorStateRegistry } = l1Addresses('op')
  const contracts = await l1Contracts('op', 1)
  const { code } = contracts.find(({ address }) => address === permissionedDisputeGame)!
  // The length first: the type may be 0.
  return code
    .replaceAll(pushOf(0n), pushOf(gameArgsLength))
    .replaceAll(pushOf(1n), pushOf(gameType))
    .replaceAll(anchorStateRegistry.slice(2), registry.slice(2)) as Hex
}

/** Returns the instruction PUSH32 of an immutable. */
function pushOf(value: bigint): string {
  return `7f${toDigits(toWord(value))}`
}

async function inflated(): Promise<string> {
  const stream = new Blob([fromBase64(file.deflated)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
  return toDigits(new Uint8Array(await new Response(stream).arrayBuffer()))
}

function placed(digits: string, addresses: L1Addresses, l2: L2Chain): readonly Predeploy[] {
  const replaced = replacement(addresses, l2)
  let at = 0
  return file.contracts.map(({ name, codeSize, storage }) => {
    const code = digits.slice(at, at + 2 * codeSize)
    at += code.length
    return {
      address: addresses[name as L1Contract],
      balance: name === 'optimismPortal2' ? ETHER_OF_L2 : 0n,
      code: `0x${replaced(code)}`,
      storage: storage.map(([slot, value]) => {
        const word = toDigits(toWord(BigInt(value as Hex)))
        return [BigInt(slot as Hex), BigInt(`0x${replaced(word)}`)] as const
      }),
    }
  })
}

/** Returns a function that replaces the values of OP Mainnet by those of a network: immutables in code, and parts of slots. */
function replacement(addresses: L1Addresses, l2: L2Chain): (digits: string) => string {
  const own = valuesOf(addresses, l2)
  const ofNetwork = new Map(
    valuesOf(l1Addresses('op'), 'op').map((recorded, index) => [recorded, own[index]!]),
  )
  const recorded = new RegExp([...ofNetwork.keys()].join('|'), 'g')
  return (digits) => digits.replace(recorded, (found) => ofNetwork.get(found)!)
}

function valuesOf(addresses: L1Addresses, l2: L2Chain): readonly string[] {
  const { batcher, baseFeeScalar, blobBaseFeeScalar } = L2_TERMS[l2]
  const names = Object.keys(addresses).sort() as (keyof L1Addresses)[]
  const scalars = toDigits(toWord((blobBaseFeeScalar << 32n) | baseFeeScalar)).slice(-16)
  return [...names.map((name) => addresses[name].slice(2)), batcher.slice(2), scalars]
}
