/** What the compiler knows by an ABI. `tsc` checks this file; that it runs says only that nothing in it is wrong. */
import type { Abi as AnyAbi } from 'abitype'
import { type Client, createClient, type Hex, parseAbi, type TransactionReceipt, type Transport } from 'viem'
import { describe, expectTypeOf, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Pool } from '../../fixtures/contracts/Pool.ts'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Abi, Devnet, Receipt } from '../../src/index.ts'

const address: Hex = '0x0000000000000000000000000000000000005555'
const token = { abi: Token.abi, address } as const

const overloaded = parseAbi([
  'function put(uint256 value) returns (uint256)',
  'function put(address owner, uint256 value) returns (bool)',
  'function put((uint256 a, address b)[] items)',
  'function get(uint256 id) view returns (string)',
  'function get(bytes32 id) view returns (int64)',
  'function pair() view returns (uint256 left, bool right)',
  'event Put(string indexed key, uint256[] indexed keys, uint8, bytes data)',
  'event Left()',
])

/** Compiled, and never run. */
function compiled(_: (devnet: Devnet) => unknown): void {}

describe('read', () => {
  it('knows the functions that only look, what they take and what they answer', () => {
    compiled(async (devnet) => {
      expectTypeOf(
        await devnet.read({ ...token, functionName: 'balanceOf', args: [address] }),
      ).toEqualTypeOf<bigint>()
      expectTypeOf(await devnet.read({ ...token, functionName: 'name' })).toEqualTypeOf<string>()
      expectTypeOf(await devnet.read({ ...token, functionName: 'name', args: [] })).toEqualTypeOf<string>()
      expectTypeOf(await devnet.read({ abi: overloaded, address, functionName: 'pair' })).toEqualTypeOf<
        readonly [bigint, boolean]
      >()
      // @ts-expect-error a function that writes
      await devnet.read({ ...token, functionName: 'transfer', args: [address, 1n] })
      // @ts-expect-error no such function
      await devnet.read({ ...token, functionName: 'balanceOff', args: [address] })
      // @ts-expect-error its argument is missing
      await devnet.read({ ...token, functionName: 'balanceOf' })
      // @ts-expect-error no address
      await devnet.read({ ...token, functionName: 'balanceOf', args: [1n] })
      // @ts-expect-error one too many
      await devnet.read({ ...token, functionName: 'balanceOf', args: [address, 1n] })
      // @ts-expect-error nothing is sent along
      await devnet.read({ ...token, functionName: 'name', value: 1n })
    })
  })

  it('takes any selector of a block', () => {
    compiled(async (devnet) => {
      const question = { ...token, functionName: 'name' } as const
      for (const at of ['latest', 'pending', 5n, address, { blockNumber: 5n, slice: 2n }] as const) {
        await devnet.read({ ...question, at })
      }
      // @ts-expect-error
      await devnet.read({ ...question, at: 5 })
    })
  })

  it('chooses among functions of one name by their arguments, or by a signature', () => {
    compiled(async (devnet) => {
      const contract = { abi: overloaded, address } as const
      expectTypeOf(
        await devnet.read({ ...contract, functionName: 'get(uint256)', args: [1n] }),
      ).toEqualTypeOf<string>()
      expectTypeOf(
        await devnet.read({ ...contract, functionName: 'get(bytes32)', args: ['0x'] }),
      ).toEqualTypeOf<bigint>()
      expectTypeOf(
        await devnet.read({ ...contract, functionName: 'get', args: [1n] }),
      ).toEqualTypeOf<string>()
      expectTypeOf(
        await devnet.read({ ...contract, functionName: 'get', args: ['0x'] }),
      ).toEqualTypeOf<bigint>()
      // @ts-expect-error another function's argument
      await devnet.read({ ...contract, functionName: 'get(bytes32)', args: [1n] })
      // @ts-expect-error no such function
      await devnet.read({ ...contract, functionName: 'get(address)', args: [address] })
    })
  })
})

