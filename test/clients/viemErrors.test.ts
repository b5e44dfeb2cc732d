/** What viem makes of refusals and reverts: its own typed errors, decoded, in both dialects and over each way. */
import {
  type BaseError,
  ContractFunctionRevertedError,
  ExecutionRevertedError,
  encodeFunctionData,
  FeeCapTooLowError,
  getAddress,
  type Hex,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  NonceMaxValueError,
  NonceTooLowError,
  parseGwei,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { type Client, connected, deploy, STRANGER, WAYS } from '../support/clients/clients.ts'

describe.each(WAYS)('viem $name', (way) => {
  describe('says why a transaction was refused', () => {
    const poor = privateKeyToAccount(`0x${'11'.repeat(32)}`)

    it('for want of money', async () => {
      const { client } = await connected(way)
      await causeOf(
        client.sendTransaction({ account: poor, to: STRANGER, value: 1n }),
        InsufficientFundsError,
      )
      await causeOf(
        client.sendTransaction({ account: poor, to: STRANGER, gas: 21_000n, value: 1n }),
        InsufficientFundsError,
      )
      await causeOf(client.estimateGas({ account: poor, to: STRANGER, value: 1n }), InsufficientFundsError)
      await causeOf(client.call({ account: poor, to: STRANGER, value: 1n }), InsufficientFundsError)
    })

    it('for a nonce that was used', async () => {
      const { client } = await connected(way)
      await client.sendTransaction({ to: STRANGER, value: 1n })
      await causeOf(client.sendTransaction({ to: STRANGER, value: 2n, nonce: 0 }), NonceTooLowError)
    })

    it('for being known', async () => {
      const { client } = await connected(way, { rhythm: 'manual' })
      const request = await client.prepareTransactionRequest({ to: STRANGER, value: 1n })
      const serializedTransaction = await client.signTransaction(request)
      await client.sendRawTransaction({ serializedTransaction })
      await expect(client.sendRawTransaction({ serializedTransaction })).rejects.toThrow('already known')
    })

    it('for the last of all nonces', async () => {
      const { client } = await connected(way)
      const { account } = client
      const raw = await account.signTransaction({
        type: 'legacy',
        chainId: 31337,
        gas: 21_000n,
        gasPrice: parseGwei('2'),
        to: STRANGER,
        // viem's type is a number, which cannot hold it; its encoding takes a bigint too.
        nonce: (2n ** 64n - 1n) as unknown as number,
      })
      const sending = client.sendRawTransaction({ serializedTransaction: raw })
      await expect(sending).rejects.toThrow(NonceMaxValueError.nodeMessage)
    })

    it('for too little gas', async () => {
      const { client } = await connected(way)
      await causeOf(client.sendTransaction({ to: STRANGER, gas: 20_000n }), IntrinsicGasTooLowError)
    })

    it('for a fee below the base fee', async () => {
      const { client } = await connected(way)
      const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }
      await causeOf(client.call({ to: STRANGER, ...fees }), FeeCapTooLowError)
    })

    it('for an account that is not unlocked', async () => {
      const { client } = await connected(way)
      const sending = client.sendTransaction({ account: poor.address, to: STRANGER })
      await expect(sending).rejects.toThrow(poor.address.toLowerCase())
    })
  })

  describe.each(['base', 'geth'] as const)('decodes, in the dialect %s,', (dialect) => {
    async function reverter() {
      const { client } = await connected(way, { dialect })
      const contract = { address: await deploy(client, Reverter), abi: Reverter.abi } as const
      return { client, contract }
    }

    type Failure = Parameters<Client['readContract']>[0]

    /** What viem makes of the same failure, read, simulated, estimated and sent. */
    async function decoded(client: Client, call: object) {
      const request = call as Failure
      const errors = await Promise.all(
        [
          client.readContract(request),
          client.simulateContract(request as never),
          client.estimateContractGas(request as never),
          client.writeContract(request as never),
        ].map((failing) => causeOf(failing, ContractFunctionRevertedError)),
      )
      return errors.map(({ reason, data, raw, signature }) => ({
        reason,
        name: data?.errorName,
        args: data?.args,
        raw,
        signature,
      }))
    }

    function fourTimes(expected: object) {
      return Array.from({ length: 4 }, () => expect.objectContaining(expected))
    }

    it('a string', async () => {
      const { client, contract } = await reverter()
      const errors = await decoded(client, { ...contract, functionName: 'revertString' })
      expect(errors).toEqual(fourTimes({ reason: 'Something went wrong', name: 'Error' }))
    })

    it('a custom error with its arguments', async () => {
      const { client, contract } = await reverter()
      const errors = await decoded(client, { ...contract, functionName: 'revertCustom', args: [7n] })
      const [read, ...others] = errors
      // A read without an account comes from nobody.
      expect(read).toMatchObject({ name: 'Custom', args: [7n, expect.any(String)] })
      for (const error of others)
        expect(error).toMatchObject({ name: 'Custom', args: [7n, client.account.address] })
    })

    it('a custom error of a call deeper down', async () => {
      const { client, contract } = await reverter()
      const call = { ...contract, functionName: 'nested', args: [contract.address] }
      const args = [7n, getAddress(contract.address)]
      expect(await decoded(client, call)).toEqual(fourTimes({ name: 'Custom', args }))
    })

    it.each([
      ['panicAssert', 0x01n, 'An `assert` condition failed.'],
      ['panicOverflow', 0x11n, 'Arithmetic operation resulted in underflow or overflow.'],
      ['panicDivide', 0x12n, 'Division or modulo by zero (e.g. `5 / 0` or `23 % 0`).'],
      ['panicIndex', 0x32n, 'Array index is out of bounds.'],
    ])('the panic of %s', async (functionName, code, reason) => {
      const { client, contract } = await reverter()
      const errors = await decoded(client, { ...contract, functionName })
      expect(errors).toEqual(fourTimes({ name: 'Panic', args: [code], reason }))
    })

    it('a revert without data', async () => {
      const { client, contract } = await reverter()
      const errors = await decoded(client, { ...contract, functionName: 'revertEmpty' })
      expect(errors).toEqual(fourTimes({ name: undefined, signature: undefined }))
    })

    it('a revert with any bytes', async () => {
      const { client, contract } = await reverter()
      const bytes: Hex = '0xdeadbeef01'
      const errors = await decoded(client, { ...contract, functionName: 'revertBytes', args: [bytes] })
      expect(errors).toEqual(fourTimes({ name: undefined, signature: '0xdeadbeef', raw: bytes }))
    })

    it('a failed deployment', async () => {
      const { client } = await reverter()
      // PUSH1 0 PUSH1 0 REVERT
      const failing = client.deployContract({ abi: [], bytecode: '0x60006000fd' })
      await causeOf(failing, ExecutionRevertedError)
    })

    it('a revert behind a plain call or estimate', async () => {
      const { client, contract } = await reverter()
      const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'revertString' })
      await causeOf(client.call({ to: contract.address, data }), ExecutionRevertedError)
      await causeOf(client.estimateGas({ to: contract.address, data }), ExecutionRevertedError)
    })

    it('and gives the receipt of a transaction that failed all the same', async () => {
      const { client, contract } = await reverter()
      const write = { ...contract, functionName: 'writeThenRevertString', gas: 100_000n } as const
      const hash = await client.writeContract(write)
      const receipt = await client.waitForTransactionReceipt({ hash })
      expect(receipt).toMatchObject({ status: 'reverted', logs: [] })
      expect(await client.readContract({ ...contract, functionName: 'writes' })).toBe(0n)
    })
  })
})

/** The error of `kind` in the chain of causes of what `failing` rejects with. */
async function causeOf<E extends Error>(
  failing: Promise<unknown>,
  kind: abstract new (...args: never[]) => E,
): Promise<E> {
  const error = await failing.then(
    () => {
      throw new Error('it succeeded')
    },
    (reason: BaseError) => reason,
  )
  const cause = error.walk?.((one) => one instanceof kind)
  if (!(cause instanceof kind)) throw error
  return cause
}
