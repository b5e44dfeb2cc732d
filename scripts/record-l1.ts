/**
 * Writes `src/bridge/l1Contracts.json`: the contracts of the OP Stack on L1 with the storage that `initialize` sets, for the L1
 * beside an L2. The argument is the folder of the unpacked package `@eth-optimism/contracts-bedrock` 0.17.3
 * (`npm pack @eth-optimism/contracts-bedrock@0.17.3`, MIT license). Each contract is initialized on a devnet at the address
 * that it has beside OP Mainnet or Base, without a proxy. The dispute game is preseal's own: fixtures/contracts/DisputeGame.sol.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, toHex, zeroAddress } from 'viem'
import { DisputeGame } from '../fixtures/contracts/DisputeGame.ts'
import { createDevnet } from '../src/index.ts'
import { L1_ADDRESSES } from '../src/model/l2/l1Addresses.ts'
import { L2_CHAINS, L2_TERMS, type L2Chain } from '../src/model/l2/l2.ts'
import { formatted, writeGenerated } from './generated.ts'

const [folder = 'package'] = process.argv.slice(2).filter((flag) => !flag.startsWith('--'))

/** The roles of the OP Stack's own devnet (`devnetL1.json`): accounts of the mnemonic of Hardhat and anvil. */
const OWNER = '0xa0ee7a142d267c1f36714e4a8f75612f20a79720'
const UNSAFE_BLOCK_SIGNER = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
const PERMISSIONED_CANNON = 1
/** The anchor of a new chain, as `op-deployer` sets it. */
const ANCHOR = { root: toHex(0xdeadn, { size: 32 }), l2BlockNumber: 0n }
/** The values of OP Mainnet. */
const PROOF_MATURITY_SECONDS = 604_800n
const GAME_FINALITY_SECONDS = 302_400n
const RESOURCES = {
  maxResourceLimit: 20_000_000,
  elasticityMultiplier: 10,
  baseFeeMaxChangeDenominator: 8,
  minimumBaseFee: 1_000_000_000,
  systemTxMaxGas: 1_000_000,
  maximumBaseFee: 2n ** 128n - 1n,
}
const GAS_LIMIT = 30_000_000n

type Contracts = (typeof L1_ADDRESSES)[L2Chain]

interface Contract {
  readonly key: keyof Contracts
  readonly constructed?: (at: Contracts) => readonly unknown[]
  readonly initialized?: (at: Contracts, chain: L2Chain) => readonly unknown[]
  /** A call of the owner after `initialize`. */
  readonly configured?: (at: Contracts) => {
    readonly functionName: string
    readonly args: readonly unknown[]
  }
}

const CONTRACTS: readonly Contract[] = [
  { key: 'superchainConfig', initialized: () => [OWNER, false] },
  {
    key: 'optimismPortal2',
    constructed: () => [PROOF_MATURITY_SECONDS, GAME_FINALITY_SECONDS],
    initialized: (at) => [at.disputeGameFactory, at.systemConfig, at.superchainConfig, PERMISSIONED_CANNON],
  },
  {
    key: 'systemConfig',
    initialized(at, chain) {
      const { baseFeeScalar, blobBaseFeeScalar, batcher } = L2_TERMS[chain]
      const {
        superchainConfig: _,
        anchorStateRegistry: __,
        systemConfig: ___,
        permissionedDisputeGame: ____,
        optimismPortal2,
        ...others
      } = at
      return [
        OWNER,
        Number(baseFeeScalar),
        Number(blobBaseFeeScalar),
        toHex(BigInt(batcher), { size: 32 }),
        GAS_LIMIT,
        UNSAFE_BLOCK_SIGNER,
        RESOURCES,
        BATCH_INBOXES[chain],
        { ...others, optimismPortal: optimismPortal2, gasPayingToken: zeroAddress },
      ]
    },
  },
  {
    key: 'disputeGameFactory',
    initialized: () => [OWNER],
    configured: (at) => ({
      functionName: 'setImplementation',
      args: [PERMISSIONED_CANNON, at.permissionedDisputeGame],
    }),
  },
  { key: 'permissionedDisputeGame' },
  {
    key: 'anchorStateRegistry',
    constructed: (at) => [at.disputeGameFactory],
    initialized: () => [[{ gameType: PERMISSIONED_CANNON, outputRoot: ANCHOR }]],
  },
  {
    key: 'l1CrossDomainMessenger',
    initialized: (at) => [at.superchainConfig, at.optimismPortal2, at.systemConfig],
  },
  {
    key: 'l1StandardBridge',
    initialized: (at) => [at.l1CrossDomainMessenger, at.superchainConfig, at.systemConfig],
  },
  { key: 'l1ERC721Bridge', initialized: (at) => [at.l1CrossDomainMessenger, at.superchainConfig] },
  { key: 'optimismMintableERC20Factory', initialized: (at) => [at.l1StandardBridge] },
]

