/** Foundry against a fork: `cast` at blocks on both sides of the fork block, `forge test --fork-url` with `vm.rollFork`. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createWalletClient,
  encodeDeployData,
  type Hex,
  http,
  pad,
  parseEther,
  publicActions,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { spawnAnvil } from '../../scripts/anvil.ts'
import { foundryBinary, foundryVersion } from '../../scripts/foundry.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { balanceSlot, castAt, isCastHere } from '../support/clients/cast.ts'
import { STRANGER } from '../support/clients/clients.ts'

/** The first account of anvil's mnemonic, which is that of devnets, too. */
const OWNER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const OWNER = privateKeyToAccount(OWNER_KEY)
const CHAIN_ID = 4_242

/** A network of another process or of this one: its URL, and what ends it. */
interface Network {
  readonly url: string
  close(): Promise<void>
}

const NETWORKS: Readonly<Record<string, () => Promise<Network>>> = {
  async anvil() {
    const anvil = await spawnAnvil(['--chain-id', String(CHAIN_ID)])
    if (anvil === undefined) throw new Error('anvil does not run here')
    return { url: anvil.url, close: () => anvil.stop() }
  },
  async preseal() {
    const devnet = await createDevnet({ rhythm: 'instant', chainId: CHAIN_ID })
    const { url } = await devnet.listen({ port: 0 })
    return { url, close: () => devnet.close() }
  },
}

describe.skipIf(!isCastHere || foundryVersion('forge') === undefined).each(Object.keys(NETWORKS))(
  'on a fork of %s',
  (name) => {
    let network: Network
    let devnet: Devnet
    let url: string
    let token: Hex
    /** The number of the fork block; the transaction of the network in it; one of the fork, in the block after it. */
    let last: number
    let theirs: Hex
    let ours: Hex

    beforeAll(async () => {
      network = await NETWORKS[name]!()
      const client = createWalletClient({ account: OWNER, transport: http(network.url) }).extend(
        publicActions,
      )
      const mined = async (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
      const data = encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] })
      token = (await mined(await client.sendTransaction({ chain: null, data }))).contractAddress!
      const mint = (value: bigint) =>
        client.writeContract({
          ...{ chain: null, address: token, abi: Token.abi, functionName: 'mint', args: [STRANGER, value] },
        })
      await mined(await mint(5n))
      theirs = await mint(37n)
      last = Number((await mined(theirs)).blockNumber)
      devnet = await createDevnet({ rhythm: 'instant', fork: { url: network.url } })
      url = (await devnet.listen({ port: 0 })).url
      const fields = ['mint(address,uint256)', STRANGER, 100, '--private-key', OWNER_KEY]
      const sent = await castAt(url)('send', token, ...fields, '--json')
      ours = (JSON.parse(sent) as { transactionHash: Hex }).transactionHash
    })

    afterAll(async () => {
      await devnet?.close()
      await network?.close()
    })

    it('cast send, call, storage and balance are right at blocks on both sides', async () => {
      const cast = castAt(url)
      expect([await cast('chain-id'), await cast('block-number')]).toEqual([`${CHAIN_ID}`, `${last + 1}`])
      const balanceOf = ['balanceOf(address)(uint256)', STRANGER] as const
      for (const [block, balance] of [
        [last - 1, 5],
        [last, 42],
        [last + 1, 142],
      ] as const) {
        expect(await cast('call', token, ...balanceOf, '--block', block)).toBe(`${balance}`)
        const slot = await cast('storage', token, balanceSlot(STRANGER), '--block', block)
        expect(slot).toBe(pad(toHex(balance)))
      }
      expect(await cast('call', token, ...balanceOf)).toBe('142')
      expect(await castAt(network.url)('call', token, ...balanceOf)).toBe('42')
      await cast('send', STRANGER, '--value', '1ether', '--private-key', OWNER_KEY)
      expect(await cast('balance', STRANGER)).toBe(`${parseEther('1')}`)
      expect(await cast('balance', STRANGER, '--block', last)).toBe('0')
    })

    it('cast logs, tx and receipt find those of both sides', async () => {
      const cast = castAt(url)
      const transfer = 'Transfer(address indexed,address indexed,uint256)'
      const found = await cast('logs', '--from-block', 0, '--address', token, transfer, '--json')
      const logs = JSON.parse(found) as { blockNumber: Hex; data: Hex }[]
      expect(logs.map(({ blockNumber, data }) => [Number(blockNumber), Number(data)])).toEqual([
        [last - 1, 5],
        [last, 37],
        [last + 1, 100],
      ])
      for (const [hash, number] of [
        [theirs, last],
        [ours, last + 1],
      ] as const) {
        expect(await cast('tx', hash, 'blockNumber')).toBe(`${number}`)
        expect(await cast('receipt', hash, 'status')).toMatch(/^(1|true)/)
      }
    })

    it('cast run plays a transaction of each side again', async () => {
      for (const hash of [theirs, ours]) {
        const trace = await castAt(url)('run', hash)
        expect(trace).toContain('Transaction successfully executed')
        expect(trace.toLowerCase()).toContain(token.slice(2, 12).toLowerCase())
      }
    })

    it('forge test reads and writes what is there, and rolls to blocks on both sides', async () => {
      const cwd = await mkdtemp(join(tmpdir(), 'preseal-forge-'))
      onTestFinished(() => rm(cwd, { recursive: true, force: true }))
      await mkdir(join(cwd, 'test'))
      await writeFile(join(cwd, 'foundry.toml'), '[profile.default]\nsrc = "src"\ntest = "test"\n')
      await writeFile(join(cwd, 'test', 'OnFork.t.sol'), FORGE_TEST)
      const compiler = fileURLToPath(new URL('../../scripts/try-clients/solc.mjs', import.meta.url))
      const env = {
        ...{ PATH: process.env.PATH, HOME: cwd, FOUNDRY_OFFLINE: 'true', NO_COLOR: '1' },
        ...{ TOKEN: token, OWNER: OWNER.address, STRANGER, LAST: String(last) },
      }
      const flags = ['test', '--offline', '--use', compiler, '--fork-url', url, '--no-storage-caching']
      const block = ['--fork-block-number', String(last + 1)]
      const { stdout } = await promisify(execFile)(foundryBinary('forge')!, [...flags, ...block], {
        cwd,
        env,
      })
      expect(stdout).toContain('3 tests passed, 0 failed')
    })
  },
)

