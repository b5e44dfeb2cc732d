/** The public API of preseal. */

export type { DebugCall } from './client/debug.ts'
export { NotIncluded, type Until } from './client/inclusion.ts'
export type {
  BlockSelector,
  Dealt,
  Deployable,
  Deployed,
  DeployNamedOptions,
  DeployOptions,
  ReadParameters,
  SendParameters,
  Sent,
  WriteParameters,
  Written,
} from './client/parameters.ts'
export type { Log, Receipt } from './client/receipt.ts'
export { Reverted, type RevertReason } from './client/reverted.ts'
export type {
  RpcBlockSelector,
  RpcLogFilter,
  RpcMethods,
  RpcRequest,
  RpcResult,
  RpcTransactionRequest,
} from './client/rpcMethods.ts'
export type { Impersonation } from './client/transactions.ts'
export type { DevnetTransport, TransportOptions } from './client/transport.ts'
export { createDevnet } from './devnet/createDevnet.ts'
export type { Devnet, Snapshot } from './devnet/devnet.ts'
export type { ChainEvents as Events, DevnetEvents } from './devnet/events.ts'
export { rpcMiddleware } from './devnet/ports.ts'
export type { MineOptions } from './devnet/timeArguments.ts'
export type { FaultForm, PlannedForm, When } from './faults/faultJson.ts'
export { type Faults, InvalidFault, type ReorgForm } from './faults/faults.ts'
export type { DevelopmentAccount } from './model/account/developmentAccounts.ts'
export type { Duration } from './model/api/arguments.ts'
export type { ByteSource } from './model/block/blockStream.ts'
export { revertReason } from './model/execution/revertReason.ts'
export type { DevnetOptions, Settings } from './options/options.ts'
export { type CommandLineOptions, type Config, defineConfig } from './options/options.ts'
export { InvalidOption } from './options/values.ts'
export { InvalidRecording } from './recording/readRecording.ts'
export type { Recording } from './recording/record.ts'
export type { Difference } from './recording/replay/comparison.ts'
export { type Replay, type ReplayOptions, replay } from './recording/replay/replay.ts'
export {
  type Provider,
  type ProviderEvents,
  type ProviderMessage,
  ProviderRpcError,
} from './rpc/provider.ts'
export { type ImportOptions, optionsOfState } from './saving/api/files.ts'
export { ImportFailed, type ImportFailure } from './saving/api/importFailed.ts'
export { LoadFailed } from './saving/format/loadFailed.ts'
export type { ImportProgress } from './sequencer/import/importBlocks.ts'
export type { Listener, ListenOptions } from './server/listen.ts'
export type { ChainRequest, ChainServer } from './server/many/chainServer.ts'
export { type ServeOptions, serveChains } from './server/many/serveChains.ts'
export { type ChainForm, ChainRefused, type ServedChain } from './server/many/servedChain.ts'
export type { ServedPath } from './server/many/servedPath.ts'
export { Abis } from './solidity/abi/abis.ts'
export type { ConsoleLog } from './solidity/abi/consoleLog.ts'
export type { Abi, Artifact } from './solidity/abi/contract.ts'
export type { Decoded } from './solidity/abi/decoded.ts'
export { Artifacts } from './solidity/artifacts/artifacts.ts'
export type { ArtifactSource, SolcRun } from './solidity/artifacts/solcJson.ts'
export type {
  DebugError,
  DebugFrame,
  DebugGap,
  DebugLog,
  DebugOptions,
  DebugPathPart,
  DebugPosition,
  DebugRun,
  DebugStep,
  DebugVariable,
  FunctionFrame,
  MessageFrame,
  StorageAccess,
} from './solidity/debug/debugRun.ts'
export {
  type FailureKind,
  frameText,
  type SolidityFrame,
  type SolidityStackTrace,
  type SourcePosition,
} from './solidity/stackTrace/format.ts'
export type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from './wire/encode.ts'

import { beforeDevnets } from './devnet/events.ts'
import { measureProcess } from './measuring/measureProcess.ts'

beforeDevnets(measureProcess)
