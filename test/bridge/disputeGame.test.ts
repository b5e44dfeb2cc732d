/** preseal's dispute game, behind the calldata of the factories of the OP Stack. */
import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { DisputeGame } from '../../fixtures/contracts/DisputeGame.ts'
import { disputeGame } from '../../src/bridge/l1Contracts.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, started } from '../support/clients/clients.ts'

const GAME = '0x00000000000000000000000000000000000000a0'
const CREATOR = '0x00000000000000000000000000000000000000c0'
const REGISTRY = '0x00000000000000000000000000000000000000e0'
const ROOT: Hex = `0x${'12'.repeat(32)}`
const L1_HEAD: Hex = `0x${'34'.repeat(32)}`
/** CANNON. */
const TYPE = 0
const BLOCK = 77n

/** The data that a clone appends (ethereum-optimism/optimism, `DisputeGameFactory.create`), with its length as in Solady. */
function appended(data: Hex): Hex {
  return concatHex([data, toHex(data.length / 2 - 1 + 2, { size: 2 })])
}

const NUMBER = toHex(BLOCK, { size: 32 })
const plain = appended(
  encodePacked(['address', 'bytes32', 'bytes32', 'bytes'], [CREATOR, ROOT, L1_HEAD, NUMBER]),
)

function withGameArgs(extraData: Hex): Hex {
  const types = ['address', 'bytes32', 'bytes32', 'uint32', 'bytes', 'bytes'] as const
  return appended(encodePacked(types, [CREATOR, ROOT, L1_HEAD, TYPE, extraData, `0x${'99'.repeat(124)}`]))
}

async function placed(gameArgsLength = 0n): Promise<Devnet> {
  const devnet = await started({ rhythm: 'manual' })
  await ask(
    devnet,
    'anvil_setCode',
    GAME,
    await disputeGame({ gameType: BigInt(TYPE), registry: REGISTRY, gameArgsLength }),
  )
  return devnet
}

type Getter = Extract<(typeof DisputeGame.abi)[number], { stateMutability: 'view' | 'pure' }>['name']

async function read(devnet: Devnet, functionName: Getter, args: Hex): Promise<unknown> {
  const call = encodeFunctionData({ abi: DisputeGame.abi, functionName } as never)
  const data = await ask<Hex>(devnet, 'eth_call', { to: GAME, data: concatHex([call, args]) })
  return decodeFunctionResult({ abi: DisputeGame.abi, functionName, data } as never)
}

describe('the dispute game', () => {
  it.each([
    ['without gameArgs', plain, NUMBER, 0n],
    ['with gameArgs', withGameArgs(NUMBER), NUMBER, 124n],
    ['with longer extra data', withGameArgs(`${NUMBER}abcdef`), `${NUMBER}abcdef`, 124n],
  ])('reads what the factory appends, %s', async (_, args, extraData, gameArgsLength) => {
    const devnet = await placed(gameArgsLength)
    expect(await read(devnet, 'gameCreator', args)).toBe(getAddress(CREATOR))
    expect(await read(devnet, 'l1Head', args)).toBe(L1_HEAD)
    expect(await read(devnet, 'l2SequenceNumber', args)).toBe(BLOCK)
    expect(await read(devnet, 'gameData', args)).toEqual([TYPE, ROOT, extraData])
    expect(await read(devnet, 'anchorStateRegistry', args)).toBe(getAddress(REGISTRY))
  })

  it('keeps the result of a game that the network has resolved', async () => {
    const devnet = await placed()
    expect(await read(devnet, 'status', plain)).toBe(2)
    // The first slot of FaultDisputeGame: createdAt, resolvedAt, and the status, here CHALLENGER_WINS.
    const slot = toHex((1n << 128n) | (200n << 64n) | 100n, { size: 32 })
    await ask(devnet, 'anvil_setStorageAt', GAME, '0x0', slot)
    expect(await read(devnet, 'status', plain)).toBe(1)
    expect(await read(devnet, 'resolvedAt', plain)).toBe(200n)
  })
})
