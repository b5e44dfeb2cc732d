/** `preseal_getBridgeMessages` and its siblings: the messages between an L2 and its L1 as data. */
import { encodeFunctionData, getAddress, type Hex, parseAbi, parseEther } from 'viem'
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import type { RpcBridge, RpcBridgeMessage, RpcEpochs } from '../../src/wire/bridgeMessages.ts'
import {
  bridged,
  bridgedToken,
  derived,
  EPOCH,
  finalized,
  initiated,
  OP_ON_L1,
  proven,
  statusOf,
} from '../support/clients/bridge.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const ETHER = parseEther('1')
const L2_BRIDGE = '0x4200000000000000000000000000000000000010'

const abi = parseAbi([
  'function depositERC20(address l1Token, address l2Token, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function depositETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20(address localToken, address remoteToken, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
])

type Bridged = Awaited<ReturnType<typeof bridged>>
interface Messages {
  readonly total: Hex
  readonly messages: readonly RpcBridgeMessage[]
}

interface Output {
  readonly blockRef: { readonly l1origin: { readonly number: number } }
}

async function messages(devnet: Devnet, part?: object): Promise<readonly RpcBridgeMessage[]> {
  return (await ask<Messages>(devnet, 'preseal_getBridgeMessages', part)).messages
}

async function newest(devnet: Devnet): Promise<RpcBridgeMessage> {
  return (await messages(devnet))[0]!
}

/** Sends a deposit of one ether to `to`, which waits on L1. With gas for any block: the portal burns more after a first deposit. */
async function deposit({ clientL1, clientL2 }: Bridged, to: Hex = STRANGER): Promise<Hex> {
  const built = await clientL2.buildDepositTransaction({ mint: ETHER, to, gas: 200_000n })
  return clientL1.depositTransaction({ ...built, gas: 900_000n })
}

/** Calls a contract of the L1. The L1 seals the call, and the L2 the block that is derived. */
async function onL1({ l2, clientL1 }: Bridged, to: Hex, functionName: string, args: unknown[], value = 0n) {
  const data = encodeFunctionData({ abi: [...abi, ...Token.abi], functionName, args } as never)
  await derived(l2, await clientL1.sendTransaction({ to, data, value, gas: 900_000n }))
  await l2.mine(2)
}

function seconds(quantity: Hex | null): bigint {
  return BigInt(quantity!)
}