/** A test of forge without its library: what it needs of cheatcodes, and of the token. */
const FORGE_TEST = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface Vm {
    function envAddress(string calldata) external view returns (address);
    function envUint(string calldata) external view returns (uint256);
    function prank(address) external;
    function rollFork(uint256) external;
}

interface IToken {
    function balanceOf(address) external view returns (uint256);
    function mint(address, uint256) external;
    function transfer(address, uint256) external returns (bool);
}

contract OnForkTest {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function token() private view returns (IToken) {
        return IToken(vm.envAddress("TOKEN"));
    }

    function balance() private view returns (uint256) {
        return token().balanceOf(vm.envAddress("STRANGER"));
    }

    function test_reads() public view {
        require(block.number == vm.envUint("LAST") + 1, "block");
        require(balance() == 142, "balance");
    }

    function test_writes() public {
        vm.prank(vm.envAddress("OWNER"));
        token().mint(vm.envAddress("STRANGER"), 8);
        vm.prank(vm.envAddress("STRANGER"));
        token().transfer(address(this), 50);
        require(balance() == 100 && token().balanceOf(address(this)) == 50, "balances");
    }

    function test_rolls() public {
        uint256 last = vm.envUint("LAST");
        vm.rollFork(last);
        require(block.number == last && balance() == 42, "fork block");
        vm.rollFork(last - 1);
        require(balance() == 5, "before");
        vm.rollFork(last + 1);
        require(balance() == 142, "after");
    }
}
`
