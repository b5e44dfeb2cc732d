/** The addresses of OP Stack contracts on L1 (github.com/ethereum-optimism/superchain-registry, docs.base.org). */
import type { Address } from '../../bytes/hex.ts'
import type { L2Chain } from './l2.ts'

export type L1Contract =
  | 'superchainConfig'
  | 'systemConfig'
  | 'optimismPortal2'
  | 'disputeGameFactory'
  | 'permissionedDisputeGame'
  | 'anchorStateRegistry'
  | 'l1CrossDomainMessenger'
  | 'l1StandardBridge'
  | 'l1ERC721Bridge'
  | 'optimismMintableERC20Factory'

/** The contracts with which an L2 communicates, and the address to which its batcher sends the batches. */
export type L1Addresses = Readonly<Record<L1Contract | 'batchInbox', Address>>

const ON_ETHEREUM: Readonly<Record<L2Chain, L1Addresses>> = {
  base: {
    superchainConfig: '0x95703e0982140d16f8eba6d158fccede42f04a4c',
    systemConfig: '0x73a79fab69143498ed3712e519a88a918e1f4072',
    optimismPortal2: '0x49048044d57e1c92a77f79988d21fa8faf74e97e',
    disputeGameFactory: '0x43edb88c4b80fdd2adff2412a7bebf9df42cb40e',
    permissionedDisputeGame: '0x6f8c1ea88cb410571739d36eb00811b250574cb2',
    anchorStateRegistry: '0x909f6cf47ed12f010a796527f562bfc26c7f4e72',
    l1CrossDomainMessenger: '0x866e82a600a1414e583f7f13623f1ac5d58b0afa',
    l1StandardBridge: '0x3154cf16ccdb4c6d922629664174b904d80f2c35',
    l1ERC721Bridge: '0x608d94945a64503e642e6370ec598e519a2c1e53',
    optimismMintableERC20Factory: '0x05cc379ebd9b30bba19c6fa282ab29218ec61d84',
    batchInbox: '0xff00000000000000000000000000000000008453',
  },
  op: {
    superchainConfig: '0x95703e0982140d16f8eba6d158fccede42f04a4c',
    systemConfig: '0x229047fed2591dbec1ef1118d64f7af3db9eb290',
    optimismPortal2: '0xbeb5fc579115071764c7423a4f12edde41f106ed',
    disputeGameFactory: '0xe5965ab5962edc7477c8520243a95517cd252fa9',
    permissionedDisputeGame: '0x050ed6f6273c7d836a111e42153bc00d0380b87d',
    anchorStateRegistry: '0x18dac71c228d1c32c99489b7323d441e1175e443',
    l1CrossDomainMessenger: '0x25ace71c97b33cc4729cf772ae268934f7ab5fa1',
    l1StandardBridge: '0x99c9fc46f92e8a1c0dec1b1747d010903e884be1',
    l1ERC721Bridge: '0x5a7749f83b81b301cab5f48eb8516b986daef23d',
    optimismMintableERC20Factory: '0x75505a97bd334e7bd3c476893285569c4136fa0f',
    batchInbox: '0xff00000000000000000000000000000000000010',
  },
}

const ON_SEPOLIA: Readonly<Record<L2Chain, L1Addresses>> = {
  base: {
    superchainConfig: '0xc2be75506d5724086deb7245bd260cc9753911be',
    systemConfig: '0xf272670eb55e895584501d564afeb048bed26194',
    optimismPortal2: '0x49f53e41452c74589e85ca1677426ba426459e85',
    disputeGameFactory: '0xd6e6dbf4f7ea0ac412fd8b65ed297e64bb7a06e1',
    permissionedDisputeGame: '0x593d20c4c69485b95d11507239be2c725ea2a6fd',
    anchorStateRegistry: '0x2ff5cc82dbf333ea30d8ee462178ab1707315355',
    l1CrossDomainMessenger: '0xc34855f4de64f1840e5686e64278da901e261f20',
    l1StandardBridge: '0xfd0bf71f60660e2f608ed56e1659c450eb113120',
    l1ERC721Bridge: '0x21efd066e581fa55ef105170cc04d74386a09190',
    optimismMintableERC20Factory: '0xb1efb9650ad6d0cc1ed3ac4a0b7f1d5732696d37',
    batchInbox: '0xff00000000000000000000000000000000084532',
  },
  op: {
    superchainConfig: '0xc2be75506d5724086deb7245bd260cc9753911be',
    systemConfig: '0x034edd2a225f7f429a63e0f1d2084b9e0a93b538',
    optimismPortal2: '0x16fc5058f25648194471939df75cf27a2fdc48bc',
    disputeGameFactory: '0x05f9613adb30026ffd634f38e5c4dfd30a197fa1',
    permissionedDisputeGame: '0x98e3f752c7224f8322afa935a4caec3832bb25c9',
    anchorStateRegistry: '0xa1cec548926eb5d69aa3b7b57d371edbdd03e64b',
    l1CrossDomainMessenger: '0x58cc85b8d04ea49cc6dbd3cbffd00b4b8d6cb3ef',
    l1StandardBridge: '0xfbb0621e0b23b5478b630bd55a5f21f67730b0f1',
    l1ERC721Bridge: '0xd83e03d576d23c9aeab8cc44fa98d058d2176d1f',
    optimismMintableERC20Factory: '0x868d59ff9710159c2b330cc0fbdf57144dd7a13b',
    batchInbox: '0xff00000000000000000000000000000011155420',
  },
}

const SEPOLIA = 11_155_111

/** Returns the addresses of an L2's network: its testnet if the L1 is Sepolia, its mainnet beside any other L1. */
export function l1Addresses(l2: L2Chain, l1ChainId?: number): L1Addresses {
  return (l1ChainId === SEPOLIA ? ON_SEPOLIA : ON_ETHEREUM)[l2]
}

/** The account that proposes output roots of OP Mainnet. */
export const PROPOSER: Address = '0x473300df21d047806a082244b417f96b32f13a33'