describe('write', () => {
  it('knows the functions that write, what they take, and which take wei', () => {
    compiled(async (devnet) => {
      await devnet.write({ ...token, functionName: 'transfer', args: [address, 1n] })
      await devnet.write({ abi: Emitter.abi, address, functionName: 'touch', value: 1n })
      await devnet.write({
        abi: Shop.abi,
        address,
        functionName: 'buy',
        args: [1n, 'a note'],
        value: 5n,
        from: address,
        gas: 100_000n,
      })
      // @ts-expect-error a function that only looks
      await devnet.write({ ...token, functionName: 'balanceOf', args: [address] })
      // @ts-expect-error it is not payable
      await devnet.write({ ...token, functionName: 'transfer', args: [address, 1n], value: 1n })
      // @ts-expect-error a number for a uint256
      await devnet.write({ ...token, functionName: 'transfer', args: [address, 1] })
      // @ts-expect-error its arguments are missing
      await devnet.write({ ...token, functionName: 'transfer' })
      // @ts-expect-error no such end
      await devnet.write({ ...token, functionName: 'mint', args: [address, 1n], until: 'mined' })
    })
  })

  it('knows the signatures of functions that share a name', () => {
    compiled(async (devnet) => {
      const contract = { abi: overloaded, address } as const
      await devnet.write({ ...contract, functionName: 'put(uint256)', args: [1n] })
      await devnet.write({ ...contract, functionName: 'put(address,uint256)', args: [address, 1n] })
      await devnet.write({
        ...contract,
        functionName: 'put((uint256,address)[])',
        args: [[{ a: 1n, b: address }]],
      })
      await devnet.write({ ...contract, functionName: 'put', args: [address, 1n] })
      // @ts-expect-error fits none of them
      await devnet.write({ ...contract, functionName: 'put', args: ['one'] })
    })
  })

  it('answers events by their names, and a receipt unless nobody waits for one', () => {
    compiled(async (devnet) => {
      const swap = { abi: Pool.abi, address, functionName: 'swap', args: [address, 1n, 0n] } as const
      const { hash, receipt, logs } = await devnet.write(swap)
      expectTypeOf(hash).toEqualTypeOf<Hex>()
      expectTypeOf(receipt).toEqualTypeOf<Receipt>()
      for (const log of logs) {
        if (log.eventName !== 'Swap') continue
        expectTypeOf(log.args.amountOut).toEqualTypeOf<bigint>()
        expectTypeOf(log.args.trader).toEqualTypeOf<Hex>()
        // @ts-expect-error another event's
        log.args.shares
      }
      const accepted = await devnet.write({ ...swap, until: 'accepted' })
      expectTypeOf(accepted).toEqualTypeOf<{ readonly hash: Hex }>()
      // @ts-expect-error nobody waited for it
      accepted.receipt
      expectTypeOf((await devnet.write({ ...swap, until: 'preconfirmed' })).receipt).toEqualTypeOf<Receipt>()
    })
  })

  it('knows hashes in place of what fits into no topic, and lists where names are missing', () => {
    compiled(async (devnet) => {
      const { logs } = await devnet.write({
        abi: overloaded,
        address,
        functionName: 'put(uint256)',
        args: [1n],
      })
      for (const { eventName, args } of logs) {
        if (eventName === 'Put') expectTypeOf(args).toEqualTypeOf<readonly [Hex, Hex, number, Hex]>()
        else expectTypeOf(args).toEqualTypeOf<Record<string, never>>()
      }
    })
  })
})

describe('deploy', () => {
  it('knows what the constructor takes', () => {
    compiled(async (devnet) => {
      const { address, receipt } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
      expectTypeOf(address).toEqualTypeOf<Hex>()
      expectTypeOf(receipt).toEqualTypeOf<Receipt>()
      expectTypeOf(await devnet.deploy(Emitter)).toHaveProperty('address')
      await devnet.deploy(Emitter, { from: address })
      const waiting = await devnet.deploy(Token, { args: ['Gold', 'GOLD'], until: 'accepted' })
      expectTypeOf(waiting.address).toEqualTypeOf<Hex>()
      // @ts-expect-error nobody waited for it
      waiting.receipt
      // @ts-expect-error the arguments are missing
      await devnet.deploy(Token)
      // @ts-expect-error one is missing
      await devnet.deploy(Token, { args: ['Gold'] })
      // @ts-expect-error the constructor is not payable
      await devnet.deploy(Emitter, { value: 1n })
    })
  })
})

