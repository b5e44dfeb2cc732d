/** The public API of preseal. */
export { Abis } from './abi/abis.ts'
export type { ConsoleLog } from './abi/consoleLog.ts'
export type { Abi, Artifact } from './abi/contract.ts'
export type { Decoded } from './abi/decoded.ts'
export type { ArtifactSource, SolcRun } from './artifacts/artifactSource.ts'
export { Artifacts } from './artifacts/artifacts.ts'
export { type ImportOptions, optionsOfState } from './chainFiles.ts'
export type { BlockSelector } from './client/at.ts'
export type { DebugCall } from './client/debug.ts'
export type { Impersonation } from './client/impersonation.ts'
export { NotIncluded, type Until } from './client/inclusion.ts'
export type {
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
  RpcBlock,
  RpcBlockSelector,
  RpcLog,
  RpcLogFilter,
  RpcMethods,
  RpcReceipt,
  RpcRequest,
  RpcResult,
  RpcTransaction,
  RpcTransactionRequest,
} from './client/rpcMethods.ts'
export type { DevnetTransport, TransportOptions } from './client/transport.ts'
export { type CommandLineOptions, type Config, defineConfig } from './config.ts'
export { createDevnet } from './createDevnet.ts'
export type { Devnet, Snapshot } from './devnet.ts'
export type { DevnetEvents } from './devnetEvents.ts'
export type { FaultForm, PlannedForm } from './faults/faultPlanner.ts'
export { type Faults, InvalidFault, type ReorgForm } from './faults/faults.ts'
export type { ByteSource } from './model/block/blockStream.ts'
export type { DevelopmentAccount } from './model/developmentAccounts.ts'
export type { Duration } from './model/duration.ts'
export { revertReason } from './model/execution/revertReason.ts'
export type { MineOptions } from './moments.ts'
export { InvalidOption } from './options/invalidOption.ts'
export type { DevnetOptions, Settings } from './options/options.ts'
export { InvalidRecording } from './recording/invalidRecording.ts'
export type { Recording } from './recording/record.ts'
export type { Difference } from './recording/verdict.ts'
export { type Replay, type ReplayOptions, replay } from './replay.ts'
export { ImportFailed, type ImportFailure } from './rpc/importFailed.ts'
export { type Provider, type ProviderEvents, type ProviderMessage, ProviderRpcError } from './rpc/provider.ts'
export { rpcMiddleware } from './rpcMiddleware.ts'
export type { Events } from './sequencer/events.ts'
export type { ImportProgress } from './sequencer/import/importBlocks.ts'
export { type ChainRequest, type ChainServer, type ServeOptions, serveChains } from './serveChains.ts'
export type { ChainForm, ServedChain } from './servedChain.ts'
export { ChainRefused } from './server/chainRefused.ts'
export type { Listener, ListenOptions } from './server/listen.ts'
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
  FunctionFrame,
  MessageFrame,
  StorageAccess,
} from './solidity/debug/debugRun.ts'
export { frameText } from './solidity/stackTrace/frameText.ts'
export type {
  FailureKind,
  SolidityFrame,
  SolidityStackTrace,
  SourcePosition,
} from './solidity/stackTrace/stackTrace.ts'
export { LoadFailed } from './wire/stateFile/loadFailed.ts'
export type { When } from './wire/when.ts'
