/** What ethers makes of refusals and reverts: its own codes, decoded, in both dialects and over each way. */
import {
  type Contract,
  ContractFactory,
  type JsonRpcApiProvider,
  type JsonRpcSigner,
  parseUnits,
  Wallet,
} from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { connectedEthers, deployed, type EthersWay, inProcess, overHttp } from '../support/clients/ethers.ts'

const payment = { to: STRANGER, value: 1n }

/** A socket would tell the same: what is answered does not depend on it. */
const WAYS: readonly EthersWay[] = [overHttp, inProcess]

describe.each(WAYS)('ethers $name', (way) => {
  describe.each(['base', 'geth'] as const)(
    'says, in the dialect %s, why a transaction was refused:',
    (dialect) => {
      const connected = (rhythm: 'instant' | 'manual' = 'instant') =>
        connectedEthers(way, { dialect, rhythm, balance: parseUnits('1', 'ether') })

      it('for want of money', async () => {
        const { provider } = await connected()
        const refusal = { code: 'INSUFFICIENT_FUNDS' }
        const rich = { to: STRANGER, value: parseUnits('2', 'ether') }
        const poor = new Wallet(`0x${'11'.repeat(32)}`, provider)
        const signer = await provider.getSigner(0)
        for (const runner of [poor, signer]) {
          await expect(runner.estimateGas(rich)).rejects.toMatchObject(refusal)
          await expect(runner.sendTransaction(rich)).rejects.toMatchObject(refusal)
          await expect(runner.sendTransaction({ ...rich, gasLimit: 21_000n })).rejects.toMatchObject(refusal)
        }
      })

      it('for a nonce that was used', async () => {
        const { provider, wallet } = await connected()
        await wallet.sendTransaction(payment)
        for (const runner of [wallet, await provider.getSigner(0)]) {
          const sending = runner.sendTransaction({ ...payment, nonce: 0, value: 2n })
          await expect(sending).rejects.toMatchObject({ code: 'NONCE_EXPIRED' })
        }
      })

      it('for replacing another too cheaply', async () => {
        const { provider, wallet } = await connected('manual')
        await wallet.sendTransaction({ ...payment, nonce: 0 })
        for (const runner of [wallet, await provider.getSigner(0)]) {
          const sending = runner.sendTransaction({ ...payment, nonce: 0, value: 2n })
          await expect(sending).rejects.toMatchObject({ code: 'REPLACEMENT_UNDERPRICED' })
        }
      })

      it('in words, where ethers has no code', async () => {
        const { provider, wallet } = await connected('manual')
        const raw = await wallet.signTransaction(await wallet.populateTransaction(payment))
        await provider.broadcastTransaction(raw)
        await expect(provider.broadcastTransaction(raw)).rejects.toThrow('already known')
        await expect(wallet.sendTransaction({ ...payment, gasLimit: 20_000n })).rejects.toThrow(
          'intrinsic gas too low',
        )
        const from = STRANGER
        const unknown = provider.send('eth_sendTransaction', [{ from, to: from }])
        await expect(unknown).rejects.toMatchObject({ code: 'UNKNOWN_ERROR', error: { code: -32000 } })
        await expect(provider.send('eth_misspelt', [])).rejects.toMatchObject({
          code: 'UNSUPPORTED_OPERATION',
        })
      })
    },
  )

  describe.each(['base', 'geth'] as const)('decodes, in the dialect %s,', (dialect) => {
    let devnet: Devnet
    let provider: JsonRpcApiProvider
    let wallet: Wallet
    let signer: JsonRpcSigner
    let contract: Contract
    beforeAll(async () => {
      devnet = await createDevnet({ rhythm: 'instant', dialect })
      provider = await way.connect(devnet)
      wallet = new Wallet(devnet.accounts[0]!.privateKey, provider)
      signer = await provider.getSigner(0)
      contract = await deployed(Reverter, wallet)
    })
    afterAll(async () => {
      provider.destroy()
      await devnet.close()
    })

    /** The errors of the same failure when it is read, estimated, and sent by a wallet and by an unlocked account. */
    async function errors(name: string, ...args: unknown[]) {
      const method = contract.getFunction(name)
      const unlocked = contract.connect(signer).getFunction(name)
      const failures = [method.staticCall, method.estimateGas, method.send, unlocked.send]
      return Promise.all(
        failures.map((failing) =>
          failing(...args).then(
            () => expect.unreachable(`${name} succeeded`),
            (error) => error,
          ),
        ),
      )
    }

    function fourTimes(expected: object) {
      return Array.from({ length: 4 }, () => expect.objectContaining({ code: 'CALL_EXCEPTION', ...expected }))
    }

    it('a string', async () => {
      const found = await errors('revertString')
      const reason = 'Something went wrong'
      const revert = { name: 'Error', args: [reason], signature: 'Error(string)' }
      expect(found).toEqual(
        fourTimes({ reason, revert, shortMessage: 'execution reverted: "Something went wrong"' }),
      )
    })

    it('a custom error with its arguments', async () => {
      const found = await errors('revertCustom', 7n)
      const [read, ...others] = found
      const args = [7n, wallet.address]
      expect(read.revert).toMatchObject({ name: 'Custom', args })
      // Where the call is not its own, ethers leaves it to its users to look the error up.
      for (const { data } of others)
        expect(contract.interface.parseError(data)).toMatchObject({ name: 'Custom', args })
    })

    it('a custom error of a call deeper down', async () => {
      const calling = contract.nested!(contract)
      await expect(calling).rejects.toMatchObject({ revert: { name: 'Custom', args: [7n, contract.target] } })
    })

    it.each([
      ['panicAssert', 0x01, 'ASSERT_FALSE'],
      ['panicOverflow', 0x11, 'OVERFLOW'],
      ['panicDivide', 0x12, 'DIVIDE_BY_ZERO'],
      ['panicIndex', 0x32, 'ARRAY_RANGE_ERROR'],
    ])('the panic of %s', async (name, code, word) => {
      const found = await errors(name)
      const revert = { name: 'Panic', args: [code], signature: 'Panic(uint256)' }
      expect(found).toEqual(fourTimes({ revert, reason: expect.stringContaining(word) }))
    })

    it('a revert without data', async () => {
      const found = await errors('revertEmpty')
      expect(found).toEqual(
        fourTimes({ data: '0x', reason: 'require(false)', shortMessage: expect.stringContaining('no data') }),
      )
    })

    it('a revert with any bytes', async () => {
      const found = await errors('revertBytes', '0xdeadbeef01')
      expect(found).toEqual(fourTimes({ data: '0xdeadbeef01', revert: null }))
    })

    it('a failed deployment', async () => {
      // PUSH1 0 PUSH1 0 REVERT
      for (const runner of [wallet, signer]) {
        const deploying = new ContractFactory([], '0x60006000fd', runner).deploy()
        await expect(deploying).rejects.toMatchObject({ code: 'CALL_EXCEPTION', action: 'estimateGas' })
      }
    })

    it('and gives the receipt of a transaction that failed all the same', async () => {
      for (const runner of [wallet, signer]) {
        const method = contract.connect(runner).getFunction('writeThenRevertString')
        const sent = await method.send({ gasLimit: 100_000n })
        const failed = { code: 'CALL_EXCEPTION', receipt: { status: 0, hash: sent.hash, logs: [] } }
        await expect(sent.wait()).rejects.toMatchObject(failed)
      }
      expect(await contract.writes!()).toBe(0n)
    })

    it('what stops the machine, which is no revert', async () => {
      const halted = { code: 'CALL_EXCEPTION', data: null, shortMessage: 'missing revert data' }
      await expect(contract.invalidOpcode!()).rejects.toMatchObject(halted)
      await expect(contract.outOfGas!({ gasLimit: 100_000n })).rejects.toMatchObject(halted)
    })
  })
})