const BATCH_INBOXES: Readonly<Record<L2Chain, Hex>> = {
  op: '0xff00000000000000000000000000000000000010',
  base: '0xff00000000000000000000000000000000008453',
}

const L1 = { rhythm: 'instant', profile: 'ethereum', ticksPerBlock: 0 } as const

interface Account {
  readonly code: Hex
  readonly storage: readonly (readonly [slot: string, value: string])[]
}

const contracts: unknown[] = []
/** The codes of each contract beside each L2. Equal codes stand side by side, and compress to one. */
const codes: Buffer[] = []
for (const contract of CONTRACTS) {
  const storage: Partial<Record<L2Chain, Account['storage']>> = {}
  for (const chain of L2_CHAINS) {
    const account = await initialized(contract, chain)
    storage[chain] = account.storage
    codes.push(Buffer.from(account.code.slice(2), 'hex'))
  }
  contracts.push({ name: contract.key, codeSize: codes.at(-1)!.length, storage })
}
const deflated = deflateRawSync(Buffer.concat(codes), { level: 9 }).toString('base64')
const path = 'src/bridge/l1Contracts.json'
const text = formatted(path, JSON.stringify({ contracts, deflated }))
writeGenerated([{ path, text }], 'npx tsx scripts/record-l1.ts FOLDER')
console.log(`${path}: ${text.length} bytes`)

async function initialized(
  { key, constructed, initialized, configured }: Contract,
  chain: L2Chain,
): Promise<Account> {
  await using devnet = await createDevnet({ ...L1, timestamp: 0 })
  const at = L1_ADDRESSES[chain]
  const { abi, bytecode } = artifactOf(key)
  const creation = encodeDeployData({ abi, bytecode, args: constructed?.(at) } as never)
  // Without a transaction: `initialize` runs in block 1, before which the portal cannot be used.
  const code = await devnet.request({ method: 'eth_call', params: [{ data: creation }, 'latest'] })
  await devnet.request({ method: 'anvil_setCode', params: [at[key], code] })
  const calls = [
    ...(initialized === undefined ? [] : [{ functionName: 'initialize', args: initialized(at, chain) }]),
    ...(configured === undefined ? [] : [configured(at)]),
  ]
  const slots: Record<Hex, Hex> = {}
  for (const call of calls) {
    const transaction = {
      from: OWNER,
      to: at[key],
      data: encodeFunctionData({ abi, ...call }),
      gas: '0xf42400',
    }
    const hash = await devnet.request({ method: 'eth_sendTransaction', params: [transaction] } as never)
    const { post } = (await devnet.request({
      method: 'debug_traceTransaction',
      params: [hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
    } as never)) as { post: Record<Hex, { storage?: Record<Hex, Hex> }> }
    const { storage } = post[at[key]] ?? {}
    if (storage === undefined) throw new Error(`${call.functionName} of ${key} has failed`)
    Object.assign(slots, storage)
  }
  const storage = Object.entries(slots).map(([slot, value]) => [short(slot as Hex), short(value)] as const)
  return { code, storage: storage.sort() }
}

function artifactOf(key: keyof Contracts): { abi: Abi; bytecode: Hex } {
  if (key === 'permissionedDisputeGame') return DisputeGame
  const name = key[0]!.toUpperCase() + key.slice(1)
  const { abi, bytecode } = JSON.parse(
    readFileSync(join(folder, `forge-artifacts/${name}.sol/${name}.json`), 'utf8'),
  )
  return { abi, bytecode: bytecode.object }
}

function short(word: Hex): Hex {
  return toHex(BigInt(word))
}
