/** The contracts on L1 with which an L2 communicates. Their addresses are known, or read from a forked network. */
import { type Address, EMPTY_BYTES, fromHex, type Hex, toDigits, toHex, toWord } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Predeploy } from '../model/bytecode/predeploys.ts'
import { l1Addresses } from '../model/l2/l1Addresses.ts'
import { L2_CROSS_DOMAIN_MESSENGER, type L2Chain } from '../model/l2/l2.ts'
import type { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { disputeGame, l1Contracts, PROPOSER_ACCOUNT } from './l1Contracts.ts'
import { addressAt, wordAt } from './messageContent.ts'

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
  const [messenger] = await callsTo(l2, L2_CROSS_DOMAIN_MESSENGER, ['otherMessenger()'])
  const [portal] = await callsTo(l1, addressAt(messenger!, 0), ['portal()'])
  const optimismPortal2 = addressAt(portal!, 0)
  const getters = ['disputeGameFactory()', 'systemConfig()', 'respectedGameType()']
  const [factory, systemConfig, type] = await callsTo(l1, optimismPortal2, getters)
  const [disputeGameFactory, gameType] = [addressAt(factory!, 0), wordAt(type!, 0)]
  const ofType = ['gameImpls(uint32)', 'initBonds(uint32)']
  const [game, bond] = await callsTo(l1, disputeGameFactory, ofType, gameType)
  // Contracts of older versions have neither of these.
  const [registry] = await callsTo(l1, optimismPortal2, ['anchorStateRegistry()']).catch(() => [EMPTY_BYTES])
  const [args] = await callsTo(l1, disputeGameFactory, ['gameArgs(uint32)'], gameType).catch(() => [
    EMPTY_BYTES,
  ])
  const code = await disputeGame({
    gameType,
    registry: addressAt(registry!, 0),
    gameArgsLength: wordAt(args!, 1),
  })
  return {
    bridge: {
      optimismPortal2,
      systemConfig: addressAt(systemConfig!, 0),
      disputeGameFactory,
      gameType,
      bond: wordAt(bond!, 0),
    },
    contracts: [{ address: addressAt(game!, 0), code }, PROPOSER_ACCOUNT],
  }
}

/** Returns the results of getters of a contract at the fork block. They all get `argument`, if there is one. */
async function callsTo(
  network: ForkedNetwork,
  to: Address,
  getters: readonly string[],
  argument?: bigint,
): Promise<readonly Uint8Array[]> {
  const block = encodeQuantity(network.block.number)
  const requests = getters.map((getter) => {
    const selector = toHex(keccak256(new TextEncoder().encode(getter)).subarray(0, 4))
    const data = argument === undefined ? selector : `${selector}${toDigits(toWord(argument))}`
    return { method: 'eth_call', params: [{ to, data }, block], isImmutable: true }
  })
  const answers = await network.node.send(requests)
  return answers.map((answer, index) => {
    const result = 'result' in answer ? String(answer.result) : ''
    if (/^0x([0-9a-f]{64})+$/i.test(result)) return fromHex(result as Hex)
    throw new NoBridge(`${getters[index]} of ${to} on ${network.name} has no result`)
  })
}
