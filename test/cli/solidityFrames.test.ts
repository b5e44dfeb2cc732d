/** What the command line prints of where Solidity failed, and of where calls were made. */
import { stripVTControlCharacters } from 'node:util'
import { toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { EventPrinter, type EventPrinterOptions } from '../../src/cli/eventPrinter.ts'
import { STRANGER, started } from '../support/clients/clients.ts'
import { bankRun, frameAt, openBank } from '../support/compilers/bank.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'

const PAY = [
  frameAt('Token.requireFunds', 'contracts/Token.sol', 'if (has < needs)', 'TooPoor('),
  frameAt('Token._spend', 'contracts/Token.sol', 'Checks.requireFunds'),
  frameAt('Token.transfer', 'contracts/Token.sol', '_spend(msg.sender'),
  frameAt('Bank.pay', 'contracts/Bank.sol', 'token.transfer(to'),
]

/** A bank that cannot pay, and what is printed of it from now on. */
async function reported({ format = 'text', trace = false }: Partial<EventPrinterOptions> = {}) {
  const devnet = await started({ rhythm: 'manual' })
  devnet.artifacts.add(bankRun())
  const { bank, proxy } = await openBank(devnet)
  const printed: string[] = []
  const reporter = new EventPrinter(devnet, { format, trace, consoleLogs: true }, (line) =>
    printed.push(line),
  )
  reporter.begin()
  const data = `0xc4076876${STRANGER.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}` as const
  const pay = async () => {
    const { hash } = await devnet.send({ to: bank.address, data, gas: 300_000n, until: 'accepted' })
    await devnet.mine()
    return hash
  }
  const lines = async () => {
    await reporter.flush()
    return printed.splice(0).map(stripVTControlCharacters)
  }
  return { devnet, bank, proxy, data, pay, lines }
}

function placeOf(frame: string): string {
  return /\((.*)\)$/.exec(frame)![1]!
}

describe('below the line of a failed transaction', () => {
  it('stand the functions in which it failed', async () => {
    const { pay, lines } = await reported()
    const hash = await pay()
    const [, failed, ...frames] = await lines()
    expect(failed).toContain(`  failed ${hash}: reverted: TooPoor(account: 0x`)
    expect(frames).toEqual(PAY.map((frame) => `      at ${frame}`))
  })

  it('and of a request that is refused for it, with what happened', async () => {
    const { devnet, bank, lines } = await reported()
    const call = { to: bank.address, data: '0x12345678' }
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call] }
    await devnet.respond(JSON.stringify(request))
    const [refused, frame] = await lines()
    expect(refused).toMatch(/^refused eth_call .*: -32000 execution reverted: the contract has no function /)
    expect(frame).toBe(`      at ${frameAt('Bank.<unknown>', 'contracts/Bank.sol', 'contract Bank')}`)
  })
})

it('programs get it as a stack trace', async () => {
  const { pay, lines } = await reported({ format: 'json' })
  const hash = await pay()
  const [sealed] = (await lines()).map((line) => JSON.parse(line))
  expect(sealed.failed).toMatchObject([
    {
      hash,
      stackTrace: {
        kind: 'customError',
        frames: [{ contract: 'Token', function: 'requireFunds' }, {}, {}, {}],
      },
    },
  ])
})

it('a tree of calls shows where each was made', async () => {
  const { pay, lines } = await reported({ trace: true })
  await pay()
  const tree = (await lines()).slice(2 + PAY.length)
  expect(tree[0]).toMatch(
    new RegExp(`Bank::pay\\(.*\\)  ${placeOf(frameAt('', 'contracts/Bank.sol', 'function pay('))}$`),
  )
  expect(tree[1]).toMatch(new RegExp(`Token::transfer\\(.*\\)  ${placeOf(PAY.at(-1)!)}$`))
})

it('a tree of calls shows where it failed, at the call that did, and what stands behind proxies', async () => {
  const { devnet, pay, proxy, lines } = await reported({ trace: true })
  await pay()
  const places = (await lines()).slice(2 + PAY.length).filter((line) => line.includes('← [Revert]'))
  expect(places).toHaveLength(2)
  expect(places[0]).toMatch(new RegExp(`TooPoor\\(.*\\)  ${placeOf(PAY[0]!)}$`))
  expect(places[1]).toMatch(/TooPoor\(.*\)$/)

  const data = `0xa9059cbb${STRANGER.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}` as const
  await devnet.send({ to: proxy.address, data, gas: 300_000n, until: 'accepted' })
  await devnet.mine()
  const tree = (await lines()).slice(6)
  expect(tree[0]).toMatch(/\] Proxy → Token::transfer\(to: 0x\w+, amount: 5\) {2}contracts\/Proxy\.sol/)
  expect(tree[1]).toMatch(/\] Token::transfer\(.*\) \[delegatecall\] {2}contracts\/Proxy\.sol/)
  expect(tree[2]).toMatch(new RegExp(`← \\[Revert\\] TooPoor\\(.*\\)  ${placeOf(PAY[0]!)}$`))
  expect(tree[3]).toMatch(/← \[Revert\] TooPoor\(.*\)$/)
})

it('a failure that a contract catches is not taken for the one that ended the transaction', async () => {
  const { devnet, lines } = await reported({ trace: true })
  const { abi } = contractOf(CATCHING, 'Catching').output
  devnet.artifacts.add({ input: CATCHING.input, output: CATCHING.output })
  const bytecode = `0x${contractOf(CATCHING, 'Catching').output.evm!.bytecode!.object}` as const
  const { address } = await devnet.deploy({ abi: abi as never, bytecode })
  await lines()
  await devnet.send({ to: address, data: toFunctionSelector('go()'), gas: 300_000n, until: 'accepted' })
  await devnet.mine()
  const ends = (await lines()).filter((line) => line.includes('← [Revert]'))
  expect(ends.map((line) => /\.sol:(\d+)/.exec(line)?.[1])).toEqual([undefined, '5'])
})

const CATCHING = compiled({
  'Catching.sol': `pragma solidity ^0.8.20;
contract Catching {
  function go() external {
    try this.one() {} catch {}
    revert("two");
  }
  function one() external pure { revert("one"); }
}`,
})