describe('a deposit', () => {
  it('waits for the L2 block with its L1 origin, and is then pre-confirmed and sealed', async () => {
    const pair = await bridged()
    const hash = await deposit(pair)
    expect(await messages(pair.l2)).toEqual([])
    await pair.l1.mine()
    const waiting = await newest(pair.l2)
    expect(waiting).toMatchObject({
      kind: 'deposit',
      status: 'waiting-for-l2',
      steps: [{ name: 'deposited' }],
    })
    await pair.l2.tick()
    const [l2Hash] = getL2TransactionHashes(await pair.clientL1.getTransactionReceipt({ hash }))
    const onL2 = {
      name: 'derived',
      chain: 'l2',
      transactionHash: l2Hash,
      blockNumber: '0x1',
      status: 'success',
    }
    const preconfirmed = await newest(pair.l2)
    expect(preconfirmed).toMatchObject({ status: 'success', steps: [{}, { ...onL2, state: 'preconfirmed' }] })
    await pair.l2.seal()
    expect(await newest(pair.l2)).toEqual({
      kind: 'deposit',
      status: 'success',
      nextStepAt: null,
      id: l2Hash,
      from: pair.account.address.toLowerCase(),
      to: STRANGER,
      value: '0xde0b6b3a7640000',
      mint: '0xde0b6b3a7640000',
      token: null,
      steps: [
        {
          ...{ name: 'deposited', chain: 'l1', transactionHash: hash, blockNumber: '0x1' },
          ...{ timestamp: waiting.steps[0]!.timestamp, state: 'sealed', status: 'success' },
        },
        { ...onL2, timestamp: preconfirmed.steps[1]!.timestamp, state: 'sealed' },
      ],
    })
  })

  it('has failed if its call reverts', async () => {
    const pair = await bridged()
    const deploying = pair.l2.deploy(Reverter)
    await pair.l2.mine()
    const { address } = await deploying
    await derived(pair.l2, await deposit(pair, address))
    expect(await newest(pair.l2)).toMatchObject({ status: 'failed', steps: [{}, { status: 'failed' }] })
  })

  it('has failed if the messenger of the L2 could not relay it', async () => {
    const pair = await bridged()
    const deploying = pair.l2.deploy(Reverter)
    await pair.l2.mine()
    const { address } = await deploying
    await onL1(pair, OP_ON_L1.messenger, 'sendMessage', [address, '0x12345678', 200_000])
    const { status, from, to } = await newest(pair.l2)
    expect({ status, from: getAddress(from), to }).toEqual({
      status: 'failed',
      from: pair.account.address,
      to: address.toLowerCase(),
    })
  })

  it('is removed by a reorg, until the L1 has it again', async () => {
    const pair = await bridged()
    await deposit(pair)
    await pair.l2.advance(EPOCH)
    await pair.l1.faults.reorg({ depth: 1, transactions: 'wait' })
    const step = { name: 'deposited', state: 'removed' }
    expect(await messages(pair.l2)).toMatchObject([{ kind: 'deposit', status: 'removed', steps: [step] }])
    await pair.l2.advance(EPOCH)
    expect(await messages(pair.l2)).toMatchObject([{ status: 'success', steps: [{ state: 'sealed' }, {}] }])
  })

  it.each(['depositETHTo', 'depositERC20'] as const)(
    'by %s of the standard bridge is shown as what it transfers',
    async (functionName) => {
      const pair = await bridged()
      const { l1Token, l2Token } = await bridgedToken(pair)
      await onL1(pair, l1Token, 'mint', [pair.account.address, 1_000n])
      await onL1(pair, l1Token, 'approve', [OP_ON_L1.bridge, 400n])
      const user = pair.account.address.toLowerCase()
      if (functionName === 'depositETHTo') {
        await onL1(pair, OP_ON_L1.bridge, functionName, [STRANGER, 200_000, '0x'], 5n)
        expect(await newest(pair.l2)).toMatchObject({ from: user, to: STRANGER, value: '0x5', token: null })
        return
      }
      await onL1(pair, OP_ON_L1.bridge, functionName, [l1Token, l2Token, 400n, 200_000, '0x'])
      const token = { l1: l1Token.toLowerCase(), l2: l2Token, amount: '0x190' }
      expect(await newest(pair.l2)).toMatchObject({
        status: 'success',
        from: user,
        to: user,
        value: '0x0',
        token,
      })
    },
  )
})

