/** The printed lines of events: `textLines` for people, `jsonLines` for programs. */
import type { Devnet } from '../devnet/devnet.ts'
import { type ConsoleLog, nameOfLog } from '../solidity/abi/consoleLog.ts'
import type { EventLines } from '../terminal/feature.ts'

/** Returns the lines of each printed event. */
export type Lines = Required<
  Pick<EventLines, 'console' | 'sealed' | 'dropped' | 'request' | 'refused' | 'reorged'>
>

/** Resolves to the name of the contract that printed `log`, by ABIs and by the artifacts of `devnet`. */
export async function nameOf(
  { artifacts }: Pick<Devnet, 'artifacts'>,
  log: ConsoleLog,
): Promise<string | undefined> {
  if (log.name === undefined) await artifacts.load()
  return nameOfLog(log, artifacts)
}
