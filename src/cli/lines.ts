/** The printed lines of events: `textLines` for people, `jsonLines` for programs. */
import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetEvents } from '../devnet/events.ts'
import { type ConsoleLog, nameOfLog } from '../solidity/abi/consoleLog.ts'

/** The events that are printed. */
export type PrintedEvent =
  | 'console'
  | 'sealed'
  | 'dropped'
  | 'fault'
  | 'requestFault'
  | 'request'
  | 'refused'
  | 'reorged'

/** Returns the lines of an event. */
export type Lines = {
  readonly [E in PrintedEvent]: (...args: Parameters<DevnetEvents[E]>) => string[] | Promise<string[]>
}

/** Resolves to the name of the contract that printed `log`, by ABIs and by the artifacts of `devnet`. */
export async function nameOf(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  log: ConsoleLog,
): Promise<string | undefined> {
  if (log.name === undefined) await artifacts.load()
  return nameOfLog(log, artifacts)
}