describe('a withdrawal', () => {
  it('has the status of getWithdrawalStatus, and the time of the next step', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    const [withdrawal] = getWithdrawals(receipt)
    const status = async () => {
      const message = await newest(pair.l2)
      expect(message.status).toBe(await statusOf(pair, receipt))
      return message
    }
    const waiting = await status()
    expect(waiting).toMatchObject({
      ...{ kind: 'withdrawal', status: 'waiting-to-prove', id: withdrawal!.withdrawalHash },
      ...{ from: pair.account.address.toLowerCase(), to: STRANGER, value: '0xde0b6b3a7640000' },
      ...{ mint: null, token: null },
    })
    await pair.l2.advance(EPOCH)
    const ready = await status()
    expect(ready).toMatchObject({ status: 'ready-to-prove', nextStepAt: null })
    expect(ready.steps[1]).toMatchObject({ name: 'proposed', chain: 'l1', timestamp: waiting.nextStepAt })

    await proven(pair, receipt)
    const { nextStepAt } = await status()
    const at = seconds(nextStepAt)
    await pair.l1.setTime(at - 1n)
    await pair.l1.mine()
    expect(await status()).toMatchObject({ status: 'waiting-to-finalize', nextStepAt })
    await pair.l1.setTime(at)
    await pair.l1.mine()
    expect(await status()).toMatchObject({ status: 'ready-to-finalize', nextStepAt: null })

    await pair.l2.advance({ days: 8 })
    await finalized(pair, receipt)
    const { steps } = await status()
    expect(steps.map(({ name }) => name)).toEqual(['initiated', 'proposed', 'proven', 'finalized'])
    expect(steps.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success'])
  })

  it('is listed as soon as it is pre-confirmed', async () => {
    const pair = await bridged()
    const built = await pair.clientL1.buildInitiateWithdrawal({ value: ETHER, to: STRANGER })
    await pair.clientL2.initiateWithdrawal({ ...built, account: pair.account })
    await pair.l2.tick()
    const steps = [{ name: 'initiated', state: 'preconfirmed' }]
    expect(await messages(pair.l2)).toMatchObject([{ status: 'waiting-to-prove', nextStepAt: null, steps }])
  })

  it('whose proposal a reorg of the L1 dropped is proposed again', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await pair.l2.advance(EPOCH)
    await pair.l1.faults.reorg({ depth: 1, transactions: 'drop' })
    const { status, nextStepAt } = await newest(pair.l2)
    expect([status, await statusOf(pair, receipt)]).toEqual(['waiting-to-prove', 'waiting-to-prove'])
    expect(nextStepAt).not.toBeNull()
    await pair.l2.advance(EPOCH)
    expect(await statusOf(pair, receipt)).toBe('ready-to-prove')
    expect((await newest(pair.l2)).status).toBe('ready-to-prove')
  })

  it('that the L1 could not execute is finalized, with a failed step', async () => {
    const pair = await bridged()
    const deploying = pair.l1.deploy(Reverter)
    await pair.l1.mine()
    const { address } = await deploying
    const receipt = await initiated(pair, { to: address, gas: 100_000n })
    await proven(pair, receipt)
    await pair.l2.advance({ days: 8 })
    await finalized(pair, receipt)
    const message = await newest(pair.l2)
    expect(message).toMatchObject({ status: 'finalized' })
    expect(message.steps.at(-1)).toMatchObject({ name: 'finalized', status: 'failed' })
  })

  it('of a token is shown as what it transfers', async () => {
    const pair = await bridged()
    const { l1Token, l2Token } = await bridgedToken(pair)
    const user = pair.account.address
    await onL1(pair, l1Token, 'mint', [user, 1_000n])
    await onL1(pair, l1Token, 'approve', [OP_ON_L1.bridge, 400n])
    await onL1(pair, OP_ON_L1.bridge, 'depositERC20', [l1Token, l2Token, 400n, 200_000, '0x'])
    const args = [l2Token, l1Token, 150n, 200_000, '0x'] as const
    const data = encodeFunctionData({ abi, functionName: 'bridgeERC20', args })
    await pair.clientL2.sendTransaction({ to: L2_BRIDGE, data })
    await pair.l2.mine()
    const token = { l1: l1Token.toLowerCase(), l2: l2Token, amount: '0x96' }
    const [from, to] = [user.toLowerCase(), user.toLowerCase()]
    const all = await messages(pair.l2)
    expect(all.find(({ kind }) => kind === 'withdrawal')).toMatchObject({ from, to, token })
  })

  it('has its statuses on a fork of both chains, too', async () => {
    const theirs = await bridged()
    await theirs.l2.advance({ minutes: 2 })
    const fork = { provider: theirs.l2 }
    const pair = await bridged({ fork, l1: { fork: { provider: theirs.l1 } } })
    expect(await messages(pair.l2)).toEqual([])
    const receipt = await initiated(pair)
    expect(await newest(pair.l2)).toMatchObject({ status: 'waiting-to-prove', to: STRANGER })
    await proven(pair, receipt)
    expect(await newest(pair.l2)).toMatchObject({ status: 'waiting-to-finalize' })
    await derived(pair.l2, await deposit(pair))
    await pair.l2.advance(EPOCH)
    expect(await newest(pair.l2)).toMatchObject({ kind: 'deposit', status: 'success' })
    const { epochs } = await ask<RpcEpochs>(pair.l2, 'preseal_listEpochs')
    expect(epochs.at(-1)!.blocks.at(-1)!.number).toBe(`0x${theirs.l2.latest.header.number.toString(16)}`)
  })

  it('is removed by a reorg of the L2', async () => {
    const pair = await bridged()
    await initiated(pair)
    await pair.l2.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await messages(pair.l2)).toMatchObject([{ status: 'removed', steps: [{ state: 'removed' }] }])
  })
})

