/** The contracts on L1 with which an L2 communicates. Their addresses are known, or read from a forked network. */
import { type Address, toDigits, toHex, toWord } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Predeploy } from '../model/bytecode/predeploys.ts'
import { l1Addresses } from '../model/l2/l1Addresses.ts'
import { L2_CROSS_DOMAIN_MESSENGER, type L2Chain } from '../model/l2/l2.ts'
import type { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { disputeGame, l1Contracts, PROPOSER_ACCOUNT } from './l1Contracts.ts'

export interface Bridge {
  readonly optimismPortal2: Address
  readonly systemConfig: Address
  readonly disputeGameFactory: Address
  /** The type of the games that the portal accepts, and the bond in wei that the factory asks for each. */
  readonly gameType: bigint
  readonly bond: bigint
}

/** The bridge, and the contracts that the first block of the L1 has for it. */
export interface BridgeGenesis {
  readonly bridge: Bridge
  readonly contracts: readonly Predeploy[]
}

/** The game type of permissioned games, PERMISSIONED_CANNON. */
const PERMISSIONED = 1n

export async function newBridge(l2: L2Chain, l1ChainId: number): Promise<BridgeGenesis> {
  return {
    bridge: { ...l1Addresses(l2, l1ChainId), gameType: PERMISSIONED, bond: 0n },
    contracts: await l1Contracts(l2, l1ChainId),
  }
}

/** Thrown if the contracts of the forked networks are not those of an L2 of the OP Stack and of its L1. */
export class NoBridge extends Error {}

/**
 * Reads the bridge of a forked L2 on its forked L1. The respected games get preseal's implementation of a game, because
 * nobody plays them on a fork. Rejects with `NoBridge`.
 */
export async function forkedBridge(l2: ForkedNetwork, l1: ForkedNetwork): Promise<BridgeGenesis> {
  const [messenger] = await callsTo(l2, BigInt(L2_CROSS_DOMAIN_MESSENGER), ['otherMessenger()'])
  const [portal] = await callsTo(l1, messenger!, ['portal()'])
  const getters = ['disputeGameFactory()', 'systemConfig()', 'respectedGameType()']
  const [factory, systemConfig, gameType] = await callsTo(l1, portal!, getters)
  const [game, bond] = await callsTo(l1, factory!, ['gameImpls(uint32)', 'initBonds(uint32)'], gameType)
  // Portals of older versions have no registry.
  const [registry] = await callsTo(l1, portal!, ['anchorStateRegistry()']).catch(() => [0n])
  return {
    bridge: {
      optimismPortal2: addressIn(portal!),
      systemConfig: addressIn(systemConfig!),
      disputeGameFactory: addressIn(factory!),
      gameType: gameType!,
      bond: bond!,
    },
    contracts: [
      { address: addressIn(game!), code: await disputeGame(gameType!, addressIn(registry!)) },
      PROPOSER_ACCOUNT,
    ],
  }
}

/** Returns the results of getters of a contract at the fork block, as numbers. They all get `argument`, if there is one. */
async function callsTo(
  network: ForkedNetwork,
  contract: bigint,
  getters: readonly string[],
  argument?: bigint,
): Promise<readonly bigint[]> {
  const to = addressIn(contract)
  const block = encodeQuantity(network.block.number)
  const requests = getters.map((getter) => {
    const selector = toHex(keccak256(new TextEncoder().encode(getter)).subarray(0, 4))
    const data = argument === undefined ? selector : `${selector}${toDigits(toWord(argument))}`
    return { method: 'eth_call', params: [{ to, data }, block], isImmutable: true }
  })
  const answers = await network.node.send(requests)
  return answers.map((answer, index) => {
    if ('result' in answer && /^0x[0-9a-f]{64}$/i.test(String(answer.result)))
      return BigInt(String(answer.result))
    throw new NoBridge(`${getters[index]} of ${to} on ${network.name} has no result`)
  })
}

function addressIn(word: bigint): Address {
  return `0x${toDigits(toWord(word)).slice(-40)}`
}
