/** The command `preseal explore FILE`. */
import type { Feature, Subcommand } from '../../terminal/feature.ts'
import { commandLineFlagsOf, formatOf, wholeNumberOf } from '../../terminal/flags.ts'

/** Options that are numbers: what each counts, and the least value. */
const NUMBERS: Readonly<Record<string, readonly [noun: string, from: number]>> = {
  seconds: ['seconds', 1],
  seed: ['a number', 0],
  workers: ['threads', 1],
  depth: ['actions', 1],
  states: ['states', 1],
  length: ['actions', 0],
  maxFaults: ['faults', 0],
  stories: ['stories', 1],
}

const exploreCommand: Subcommand = {
  name: 'explore',
  define(command) {
    command
      .description(
        'Runs the explorations that a module exports, and tells the shortest story that breaks a rule.',
      )
      .argument('<file>', 'a module that exports results of defineExploration or defineStories')
      .option('--seconds <number>', 'time limit of each exploration (default: that of its definition)')
      .option('--seed <number>', 'seed of everything that is drawn')
      .option('--workers <number>', 'number of threads that play (default: 1)')
      .option('--depth <number>', 'contracts: maximum number of actions of the systematic search')
      .option('--states <number>', 'contracts: maximum number of states of the systematic search')
      .option('--length <number>', 'contracts: maximum number of actions of a random sequence; 0 for none')
      .option('--max-faults <number>', 'apps: maximum number of faults of the systematic search')
      .option('--stories <number>', 'apps: maximum number of stories')
      .option('--story <text>', 'apps: play only this story')
      .option('--silent', 'print only errors; with --json also the results')
      .option('--json', 'print one JSON object per line')
  },
  usesConfig: () => false,
  parse(command) {
    const given = commandLineFlagsOf(command)
    const options: Record<string, unknown> = given.story === undefined ? {} : { story: given.story }
    for (const option of command.options) {
      const name = option.attributeName()
      const number = NUMBERS[name]
      if (number === undefined || given[name] === undefined) continue
      options[name] = wholeNumberOf(option.long!, number[0], String(given[name]), number[1])
    }
    return {
      format: formatOf(given),
      async run(output) {
        const { exploreFile } = await import('./exploreFile.ts')
        return exploreFile(command.args[0]!, options, given.json === true, output)
      },
    }
  },
}

export const explorations: Feature = { subcommand: exploreCommand }
