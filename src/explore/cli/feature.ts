/** The command `preseal explore FILE`. */
import type { Feature, Subcommand } from '../../terminal/feature.ts'
import { commandLineFlagsOf, formatOf, wholeNumberOf } from '../../terminal/flags.ts'

/** The flags of limits, what each counts, and the least value. */
const LIMITS = [
  ['seconds', 'seconds', 1],
  ['seed', 'a number', 0],
  ['depth', 'actions', 1],
  ['states', 'states', 1],
  ['length', 'actions', 0],
] as const

const exploreCommand: Subcommand = {
  name: 'explore',
  define(command) {
    command
      .description(
        'Runs the explorations that a module exports, and tells the shortest story that breaks a rule.',
      )
      .argument('<file>', 'a module in TypeScript or JavaScript that exports results of defineExploration')
      .option('--seconds <number>', 'time limit of each exploration (default: that of its definition)')
      .option('--seed <number>', 'seed of everything that is drawn')
      .option('--depth <number>', 'maximum number of actions of the systematic search')
      .option('--states <number>', 'maximum number of states of the systematic search')
      .option('--length <number>', 'maximum number of actions of a random sequence; 0 for none')
      .option('--silent', 'print only errors; with --json also the results')
      .option('--json', 'print one JSON object per line')
  },
  usesConfig: () => false,
  parse(command) {
    const given = commandLineFlagsOf(command)
    const limits = Object.fromEntries(
      LIMITS.flatMap(([name, noun, from]) =>
        given[name] === undefined
          ? []
          : [[name, wholeNumberOf(`--${name}`, noun, String(given[name]), from)]],
      ),
    )
    return {
      format: formatOf(given),
      async run(output) {
        const { exploreFile } = await import('./exploreFile.ts')
        return exploreFile(command.args[0]!, limits, given.json === true, output)
      },
    }
  },
}

export const explorations: Feature = { subcommand: exploreCommand }
