import type { Address } from '../../bytes/hex.ts'

/** Names of contracts that stand at the same address on most chains, or on all OP-stack chains. */
export const WELL_KNOWN: ReadonlyMap<Address, string> = new Map([
  ['0xca11bde05977b3631167028862be2a173976ca11', 'Multicall3'],
  ['0x4e59b44847b379578588920ca78fbf26c0b4956c', 'DeterministicDeploymentProxy'],
  ['0x914d7fec6aac8cd542e72bca78b30650d45643d7', 'SafeSingletonFactory'],
  ['0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed', 'CreateX'],
  ['0x000000000022d473030f116ddee9f6b43ac78ba3', 'Permit2'],
  ['0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789', 'EntryPoint 0.6'],
  ['0x0000000071727de22e5e9d8baf0edac6f37da032', 'EntryPoint 0.7'],
  ['0x4337084d9e255ff0702461cf8895ce9e3b5ff108', 'EntryPoint 0.8'],
  ['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', 'BeaconRoots'],
  ['0x0000f90827f1c53a10cb7a02335b175320002935', 'HistoryStorage'],
  ['0x00000961ef480eb55e80d19ad83579a64c007002', 'WithdrawalRequests'],
  ['0x0000bbddc7ce488642fb579f8b00f3a590007251', 'ConsolidationRequests'],
  ['0x4200000000000000000000000000000000000006', 'WETH9'],
  ['0x4200000000000000000000000000000000000007', 'L2CrossDomainMessenger'],
  ['0x420000000000000000000000000000000000000f', 'GasPriceOracle'],
  ['0x4200000000000000000000000000000000000010', 'L2StandardBridge'],
  ['0x4200000000000000000000000000000000000011', 'SequencerFeeVault'],
  ['0x4200000000000000000000000000000000000015', 'L1Block'],
  ['0x4200000000000000000000000000000000000016', 'L2ToL1MessagePasser'],
  ['0x4200000000000000000000000000000000000019', 'BaseFeeVault'],
  ['0x420000000000000000000000000000000000001a', 'L1FeeVault'],
])
