/**
 * Genesis contracts of an L2 of the OP Stack: Permit2 (github.com/Uniswap/permit2), GasPriceOracle and L1Block as of
 * Jovian and of Isthmus without proxies (github.com/ethereum-optimism/optimism, the upgrade transactions in
 * `op-node/rollup/derive`). All three have the MIT license. The code of WETH is preseal's own, because the WETH of the
 * real chains has another license: it is compiled from fixtures/contracts/WETH9.sol.
 *
 * The contracts for bridges, withdrawals and fees are those of `@eth-optimism/contracts-bedrock` 0.17.3 (MIT license),
 * without proxies. The fee vaults have the recipients, the minimum withdrawal (10 ether) and the withdrawal network (L1)
 * of the OP Stack's own devnet (`devnetL1.json`).
 */
import { fromBase64 } from '../../bytes/bytes.ts'
import { type Address, fromHex, type Hex, toDigits, toHex, toQuantity, toWord } from '../../bytes/hex.ts'
import { keccakOfHex } from '../../crypto/keccak.ts'
import { type L1Addresses, l1Addresses } from '../l2/l1Addresses.ts'
import { type L1Origin, l1BlockStorage, nextOrigin } from '../l2/l1Attributes.ts'
import {
  BASE_FEE_VAULT,
  GAS_PRICE_ORACLE,
  L1_BLOCK,
  L1_FEE_VAULT,
  L2_CROSS_DOMAIN_MESSENGER,
  L2_STANDARD_BRIDGE,
  L2_TO_L1_MESSAGE_PASSER,
  type L2Chain,
  type OwnUpgrade,
  PERMIT2,
  SEQUENCER_FEE_VAULT,
  WETH,
} from '../l2/l2.ts'
import l2Code from './l2Code.json' with { type: 'json' }
import type { Predeploy } from './predeploys.ts'

/** The runtime code of the contracts. The file contains it in base64, which is shorter than hex digits. */
const CODE = Object.fromEntries(
  Object.entries(l2Code).map(([name, base64]) => [name, toHex(fromBase64(base64))]),
) as Readonly<Record<keyof typeof l2Code, Hex>>

let newest: { readonly key: string; readonly contracts: readonly Predeploy[] } | undefined

/**
 * Returns `others` and the predeploys of an L2, L1Block without storage. `l1ChainId` decides the addresses on L1. Calls in a
 * row with the same arguments return the same list.
 */
export function withL2Predeploys(
  others: readonly Predeploy[],
  chain: L2Chain,
  upgrade: OwnUpgrade,
  chainId: bigint,
  l1ChainId?: number,
): readonly Predeploy[] {
  const key = `${chain} ${upgrade} ${chainId} ${l1ChainId} ${others.length}`
  if (newest?.key === key) return newest.contracts
  const contracts: readonly Predeploy[] = [
    ...others,
    { address: PERMIT2, code: permit2Code(chainId) },
    { address: WETH, code: CODE.weth, storage: WETH_STORAGE },
    ...FEE_PREDEPLOYS[upgrade],
    ...bridgePredeploys(l1Addresses(chain, l1ChainId)),
    ...ABSENT_PREDEPLOYS[chain],
  ]
  newest = { key, contracts }
  return contracts
}

/** Returns the storage of L1Block in a block 0 at `timestamp`, in seconds. By default the L1 is simulated. */
export function l1BlockAt(
  chain: L2Chain,
  upgrade: OwnUpgrade,
  timestamp: bigint,
  origin: L1Origin = nextOrigin(timestamp, undefined),
): Pick<Required<Predeploy>, 'address' | 'storage'> {
  return { address: L1_BLOCK, storage: l1BlockStorage(chain, upgrade, origin) }
}

/** Positions in the code of Permit2 at which its constructor inserts the chain id and the domain separator. */
const CHAIN_ID_AT = 6_945
const DOMAIN_SEPARATOR_AT = 6_983

/** The keccak-256 hashes of `EIP712Domain(string name,uint256 chainId,address verifyingContract)` and of `Permit2`. */
const DOMAIN_TYPE = '8cad95687ba82c2ce50e74f7b754645e5117c3a5bec8151c0726d5857980a866'
const DOMAIN_NAME = '9ac997416e8ff9d2ff6bebeb7149f65cdae5e32e2b90440b566bb3044041d36a'

function permit2Code(chainId: bigint): Hex {
  const code = fromHex(CODE.permit2)
  const id = toWord(chainId)
  const domain = [DOMAIN_TYPE, DOMAIN_NAME, toDigits(id), PERMIT2.slice(2).padStart(64, '0')].join('')
  code.set(id, CHAIN_ID_AT)
  code.set(keccakOfHex(`0x${domain}`), DOMAIN_SEPARATOR_AT)
  return toHex(code)
}

/** The storage that the constructor of WETH sets: name, symbol, decimals. */
const WETH_STORAGE = [
  [0n, shortString('Wrapped Ether')],
  [1n, shortString('WETH')],
  [2n, 18n],
] as const

