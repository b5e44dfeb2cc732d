/** cast, Foundry's command line: transactions that it sends to a devnet, finds again and replays, and raw requests. */
import {
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseEther,
  toFunctionSelector,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { balanceSlot, type Cast, castAt, isCastHere, prepareForks } from '../support/clients/cast.ts'
import { clientOf, deploy, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

/** What `cast send` answers, and `cast receipt`. */
interface Receipt {
  readonly transactionHash: Hex
  readonly contractAddress: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
}

describe.skipIf(!isCastHere)('cast', () => {
  const forkedContracts = prepareForks()

  /** A fork, and its first two accounts. */
  async function forked() {
    const { devnet, ...rest } = await forkedContracts()
    const [alice, bob] = devnet.accounts
    return { devnet, alice: alice!, bob: bob!, byAlice: ['--private-key', alice!.privateKey], ...rest }
  }

  async function send(cast: Cast, ...args: readonly (string | number)[]): Promise<Receipt> {
    return JSON.parse(await cast('send', '--json', ...args))
  }

  describe('sends', () => {
    it('money, which the sender loses with what the gas costs', async () => {
      const { cast, alice, byAlice } = await forked()
      const before = BigInt(await cast('balance', alice.address))
      const receipt = await send(cast, STRANGER, '--value', '1ether', ...byAlice)
      expect(receipt).toMatchObject({
        type: '0x2',
        status: '0x1',
        from: alice.address.toLowerCase(),
        to: STRANGER,
        blockNumber: '0x5',
        blockHash: await cast('block', 5, '-f', 'hash'),
        gasUsed: '0x5208',
        logs: [],
        contractAddress: null,
      })
      expect(await cast('balance', STRANGER)).toBe(`${parseEther('1')}`)
      const fee = 21_000n * BigInt(receipt.effectiveGasPrice)
      expect(await cast('balance', alice.address)).toBe(`${before - parseEther('1') - fee}`)
    })

    it('one after the other', async () => {
      const { cast, alice, byAlice } = await forked()
      for (let count = 0; count < 3; count++) await send(cast, STRANGER, '--value', 1, ...byAlice)
      expect(await cast('balance', STRANGER)).toBe('3')
      expect(await cast('nonce', alice.address)).toBe('7')
    })

    it('two within a block, where it is told to count those that are pre-confirmed', async () => {
      const devnet = await started({ rhythm: 'manual' })
      const cast = castAt((await devnet.listen({ port: 0 })).url)
      const { address, privateKey } = devnet.accounts[0]!
      const pay = async () => {
        const nonce = await cast('nonce', '--block', 'pending', address)
        const payment = [STRANGER, '--value', 1, '--private-key', privateKey, '--nonce', nonce]
        await cast('send', '--async', ...payment)
      }
      await pay()
      // Without a nonce it takes that of latest, and so sends the same again.
      const again = cast('send', '--async', STRANGER, '--value', 1, '--private-key', privateKey)
      await expect(again).rejects.toThrow('already known')
      await pay()
      await devnet.mine()
      expect(await cast('balance', STRANGER)).toBe('2')
    })

    it('with the key in the devnet, or none at all', async () => {
      const { cast, bob } = await forked()
      await send(cast, '--unlocked', '--from', bob.address, STRANGER, '--value', '1ether')
      await cast('rpc', 'anvil_impersonateAccount', STRANGER)
      await send(cast, '--unlocked', '--from', STRANGER, bob.address, '--value', '0.5ether')
      expect(await cast('nonce', STRANGER)).toBe('1')
    })

    it('a contract with the arguments of its constructor', async () => {
      const { cast, alice, byAlice } = await forked()
      const signature = ['constructor(string,string)', 'Silver', 'SLVR']
      const { contractAddress } = await send(cast, ...byAlice, '--create', Token.bytecode, ...signature)
      expect(contractAddress).toBe(
        getContractAddress({ from: alice.address as Hex, nonce: 4n }).toLowerCase(),
      )
      expect(await cast('code', contractAddress)).toBe(Token.deployedBytecode)
      expect(await cast('call', contractAddress, 'symbol()(string)')).toBe('"SLVR"')
    })

    it('calls of a function, with just the gas that was estimated', async () => {
      const { cast, alice, byAlice, token } = await forked()
      const mint = [token, 'mint(address,uint256)', STRANGER, 42]
      const gas = await cast('estimate', ...mint, '--from', alice.address)
      const receipt = await send(cast, ...mint, ...byAlice, '--gas-limit', gas)
      expect(receipt).toMatchObject({ status: '0x1', logs: [{ address: token }] })
      expect(BigInt(receipt.gasUsed)).toBe(BigInt(gas))
      expect(await cast('call', token, 'balanceOf(address)(uint256)', STRANGER)).toBe('42')
      expect(await cast('estimate', STRANGER, '--value', 1)).toBe('21000')
    })

    it('transactions of each type', async () => {
      const { cast, alice, byAlice, store } = await forked()
      const payment = [STRANGER, '--value', 1, ...byAlice]
      expect(await send(cast, ...payment, '--legacy')).toMatchObject({ type: '0x0', status: '0x1' })
      const list = JSON.stringify([{ address: store, storageKeys: [] }])
      expect(await send(cast, ...payment, '--legacy', '--access-list', list)).toMatchObject({ type: '0x1' })
      expect(await send(cast, ...payment, '--auth', store)).toMatchObject({ type: '0x4', status: '0x1' })
      expect(await cast('code', alice.address)).toBe(`0xef0100${store.slice(2)}`)
    })

    it('with the access list that it asks for, and uses the gas that comes with it', async () => {
      const { cast, alice, byAlice, token } = await forked()
      const mint = [token, 'mint(address,uint256)', STRANGER, 42]
      const { accessList, gasUsed } = JSON.parse(
        await cast('access-list', '--json', ...mint, '--from', alice.address),
      )
      // It reads the owner, adds to the supply and to the balance.
      const storageKeys = [pad('0x2', { size: 32 }), pad('0x3', { size: 32 }), balanceSlot(STRANGER)]
      expect(accessList).toEqual([{ address: token, storageKeys }])
      const receipt = await send(cast, ...mint, ...byAlice, '--access-list')
      expect(receipt.gasUsed).toBe(gasUsed)
      expect(JSON.parse(await cast('tx', receipt.transactionHash, '--json'))).toMatchObject({ accessList })
    })

    it('what it signed before', async () => {
      const { cast, byAlice } = await forked()
      const raw = (await cast('mktx', STRANGER, '--value', 1, ...byAlice)) as Hex
      expect(await cast('publish', '--async', raw)).toBe(keccak256(raw))
      expect(await cast('balance', STRANGER)).toBe('1')
      await expect(cast('publish', raw)).rejects.toThrow('nonce too low')
    })
  })

  describe('hears why', () => {
    it('a revert is not sent, and is sent where gas is given', async () => {
      const { cast, byAlice, reverter } = await forked()
      const write = [reverter, 'writeThenRevertString()', ...byAlice]
      await expect(cast('send', ...write)).rejects.toThrow('Failed to estimate gas: server returned an error')
      const receipt = await send(cast, ...write, '--gas-limit', 100_000)
      expect(receipt).toMatchObject({ status: '0x0', logs: [] })
    })

    it('a transaction failed, in the words of the contract where the dialect is geth', async () => {
      const devnet = await started({ rhythm: 'instant', dialect: 'geth' })
      const cast = castAt((await devnet.listen({ port: 0 })).url)
      const reverter = await deploy(clientOf(devnet), Reverter)
      const byAlice = ['--private-key', devnet.accounts[0]!.privateKey, '--gas-limit', 100_000]
      const receipt = await send(cast, reverter, 'writeThenRevertString()', ...byAlice)
      // cast makes the call again at its block, and reads the reason from the text of the error.
      const revertReason = expect.stringContaining('Something went wrong')
      expect(receipt).toMatchObject({ status: '0x0', revertReason })
    })

    it('a transaction is refused', async () => {
      const { cast, byAlice } = await forked()
      const refusal = (...args: readonly (string | number)[]) =>
        expect(cast('send', STRANGER, '--gas-limit', 21_000, ...byAlice, ...args)).rejects
      await refusal('--value', 1, '--nonce', 0).toThrow('nonce too low: next nonce 4, tx nonce 0')
      await refusal('--value', '20000ether').toThrow('insufficient funds for gas * price + value')
    })
  })

  describe('finds', () => {
    it('a transaction, as fields and as the bytes that were signed', async () => {
      const { cast, alice, byAlice } = await forked()
      const hash = (await cast('send', '--async', STRANGER, '--value', 7, ...byAlice)) as Hex
      expect(JSON.parse(await cast('tx', hash, '--json'))).toMatchObject({
        hash,
        from: alice.address.toLowerCase(),
        to: STRANGER,
        value: '0x7',
        nonce: '0x4',
        chainId: '0x7a69',
        blockNumber: '0x5',
        transactionIndex: '0x0',
      })
      expect(keccak256((await cast('tx', hash, '--raw')) as Hex)).toBe(hash)
      expect(await cast('tx', hash, 'value')).toBe('7')
      const fourth = ['--from', alice.address, '--nonce', 4]
      expect(JSON.parse(await cast('tx', '--json', ...fourth))).toMatchObject({ hash })
      await expect(cast('tx', ZERO_HASH)).rejects.toThrow('tx not found')
    })

    it('a receipt, which is what sending answered', async () => {
      const { cast, byAlice, token } = await forked()
      const receipt = await send(cast, token, 'mint(address,uint256)', STRANGER, 42, ...byAlice)
      const { transactionHash } = receipt
      expect(JSON.parse(await cast('receipt', transactionHash, '--json'))).toEqual(receipt)
      expect(await cast('receipt', transactionHash, 'status')).toBe('true')
      await expect(cast('receipt', '--async', ZERO_HASH)).rejects.toThrow('tx not found')
    })

    it('what waits in the pool', async () => {
      const { cast, alice, byAlice } = await forked()
      await cast('rpc', 'evm_setAutomine', 'false')
      const hash = await cast('send', '--async', STRANGER, '--value', 7, ...byAlice)
      expect(JSON.parse(await cast('tx-pool status'))).toEqual({ pending: '0x1', queued: '0x0' })
      const { pending } = JSON.parse(await cast('tx-pool content'))
      expect(pending).toMatchObject({ [alice.address.toLowerCase()]: { 4: { hash, value: '0x7' } } })
    })
  })

  describe('replays', () => {
    it('a transaction, in a machine of its own with the state it fetches', async () => {
      const { cast, byAlice, token } = await forked()
      const mint = [token, 'mint(address,uint256)', STRANGER, 42]
      const { transactionHash, gasUsed } = await send(cast, ...mint, ...byAlice)
      const trace = await cast('run', transactionHash)
      expect(trace).toContain('mint(0x0000000000000000000000000000000000005555, 42)')
      expect(trace).toContain('emit Transfer(from: 0x0000000000000000000000000000000000000000, to: ')
      expect(trace).toContain(`Transaction successfully executed.\nGas used: ${BigInt(gasUsed)}`)
    })

    it('a transaction behind others of its block, without which it would have failed', async () => {
      const { cast, byAlice, bob, token } = await forked()
      await cast('rpc', 'evm_setAutomine', 'false')
      await cast('send', '--async', token, 'mint(address,uint256)', bob.address, 42, ...byAlice)
      const transfer = [token, 'transfer(address,uint256)', STRANGER, 42]
      const byBob = ['--private-key', bob.privateKey, '--gas-limit', 100_000]
      const hash = await cast('send', '--async', ...transfer, ...byBob)
      await cast('rpc', 'evm_mine')
      const gasUsed = await cast('receipt', hash, 'gasUsed')
      expect(await cast('run', hash)).toContain(`Transaction successfully executed.\nGas used: ${gasUsed}`)
      // InsufficientBalance(address,uint256,uint256)
      expect(await cast('run', '--quick', hash)).toContain('[Revert] custom error 0xdb42144d')
    })

    it('a transaction that failed, with the calls it made', async () => {
      const { cast, byAlice, reverter } = await forked()
      const nested = [reverter, 'writeThenNested(address)', reverter, ...byAlice, '--gas-limit', 100_000]
      const { transactionHash, gasUsed } = await send(cast, ...nested)
      const trace = await cast('run', transactionHash)
      const selector = toFunctionSelector('revertCustom(uint256)').slice(2)
      expect(trace).toContain(`::${selector}(${numberToHex(7, { size: 32 }).slice(2)}) [staticcall]`)
      expect(trace).not.toContain('Transaction successfully executed.')
      expect(trace).toContain(`Gas used: ${BigInt(gasUsed)}`)
      const call = { callType: 'call', to: reverter }
      expect(JSON.parse(await cast('trace', transactionHash))).toMatchObject([
        { type: 'call', action: call, traceAddress: [], subtraces: 1, error: 'Reverted' },
        { type: 'call', action: { ...call, callType: 'staticcall' }, traceAddress: [0], error: 'Reverted' },
      ])
    })
  })

  describe('requests', () => {
    it('any method, with parameters as words or as JSON', async () => {
      const { cast } = await forked()
      await cast('rpc', 'anvil_setBalance', STRANGER, '0x10')
      expect(await cast('rpc', 'eth_getBalance', STRANGER, 'latest')).toBe('"0x10"')
      expect(await cast('rpc', '--raw', 'eth_getBalance', JSON.stringify([STRANGER, 'latest']))).toBe(
        '"0x10"',
      )
      await expect(cast('rpc', 'eth_nonsense')).rejects.toThrow('error code -32601: the method eth_nonsense')
    })

    it('anvil_mine, once and many times', async () => {
      // On a clock that stands still: a block of a running clock is a second later where the second has just ended.
      const { cast } = await forkedContracts('manual')
      expect(await cast('rpc', 'anvil_mine')).toBe('null')
      expect(await cast('block-number')).toBe('5')
      await cast('rpc', 'anvil_mine', 3, 60)
      expect(await cast('block-number')).toBe('8')
      const [sixth, eighth] = [
        await cast('block', 6, '-f', 'timestamp'),
        await cast('block', 8, '-f', 'timestamp'),
      ]
      expect(Number(eighth) - Number(sixth)).toBe(120)
    })

    it('a snapshot, and goes back to it', async () => {
      const { cast, byAlice } = await forked()
      const id = JSON.parse(await cast('rpc', 'evm_snapshot'))
      await send(cast, STRANGER, '--value', 1, ...byAlice)
      expect(await cast('rpc', 'evm_revert', id)).toBe('true')
      expect(await cast('balance', STRANGER)).toBe('0')
      expect(await cast('block-number')).toBe('4')
    })
  })

  it('works over WebSocket as over HTTP', async () => {
    const { cast, castOverWebSocket, byAlice } = await forked()
    const receipt = await send(castOverWebSocket, STRANGER, '--value', 1, ...byAlice)
    expect(JSON.parse(await cast('receipt', receipt.transactionHash, '--json'))).toEqual(receipt)
    expect(await castOverWebSocket('balance', STRANGER)).toBe('1')
  })

  it('moves the tokens of a contract by their standard', async () => {
    const { cast, alice, bob, byAlice, token } = await forked()
    await send(cast, token, 'mint(address,uint256)', alice.address, 42, ...byAlice)
    await cast('erc20 transfer', token, bob.address, 2, ...byAlice)
    expect(await cast('erc20 balance', token, bob.address)).toBe('2')
    await cast('erc20 approve', token, bob.address, 40, ...byAlice)
    expect(await cast('erc20 allowance', token, alice.address, bob.address)).toBe('40')
    expect(await cast('erc20 total-supply', token)).toBe('42')
  })

  it('sees under pending what is pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'manual', receipts: 'preconfirmed' })
    const cast = castAt((await devnet.listen({ port: 0 })).url)
    const [{ address, privateKey }] = devnet.accounts as [(typeof devnet.accounts)[0]]
    const payment = ['--async', STRANGER, '--value', 7, '--private-key', privateKey] as const
    const hash = await cast('send', ...payment)
    await devnet.tick()
    expect(await cast('balance', STRANGER)).toBe('0')
    expect(await cast('balance', STRANGER, '--block', 'pending')).toBe('7')
    expect(await cast('receipt', hash, 'blockHash', '--async')).toBe(ZERO_HASH)
    // Left to itself, cast takes the nonce of `latest`.
    await cast('send', ...payment, '--nonce', await cast('nonce', address, '--block', 'pending'))
    await devnet.mine()
    expect(await cast('balance', STRANGER)).toBe('14')
    expect(await cast('receipt', hash, 'blockHash')).toBe(await cast('block', 1, '-f', 'hash'))
  })
})