describe('ABIs of which nothing is known', () => {
  it('take anything: abitype’s widest, JSON, lines', () => {
    compiled(async (devnet) => {
      const wide = Token.abi as AnyAbi
      const json = [{ type: 'function', name: 'f', inputs: [{ type: 'uint256' }] }]
      const lines: Abi = ['function f(uint256)']
      for (const abi of [wide, json, lines] as const) {
        const contract = { abi, address }
        expectTypeOf(
          await devnet.read({ ...contract, functionName: 'anything', args: [1n, 'x'] }),
        ).toEqualTypeOf<unknown>()
        await devnet.read({ ...contract, functionName: 'anything' })
        await devnet.write({ ...contract, functionName: 'anything', args: [1n], value: 5n })
        await devnet.deploy({ abi, bytecode: '0x00' }, { args: [1n], value: 5n })
        await devnet.deploy({ abi, bytecode: { object: '0x00' } })
      }
    })
  })

  it('may be lines that are known', () => {
    compiled(async (devnet) => {
      const abi = ['function total() view returns (uint256)', 'function add(uint256 value)'] as const
      expectTypeOf(await devnet.read({ abi, address, functionName: 'total' })).toEqualTypeOf<bigint>()
      // @ts-expect-error no such function
      await devnet.write({ abi, address, functionName: 'total' })
    })
  })
})

describe('other libraries', () => {
  it('take the transport for one of viem, and a receipt for one of its receipts', () => {
    expectTypeOf<ReturnType<Devnet['transport']>>().toExtend<Transport>()
    expectTypeOf<Receipt>().toExtend<TransactionReceipt>()
    compiled((devnet) => {
      expectTypeOf(createClient({ transport: devnet.transport() })).toExtend<Client>()
    })
  })
})

describe('request', () => {
  it('knows what common methods take and answer', () => {
    compiled(async (devnet) => {
      expectTypeOf(await devnet.request({ method: 'eth_blockNumber' })).toEqualTypeOf<Hex>()
      expectTypeOf(
        await devnet.request({ method: 'eth_getBalance', params: [address, 'pending'] }),
      ).toEqualTypeOf<Hex>()
      const block = await devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
      expectTypeOf(block?.hash).toEqualTypeOf<Hex | undefined>()
      const receipt = await devnet.request({ method: 'eth_getTransactionReceipt', params: [address] })
      expectTypeOf(receipt?.logs[0]?.topics).toEqualTypeOf<readonly Hex[] | undefined>()
      // @ts-expect-error a quantity is hex on the wire
      await devnet.request({ method: 'eth_getBalance', params: [address, 5] })
      // @ts-expect-error the address is missing
      await devnet.request({ method: 'eth_getBalance', params: [] })
      // @ts-expect-error wei are hex on the wire
      await devnet.request({ method: 'eth_sendTransaction', params: [{ to: address, value: 5n }] })
    })
  })

  it('takes any other method, of whose answer nothing is known', () => {
    compiled(async (devnet) => {
      expectTypeOf(await devnet.request({ method: 'anvil_mine', params: [5] })).toEqualTypeOf<unknown>()
      const method: string = 'eth_blockNumber'
      expectTypeOf(await devnet.request({ method })).toEqualTypeOf<unknown>()
      expectTypeOf(devnet).toExtend<{
        request(request: { method: string; params?: unknown }): Promise<unknown>
      }>()
    })
  })
})

describe('deploy by name', () => {
  it('answers what read and write take, without types of the ABI', () => {
    compiled(async (devnet) => {
      const gold = await devnet.deploy('Token', { args: ['Gold'], libraries: { Math: address } })
      expectTypeOf(gold.abi).toEqualTypeOf<Abi>()
      expectTypeOf(gold.receipt).toEqualTypeOf<Receipt>()
      await devnet.write({ ...gold, functionName: 'mint', args: [address, 5n] })
      expectTypeOf(await devnet.read({ ...gold, functionName: 'name' })).toEqualTypeOf<unknown>()
      expectTypeOf((await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })).abi).toEqualTypeOf<
        typeof Token.abi
      >()
      const waiting = await devnet.deploy('Token', { until: 'accepted' })
      // @ts-expect-error nobody waited for one
      waiting.receipt
      // @ts-expect-error no such option
      await devnet.deploy('Token', { arguments: [] })
    })
  })
})
