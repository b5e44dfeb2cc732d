/** The features of the command line. A feature without its row is gone. */
import type { Command } from 'commander'
import { faults } from '../faults/cli/feature.ts'
import { recording } from '../recording/cli/feature.ts'
import { reports } from '../reports/cli/feature.ts'
import { saving } from '../saving/cli/feature.ts'
import type { Feature, Subcommand } from '../terminal/feature.ts'
import { compare } from './compare.ts'

export const FEATURES: readonly Feature[] = [faults, saving, recording, compare, reports]

/** Returns the feature's command that `command` is; `undefined` for `preseal` and `preseal serve`. */
export function subcommandOf(command: Command): Subcommand | undefined {
  return FEATURES.find(({ subcommand }) => subcommand?.name === command.name())?.subcommand
}