describe('the list of messages', () => {
  it('has deposits and withdrawals, newest first, in parts, and is the same on both chains', async () => {
    const pair = await bridged()
    await derived(pair.l2, await deposit(pair))
    await pair.l2.advance(EPOCH)
    await initiated(pair)
    await pair.l2.advance(EPOCH)
    await derived(pair.l2, await deposit(pair))
    const all = await messages(pair.l2)
    expect(all.map(({ kind }) => kind)).toEqual(['deposit', 'withdrawal', 'deposit'])
    const part = await ask<Messages>(pair.l2, 'preseal_getBridgeMessages', { offset: 1, limit: 1 })
    expect(part).toEqual({ total: '0x3', messages: [all[1]] })
    expect(await messages(pair.l1)).toEqual(all)
  })

  it('is refused by a chain without an L1', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'preseal_getBridge')).toBeNull()
    for (const method of ['preseal_getBridgeMessages', 'preseal_listEpochs']) {
      await expect(ask(devnet, method)).rejects.toThrow('this method needs an L2 with its L1 (option l1)')
    }
  })
})

describe('the pair', () => {
  it('is named by both chains, with the URLs of their pages', async () => {
    const { l1, l2 } = await bridged()
    const pageUrl = null
    const portal = OP_ON_L1.portal.toLowerCase()
    const chains = { portal, l1: { chainId: '0x1', pageUrl }, l2: { chainId: '0xa', pageUrl } }
    expect(await ask(l2, 'preseal_getBridge')).toEqual({ chain: 'l2', ...chains })
    const listener = await l1.listen()
    const { chain, l1: here } = await ask<RpcBridge>(l1, 'preseal_getBridge')
    expect({ chain, pageUrl: here.pageUrl }).toEqual({ chain: 'l1', pageUrl: listener.pageUrl })
  })

  it('lists L1 blocks with the L2 blocks that are derived from each', async () => {
    const { l1, l2 } = await bridged()
    await l2.advance({ seconds: 36 })
    await l2.tick()
    await l1.mine()
    const { epochs, ...heads } = await ask<RpcEpochs>(l2, 'preseal_listEpochs')
    const [waiting, open, ...others] = epochs
    expect(waiting).toMatchObject({ number: '0x4', blockCount: '0x0', blocks: [] })
    expect(open).toMatchObject({ number: '0x3', blockCount: '0x1', blocks: [{ number: '0x13' }] })
    const origins = others.flatMap(({ number, blocks }) =>
      blocks.map((block) => [block.number, Number(number)]),
    )
    expect(origins).toHaveLength(19)
    for (const [number, origin] of origins) {
      const output = await ask<Output>(l2, 'optimism_outputAtBlock', number)
      expect(output.blockRef.l1origin.number).toBe(origin)
    }
    const { number: safe } = await ask<{ number: Hex }>(l2, 'eth_getBlockByNumber', 'safe', false)
    expect(heads.l2).toEqual({ latest: '0x12', safe, finalized: '0x0' })
    expect(heads.l1.latest).toBe('0x4')
    expect((await ask<RpcEpochs>(l2, 'preseal_listEpochs', { limit: 2 })).epochs).toHaveLength(2)
  })
})
