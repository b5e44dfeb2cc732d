/**
 * Writes `src/bridge/l1Contracts.json`: the contracts of the OP Stack on L1 with the storage that `initialize` sets, for the L1
 * beside an L2. The argument is the folder of the unpacked package `@eth-optimism/contracts-bedrock` 0.17.3
 * (`npm pack @eth-optimism/contracts-bedrock@0.17.3`, MIT license). Each contract is initialized on a devnet at the address
 * that it has beside OP Mainnet, without a proxy. The dispute game is preseal's own: fixtures/contracts/DisputeGame.sol.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, toHex, zeroAddress } from 'viem'
import { DisputeGame } from '../fixtures/contracts/DisputeGame.ts'
import { createDevnet } from '../src/index.ts'
import { type L1Contract, l1Addresses } from '../src/model/l2/l1Addresses.ts'
import { L2_TERMS } from '../src/model/l2/l2.ts'
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

const AT = l1Addresses('op')
const { baseFeeScalar, blobBaseFeeScalar, batcher } = L2_TERMS.op

interface Contract {
  readonly key: L1Contract
  readonly constructed?: readonly unknown[]
  readonly initialized?: readonly unknown[]
  /** A call of the owner after `initialize`. */
  readonly configured?: { readonly functionName: string; readonly args: readonly unknown[] }
}

const CONTRACTS: readonly Contract[] = [
  { key: 'superchainConfig', initialized: [OWNER, false] },
  {
    key: 'optimismPortal2',
    constructed: [PROOF_MATURITY_SECONDS, GAME_FINALITY_SECONDS],
    initialized: [AT.disputeGameFactory, AT.systemConfig, AT.superchainConfig, PERMISSIONED_CANNON],
  },
  {
    key: 'systemConfig',
    initialized: [
      OWNER,
      Number(baseFeeScalar),
      Number(blobBaseFeeScalar),
      toHex(BigInt(batcher), { size: 32 }),
      GAS_LIMIT,
      UNSAFE_BLOCK_SIGNER,
      RESOURCES,
      AT.batchInbox,
      { ...AT, optimismPortal: AT.optimismPortal2, gasPayingToken: zeroAddress },
    ],
  },
  {
    key: 'disputeGameFactory',
    initialized: [OWNER],
    configured: {
      functionName: 'setImplementation',
      args: [PERMISSIONED_CANNON, AT.permissionedDisputeGame],
    },
  },
  { key: 'permissionedDisputeGame', constructed: [PERMISSIONED_CANNON, AT.anchorStateRegistry, 0n] },
  {
    key: 'anchorStateRegistry',
    constructed: [AT.disputeGameFactory],
    initialized: [[{ gameType: PERMISSIONED_CANNON, outputRoot: ANCHOR }]],
  },
  {
    key: 'l1CrossDomainMessenger',
    initialized: [AT.superchainConfig, AT.optimismPortal2, AT.systemConfig],
  },
  {
    key: 'l1StandardBridge',
    initialized: [AT.l1CrossDomainMessenger, AT.superchainConfig, AT.systemConfig],
  },
  { key: 'l1ERC721Bridge', initialized: [AT.l1CrossDomainMessenger, AT.superchainConfig] },
  { key: 'optimismMintableERC20Factory', initialized: [AT.l1StandardBridge] },
]

const L1 = { rhythm: 'instant', profile: 'ethereum', ticksPerBlock: 0 } as const

interface Account {
  readonly code: Hex
  readonly storage: readonly (readonly [slot: string, value: string])[]
}

const contracts: unknown[] = []
const codes: Buffer[] = []
for (const contract of CONTRACTS) {
  const { code, storage } = await initialized(contract)
  codes.push(Buffer.from(code.slice(2), 'hex'))
  contracts.push({ name: contract.key, codeSize: codes.at(-1)!.length, storage })
}
const deflated = deflateRawSync(Buffer.concat(codes), { level: 9 }).toString('base64')
const path = 'src/bridge/l1Contracts.json'
const text = formatted(path, JSON.stringify({ contracts, deflated }))
writeGenerated([{ path, text }], 'npx tsx scripts/record-l1.ts FOLDER')
console.log(`${path}: ${text.length} bytes`)

async function initialized({ key, constructed, initialized, configured }: Contract): Promise<Account> {
  await using devnet = await createDevnet({ ...L1, timestamp: 0 })
  const { abi, bytecode } = artifactOf(key)
  const creation = encodeDeployData({ abi, bytecode, args: constructed } as never)
  // Without a transaction: `initialize` runs in block 1, before which the portal cannot be used.
  const code = await devnet.request({ method: 'eth_call', params: [{ data: creation }, 'latest'] })
  await devnet.request({ method: 'anvil_setCode', params: [AT[key], code] })
  const calls = [
    ...(initialized === undefined ? [] : [{ functionName: 'initialize', args: initialized }]),
    ...(configured === undefined ? [] : [configured]),
  ]
  const slots: Record<Hex, Hex> = {}
  for (const call of calls) {
    const transaction = {
      from: OWNER,
      to: AT[key],
      data: encodeFunctionData({ abi, ...call }),
      gas: '0xf42400',
    }
    const hash = await devnet.request({ method: 'eth_sendTransaction', params: [transaction] } as never)
    const { post } = (await devnet.request({
      method: 'debug_traceTransaction',
      params: [hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
    } as never)) as { post: Record<Hex, { storage?: Record<Hex, Hex> }> }
    const { storage } = post[AT[key]] ?? {}
    if (storage === undefined) throw new Error(`${call.functionName} of ${key} has failed`)
    Object.assign(slots, storage)
  }
  const storage = Object.entries(slots).map(([slot, value]) => [short(slot as Hex), short(value)] as const)
  return { code, storage: storage.sort() }
}

function artifactOf(key: L1Contract): { abi: Abi; bytecode: Hex } {
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
