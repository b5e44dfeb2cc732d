import { type Command, Option } from 'commander'
import type { Config } from '../../options/configFile.ts'
import { artifactsIn } from '../../options/flags.ts'
import type { Feature, Subcommand } from '../../terminal/feature.ts'
import { commandLineFlagsOf, formatOf, repeatable } from '../../terminal/flags.ts'
import type { ReportArguments } from './reportFile.ts'

const reportCommand: Subcommand = {
  name: 'report',
  define(command) {
    command
      .description(
        'Writes one HTML file that shows a recording of --record in a browser, without any server.',
      )
      .argument('<file>', 'the recording')
      .option('-o, --output <file>', 'file to write (default: beside the recording, with the ending .html)')
      .option('--force', 'replace the file if it exists')
      .addOption(
        repeatable(
          new Option(
            '--artifacts <path>',
            'artifacts of the contracts in the session, which the report contains with their sources; repeatable (default: those of the project in the working folder)',
          ),
        ),
      )
      .option('--no-artifacts', 'leave artifacts out of the report: contracts then have no names')
      .option(
        '--config <file>',
        'file of options, of which the report takes artifacts (default: preseal.config.ts, if it exists)',
      )
      .option('--open', 'open it in the default browser')
      .option('--silent', 'print only errors; with --json also the result')
      .option('--json', 'print one JSON object per line')
  },
  usesConfig: (command) => command.opts().artifacts !== false,
  parse(command, config) {
    const args = reportArguments(command, config)
    return {
      format: args.format,
      async run(output) {
        const { writeReport } = await import('./reportFile.ts')
        await writeReport(args, output)
        return 0
      },
    }
  },
}

export const reports: Feature = { subcommand: reportCommand }

export function reportArguments(command: Command, config: Config | undefined): ReportArguments {
  const given = commandLineFlagsOf(command)
  const file = command.args[0]!
  return {
    file,
    output: (given.output as string | undefined) ?? `${file.replace(/\.[^./\\]+$/, '')}.html`,
    isForced: given.force === true,
    hasNames: given.artifacts !== false,
    artifacts: Array.isArray(given.artifacts) ? given.artifacts.map(artifactsIn) : config?.options.artifacts,
    format: formatOf(given),
    isJson: given.json === true,
    isPageOpened: given.open === true,
  }
}
