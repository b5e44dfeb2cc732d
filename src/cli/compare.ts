/** `preseal compare`: repeats a run in which the two engines differed, and prints both outcomes. */
import { readFile } from 'node:fs/promises'
import { toHex } from '../bytes/hex.ts'
import type { Comparison } from '../engine/evm.ts'
import type { Feature } from '../terminal/feature.ts'
import { FileFailed, fail } from '../terminal/files.ts'

export const compare: Feature = {
  subcommand: {
    name: 'compare',
    define(command) {
      command
        .description(
          'Repeats, in both engines, a run that --engine both has recorded, and shows where they differ.',
        )
        .argument('<file>', 'the run, such as preseal-difference-1.json')
    },
    usesConfig: () => false,
    parse: ({ args: [file] }) => ({ format: 'text', run: ({ print }) => compareFile(file!, print) }),
  },
}

/** Compares the engines. Returns exit code 0 if they agree, else 1. Throws `FileFailed` if `file` contains no run. */
export async function compareFile(file: string, print: (line: string) => void): Promise<number> {
  const comparison = await read(file)
  for (const line of linesOf(comparison)) print(line)
  return comparison.differences.length === 0 ? 0 : 1
}

async function read(file: string): Promise<Comparison> {
  const text = await readFile(file, 'utf8').catch((error) => fail('compare', file, error))
  // The module is imported only here, because it loads both engines.
  const { compareRun, NotAReproduction } = await import('../engine/evm.ts')
  try {
    return await compareRun(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof NotAReproduction)) throw error
    throw new FileFailed(`compare ${file}: not a run that --engine both has recorded: ${error.message}`)
  }
}

function linesOf({ wasm, ethereumjs, differences }: Comparison): string[] {
  if (differences.length === 0) return ['wasm and ethereumjs agree']
  const names = new Set([...Object.keys(wasm), ...Object.keys(ethereumjs)])
  const hasError = differences.includes('error')
  return [
    hasError ? 'an engine threw an error' : `wasm and ethereumjs differ in ${differences.join(', ')}`,
    ...[...names].flatMap((name) => [
      `  ${name}`,
      `    wasm        ${shown(wasm[name as keyof typeof wasm])}`,
      `    ethereumjs  ${shown(ethereumjs[name as keyof typeof ethereumjs])}`,
    ]),
  ]
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member === 'bigint') return member.toString()
    return member instanceof Uint8Array ? toHex(member) : member
  })
}
