/** The addresses of OP Stack contracts on Ethereum (github.com/ethereum-optimism/superchain-registry, docs.base.org). */
import type { Address } from '../../bytes/hex.ts'
import type { L2Chain } from './l2.ts'

type L1Contract =
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

/** The contracts on Ethereum with which each L2 communicates. */
export const L1_ADDRESSES: Readonly<Record<L2Chain, Readonly<Record<L1Contract, Address>>>> = {
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
  },
}

/** The account that proposes output roots of OP Mainnet. */
export const PROPOSER: Address = '0x473300df21d047806a082244b417f96b32f13a33'
