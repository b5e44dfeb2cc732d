/** Commands that pages show: whether somebody who types them gets what the page says. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf } from '../../../src/cli/command.ts'
import { subcommandOf } from '../../../src/cli/features.ts'
import { parseFlags } from '../../../src/cli/invocation.ts'
import { parseOptions } from '../../../src/options/parseOptions.ts'
import { ROOT } from './pages.ts'

interface Manifest {
  readonly name: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: object
  readonly devDependencies: object
  readonly peerDependencies?: object
}

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const { name, scripts, dependencies, devDependencies, peerDependencies } = manifest
/** What pages may tell their readers to install. */
const PACKAGES = [
  name,
  ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  'jest',
  '@playwright/test',
]

/** What is wrong with a command; `undefined`: it can be typed. */
type Check = (words: readonly string[]) => string | undefined

const CHECKS: Readonly<Record<string, Check>> = {
  preseal: ofPreseal,
  npm: ofNpm,
  npx: ([program, ...words]) => {
    const check = program === undefined ? undefined : (CHECKS[program] ?? RUN_BY_NPX[program])
    return check === undefined ? `npx ${program} is no command that this knows` : check(words)
  },
  node: (words) =>
    words.includes('--test') ? undefined : missing(words.filter((word) => !word.startsWith('-'))),
  docker: ofDocker,
  git: (words) => (words[0] === 'clone' ? undefined : `git ${words[0]} is not expected in a page`),
  cd: () => undefined,
  mkdir: () => undefined,
  // Those are run, by docs.test.ts.
  curl: () => undefined,
}

const RUN_BY_NPX: Readonly<Record<string, Check>> = {
  vitest: missing,
  jest: () => undefined,
  playwright: (words) =>
    ['test', 'install'].includes(words[0]!) ? undefined : `playwright has no ${words[0]}`,
  biome: () => undefined,
  tsc: () => undefined,
}

/** The commands of a block, each in one line and without its comment. */
export function commandsIn(block: string): string[] {
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').replace(/^\$ /, ''))
    .flatMap((line) => (line.includes("'") ? [line] : line.split(/&&|;|\|/)))
    .map((command) => command.trim())
    .filter((command) => command !== '')
}

/** What is wrong with `command`, if anything is. */
export function complaintAbout(command: string): string | undefined {
  const [program, ...words] = command.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word))
  // A script of this repository.
  if (program!.includes('/') && existsSync(join(ROOT, program!))) return undefined
  const check = CHECKS[program!]
  return check === undefined ? `${program} is no command that this knows` : check(words)
}

function ofPreseal(words: readonly string[]): string | undefined {
  const exit = process.exit
  const { write } = process.stderr
  // commander says what is wrong, and ends the process.
  process.exit = ((code: number) => {
    throw new Error(`preseal ends with ${code}`)
  }) as never
  process.stderr.write = () => true
  try {
    const argv = ['node', 'preseal', ...words]
    const command = commandOf(argv)
    const subcommand = subcommandOf(command)
    if (subcommand === undefined) parseOptions(parseFlags(argv).options)
    else subcommand.parse(command, undefined)
    return missing(words)
  } catch (error) {
    return (error as Error).message
  } finally {
    process.exit = exit
    process.stderr.write = write
  }
}

function ofNpm([command, ...words]: readonly string[]): string | undefined {
  switch (command) {
    case 'ci':
    case 'init':
    case 'pack':
      return undefined
    case 'start':
    case 'test':
      return missing(words)
    case 'run':
      return words.some((word) => Object.hasOwn(scripts, word))
        ? missing(words)
        : `package.json has no script ${words[0]}`
    case 'install': {
      const packages = words.filter((word) => !word.startsWith('-'))
      const unknown = packages.find((word) => !PACKAGES.includes(word) && !word.endsWith('.tgz'))
      return unknown && `${unknown} is no package that is used here`
    }
    default:
      return `npm ${command} is not expected in a page`
  }
}

/** What stands behind the image's name are flags of preseal. */
function ofDocker([command, ...words]: readonly string[]): string | undefined {
  if (!existsSync(join(ROOT, 'Dockerfile'))) return 'there is no Dockerfile'
  if (command === 'build' || words.join(' ') === 'up --detach') return undefined
  const image = words.indexOf(name)
  return command === 'run' && image !== -1
    ? ofPreseal(words.slice(image + 1))
    : `docker ${command} is not expected in a page`
}

/** Files of this repository are there. Others are the reader's. */
function missing(words: readonly string[]): string | undefined {
  const absent = words.find(
    (word) => /^(fixtures|test|scripts|src)\//.test(word) && !existsSync(join(ROOT, word)),
  )
  return absent && `there is no ${absent}`
}
