/**
 * Base's own tests of contracts and delegated accounts while a block is pre-confirmed, with their numbers: each bears the name
 * of theirs (base/base, `crates/execution/flashblocks-node/tests/eth_call_erc20.rs` and `eip7702_tests.rs`).
 *
 * In the place of Solmate's MockERC20, OpenZeppelin's proxy and their account stand contracts of our own that can do the
 * same: a token, the smallest proxy there is (EIP-1167), and one that counts.
 */
import { decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { DoubleCounter } from '../../fixtures/contracts/DoubleCounter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { ask } from '../support/clients/clients.ts'
import { baseHarness, counting, createdBy, type Person } from '../support/nodes/baseHarness.ts'

/** Their token and, at the next nonce, a proxy of it; `deploy` makes the Flashblock with both, after that of the deposit. */
async function erc20Setup() {
  const harness = await baseHarness()
  const { devnet, deployer, flashblock } = harness
  const [token, proxy] = [createdBy(deployer, 0), createdBy(deployer, 1)]
  const read = async (
    functionName: 'name' | 'symbol' | 'decimals' | 'balanceOf',
    to = token,
    ...args: Hex[]
  ) => {
    const data = encodeFunctionData({ abi: Token.abi, functionName, args } as never)
    const answer = await ask<Hex>(devnet, 'eth_call', { to, data }, 'pending')
    return decodeFunctionResult({ abi: Token.abi, functionName, data: answer } as never)
  }
  const mint = (to: Hex, value: bigint, contract: Hex, nonce: number) =>
    deployer.sign({
      nonce,
      to: contract,
      data: encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [to, value] }),
    })
  const deploy = async () => {
    const data = encodeDeployData({ ...Token, args: ['Test Token', 'TEST'] })
    const forwarder: Hex = `0x363d3d373d3d3d363d73${token.slice(2)}5af43d82803e903d91602b57fd5bf3`
    await flashblock()
    await flashblock(
      await deployer.sign({ nonce: 0, data, gas: 2_000_000n }),
      await deployer.sign({ nonce: 1, data: `0x3d602d80600a3d3981f3${forwarder.slice(2)}` }),
    )
    // Theirs lets everybody mint, ours the owner, whom a constructor sets: not in the storage of a proxy.
    await ask(devnet, 'anvil_setStorageAt', proxy, '0x2', `0x${deployer.address.slice(2).padStart(64, '0')}`)
  }
  return { ...harness, token, proxy, read, mint, deploy }
}

describe('eth_call_erc20.rs', () => {
  it('test_erc20_deployment', async () => {
    const { deploy, read } = await erc20Setup()
    await deploy()
    expect(await read('name')).toBe('Test Token')
    expect(await read('symbol')).toBe('TEST')
    expect(await read('decimals')).toBe(18)
  })

  it('test_proxy_erc20_deployment', async () => {
    const { deploy, read, proxy } = await erc20Setup()
    await deploy()
    expect(await read('name')).toBe('Test Token')
    // The proxy has a storage of its own, in which no constructor wrote.
    expect(await read('name', proxy)).toBe('')
  })

  it.each([
    ['test_erc20_mint', 'token', 1000n],
    ['test_proxy_erc20_mint', 'proxy', 5000n],
  ] as const)('%s', async (_, kind, amount) => {
    const setup = await erc20Setup()
    const { alice, deploy, read, mint, flashblock } = setup
    await deploy()
    const balance = () => read('balanceOf', setup[kind], alice.address)
    expect(await balance()).toBe(0n)
    await flashblock(await mint(alice.address, amount, setup[kind], 2))
    expect(await balance()).toBe(amount)
  })
})

/**
 * The account's code, deployed in the first Flashblock. Their authorizations have the nonce 0, as the transaction has that
 * carries them: by then the account's is 1, so EIP-7702 passes them over, and what is called is an account without code.
 */
async function delegationSetup() {
  const harness = await baseHarness()
  const { devnet, deployer, flashblock } = harness
  await flashblock(await deployer.sign({ nonce: 0, data: DoubleCounter.bytecode, gas: 500_000n }))
  const account = createdBy(deployer, 0)
  /** A transaction of a person to itself, with the wish to run that code. */
  const delegate = async (person: Person, data: Hex, authorizationNonce = 0) => {
    const authorizationList = [await person.authorize(account, authorizationNonce)]
    return person.sign({ nonce: 0, to: person.address, data, gas: 200_000n, authorizationList })
  }
  const transaction = (hash: Hex | undefined) => ask(devnet, 'eth_getTransactionByHash', hash)
  const receipt = (hash: Hex | undefined) => ask(devnet, 'eth_getTransactionReceipt', hash)
  return { ...harness, account, delegate, transaction, receipt }
}

describe('eip7702_tests.rs', () => {
  it('test_eip7702_delegation_in_pending_flashblock', async () => {
    const { alice, delegate, flashblock, transaction } = await delegationSetup()
    const [hash] = await flashblock(await delegate(alice, counting('increment')))
    expect(await transaction(hash)).toMatchObject({ hash, blockNumber: '0x1', type: '0x4' })
  })

  it('test_eip7702_multiple_delegations_same_flashblock', async () => {
    const { alice, bob, delegate, flashblock, transaction } = await delegationSetup()
    const hashes = await flashblock(
      await delegate(alice, counting('increment')),
      await delegate(bob, counting('increment')),
    )
    for (const hash of hashes) expect(await transaction(hash)).toMatchObject({ hash, blockNumber: '0x1' })
  })

  it('test_eip7702_pending_receipt', async () => {
    const { alice, delegate, flashblock, receipt } = await delegationSetup()
    const [hash] = await flashblock(await delegate(alice, counting('increment')))
    expect(await receipt(hash)).toMatchObject({ status: '0x1' })
  })

  it('test_eip7702_delegation_then_execution', async () => {
    const { alice, delegate, flashblock, receipt } = await delegationSetup()
    const [delegation] = await flashblock(await delegate(alice, '0x'))
    const [execution] = await flashblock(
      await alice.sign({ nonce: 1, to: alice.address, data: counting('increment'), gas: 200_000n }),
    )
    expect(await receipt(delegation)).toMatchObject({ blockNumber: '0x1', status: '0x1' })
    expect(await receipt(execution)).toMatchObject({ blockNumber: '0x1', status: '0x1' })
  })

  it('and where the authorization holds, the next Flashblock runs the code that it names', async () => {
    const { devnet, alice, account, count, delegate, flashblock } = await delegationSetup()
    await flashblock(await delegate(alice, counting('increment'), 1))
    expect(await ask(devnet, 'eth_getCode', alice.address, 'pending')).toBe(`0xef0100${account.slice(2)}`)
    expect(await ask(devnet, 'eth_getCode', alice.address, 'latest')).toBe('0x')
    expect(await count(alice.address)).toBe(2)
    await flashblock(await alice.sign({ nonce: 2, to: alice.address, data: counting('increment') }))
    const call = { to: alice.address, data: counting('count1') }
    expect(Number(await ask(devnet, 'eth_call', call, 'pending'))).toBe(2)
  })
})
