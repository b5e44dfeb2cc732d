/** The features of the command line. Removing a row removes the feature. */
import type { Command } from 'commander'
import { bridge } from '../bridge/cli/feature.ts'
import { explorations } from '../explore/cli/feature.ts'
import { faults } from '../faults/cli/feature.ts'
import { recording } from '../recording/cli/feature.ts'
import { reports } from '../reports/cli/feature.ts'
import { saving } from '../saving/cli/feature.ts'
import { chains } from '../server/many/cli/feature.ts'
import type { Feature, ServeCommand, Subcommand } from '../terminal/feature.ts'

export const FEATURES: readonly Feature[] = [chains, bridge, faults, saving, recording, reports, explorations]

export function subcommandOf(command: Command): Subcommand | undefined {
  return FEATURES.find(({ subcommand }) => subcommand?.name === command.name())?.subcommand
}

/** Returns the feature's `serveCommand` that defined `command`, or `undefined`. */
export function serveCommandOf(command: Command): ServeCommand | undefined {
  return FEATURES.find(({ serveCommand }) => serveCommand?.name === command.name())?.serveCommand
}
