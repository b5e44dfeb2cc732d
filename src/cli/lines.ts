/** What happened, as lines: those for people and those for programs are two of a kind. */
import type { DevnetEvents } from '../devnetEvents.ts'

export interface Lines {
  console(...happened: Parameters<DevnetEvents['console']>): string[]
  sealed(...happened: Parameters<DevnetEvents['sealed']>): Promise<string[]>
  dropped(...happened: Parameters<DevnetEvents['dropped']>): string[]
  fault(...happened: Parameters<DevnetEvents['fault']>): string[]
  requestFault(...happened: Parameters<DevnetEvents['requestFault']>): string[]
  request(...happened: Parameters<DevnetEvents['request']>): string[]
  refused(...happened: Parameters<DevnetEvents['refused']>): string[]
  reorged(...happened: Parameters<DevnetEvents['reorged']>): string[]
}
