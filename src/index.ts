/** The public door: what users of preseal may import. */
export type { Abis } from './abi/abis.ts'
export type { ConsoleLog } from './abi/consoleLog.ts'
export type { Abi, Artifact } from './abi/contract.ts'
export type { Decoded } from './abi/decoded.ts'
export {
  createDevnet,
  type Devnet,
  type DevnetEvents,
  rpcMiddleware,
  type Snapshot,
} from './devnet.ts'
export type { ByteSource } from './model/blockStream.ts'
export type { DevelopmentAccount } from './model/developmentAccounts.ts'
export { type DevnetOptions, InvalidOption, type Settings } from './options.ts'
export { type FaultForm, type Faults, InvalidFault, type PlannedForm, type ReorgForm } from './rpc/faults.ts'
export { ImportFailed } from './rpc/importFailed.ts'
export { type ProviderMessage, ProviderRpcError } from './rpc/provider.ts'
export type { Events } from './sequencer/events.ts'
export type { ImportProgress } from './sequencer/importBlocks.ts'
export type { Listener, ListenOptions } from './server/listen.ts'
export { LoadFailed } from './wire/stateFile/loadFailed.ts'
export type { When } from './wire/when.ts'