/** Returns a text of up to 31 bytes as Solidity stores it: twice the length of the text is in the last byte. */
function shortString(text: string): bigint {
  const word = new Uint8Array(32)
  word.set(new TextEncoder().encode(text))
  word[31] = text.length * 2
  return toQuantity(word)
}

/** GasPriceOracle and L1Block. Slot 0 of GasPriceOracle contains a flag for each upgrade from Ecotone on. */
const FEE_PREDEPLOYS: Readonly<Record<OwnUpgrade, readonly Predeploy[]>> = {
  isthmus: [
    { address: GAS_PRICE_ORACLE, code: CODE.gasPriceOracleIsthmus, storage: [[0n, 0x010101n]] },
    { address: L1_BLOCK, code: CODE.l1BlockIsthmus },
  ],
  jovian: [
    { address: GAS_PRICE_ORACLE, code: CODE.gasPriceOracle, storage: [[0n, 0x01010101n]] },
    { address: L1_BLOCK, code: CODE.l1Block },
  ],
}

const MINTABLE_ERC20_FACTORY: Address = '0x4200000000000000000000000000000000000012'
const L1_BLOCK_NUMBER: Address = '0x4200000000000000000000000000000000000013'
const L2_ERC721_BRIDGE: Address = '0x4200000000000000000000000000000000000014'
const MINTABLE_ERC721_FACTORY: Address = '0x4200000000000000000000000000000000000017'

/** The value of `xDomainMsgSender` while no message is relayed. */
const NO_SENDER = 0xdeadn

/** Returns the contracts with the storage that their `initialize` functions set, in solc's storage layout. */
function bridgePredeploys(onL1: L1Addresses): readonly Predeploy[] {
  const { l1CrossDomainMessenger, l1StandardBridge, l1ERC721Bridge } = onL1
  return [
    {
      address: L2_CROSS_DOMAIN_MESSENGER,
      code: CODE.l2CrossDomainMessenger,
      storage: [
        [0n, 1n << 160n],
        [204n, NO_SENDER],
        [207n, BigInt(l1CrossDomainMessenger)],
      ],
    },
    {
      address: L2_STANDARD_BRIDGE,
      code: CODE.l2StandardBridge,
      storage: [
        [0n, 1n],
        [3n, BigInt(L2_CROSS_DOMAIN_MESSENGER)],
        [4n, BigInt(l1StandardBridge)],
      ],
    },
    {
      address: L2_ERC721_BRIDGE,
      code: CODE.l2Erc721Bridge,
      storage: [
        [0n, 1n],
        [1n, BigInt(L2_CROSS_DOMAIN_MESSENGER)],
        [2n, BigInt(l1ERC721Bridge)],
      ],
    },
    {
      address: MINTABLE_ERC20_FACTORY,
      code: CODE.mintableErc20Factory,
      storage: [
        [0n, 1n],
        [1n, BigInt(L2_STANDARD_BRIDGE)],
      ],
    },
    { address: MINTABLE_ERC721_FACTORY, code: CODE.mintableErc721Factory },
    { address: L2_TO_L1_MESSAGE_PASSER, code: CODE.l2ToL1MessagePasser },
    { address: L1_BLOCK_NUMBER, code: CODE.l1BlockNumber },
    { address: SEQUENCER_FEE_VAULT, code: CODE.sequencerFeeVault },
    { address: BASE_FEE_VAULT, code: CODE.baseFeeVault },
    { address: L1_FEE_VAULT, code: CODE.l1FeeVault },
  ]
}

const ABSENT_ON_ALL: readonly Predeploy[] = [
  { address: '0x4200000000000000000000000000000000000018', code: refusingCode('ProxyAdmin') },
  { address: '0x420000000000000000000000000000000000001b', code: refusingCode('OperatorFeeVault') },
  { address: '0x4200000000000000000000000000000000000020', code: refusingCode('SchemaRegistry') },
  { address: '0x4200000000000000000000000000000000000021', code: refusingCode('EAS') },
]
const GOVERNANCE_TOKEN: Address = '0x4200000000000000000000000000000000000042'

/** Predeploys that preseal lacks. A transaction to an address without code would succeed, and lose its value. */
const ABSENT_PREDEPLOYS: Readonly<Record<L2Chain, readonly Predeploy[]>> = {
  base: ABSENT_ON_ALL,
  op: [...ABSENT_ON_ALL, { address: GOVERNANCE_TOKEN, code: refusingCode('GovernanceToken') }],
}

/** Returns code that reverts with a Solidity error that names the contract. */
function refusingCode(name: string): Hex {
  const text = new TextEncoder().encode(`preseal does not have the predeploy ${name}`)
  const padded = toDigits(text).padEnd(128, '0')
  const error = `08c379a0${toDigits(toWord(0x20n))}${toDigits(toWord(BigInt(text.length)))}${padded}`
  // CODECOPY and REVERT of the error (0x84 bytes), which follows the twelve bytes of instructions.
  return `0x6084600c60003960846000fd${error}`
}
