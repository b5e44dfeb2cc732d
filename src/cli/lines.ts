/** What happened, as lines: those for people and those for programs are two of a kind. */

import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetEvents } from '../devnet/events.ts'
import { type ConsoleLog, nameOfLog } from '../solidity/abi/consoleLog.ts'

export interface Lines {
  console(...happened: Parameters<DevnetEvents['console']>): Promise<string[]>
  sealed(...happened: Parameters<DevnetEvents['sealed']>): Promise<string[]>
  dropped(...happened: Parameters<DevnetEvents['dropped']>): string[]
  fault(...happened: Parameters<DevnetEvents['fault']>): string[]
  requestFault(...happened: Parameters<DevnetEvents['requestFault']>): string[]
  request(...happened: Parameters<DevnetEvents['request']>): string[]
  refused(...happened: Parameters<DevnetEvents['refused']>): string[]
  reorged(...happened: Parameters<DevnetEvents['reorged']>): string[]
}

/** Resolves to the name of the contract that printed `log`, by the artifacts that `devnet` knows, too. */
export async function nameOf(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  log: ConsoleLog,
): Promise<string | undefined> {
  if (log.name === undefined) await artifacts.load()
  return nameOfLog(log, artifacts)
}
