/**
 * A page that readers follow from the top: files that they write or change, commands that they type, and what these print. A block is a
 * file if the paragraph before it ends with its path, as in "`bot.ts`:", and a `diff` is a change to that file. A `text` after
 * commands is part of what they print; if it begins with ` FAIL `, they fail.
 */
import { join } from 'node:path'
import type { BuiltProject } from '../compilers/builtProject.ts'
import type { Block, Page } from './pages.ts'

type Step =
  | { readonly kind: 'file' | 'change'; readonly block: Block; readonly path: string }
  | { readonly kind: 'commands'; readonly block: Block; readonly printed: Block[] }

/** The paths of these pages. */
export const FOLLOWED: ReadonlySet<string> = new Set(['docs/tutorial.md', 'docs/solc.md'])

/** Returns the steps of a page, in its order. Throws if a block is no step. */
export function stepsOf({ text, blocks }: Page): readonly Step[] {
  const steps: Step[] = []
  for (const block of blocks) {
    const path = pathBefore(text, block)
    const last = steps.at(-1)
    if (block.language === 'sh') steps.push({ kind: 'commands', block, printed: [] })
    else if (path !== undefined) {
      steps.push({ kind: block.language === 'diff' ? 'change' : 'file', block, path })
    } else if (block.language === 'text' && last?.kind === 'commands') last.printed.push(block)
    else throw new Error(`${block.place}: expected a path before it, or commands`)
  }
  return steps
}

/** Returns the path at the end of the paragraph before a block. */
function pathBefore(text: string, { place }: Block): string | undefined {
  const line = Number(place.split(':').at(-1))
  const above = text.split('\n').slice(0, line - 1)
  return /`([\w./-]*\.\w+)`:\n*$/.exec(above.join('\n'))?.[1]
}

/** Takes the steps of a page in a folder of `project`. Rejects at the first step that is not as the page says. */
export async function follow(page: Page, project: BuiltProject, folder: string): Promise<void> {
  for (const step of stepsOf(page)) {
    const { block } = step
    if (step.kind === 'commands') await typeIn(step.block, step.printed, project, folder)
    else {
      const path = join(folder, step.path)
      const text = step.kind === 'file' ? block.text : changed(await project.read(path), block)
      await project.write({ [path]: text })
    }
  }
}

async function typeIn(
  { place, text }: Block,
  printed: readonly Block[],
  project: BuiltProject,
  folder: string,
): Promise<void> {
  const { code, stdout, stderr } = await project.shell(text, folder)
  const output = stdout + stderr
  const expected = printed.some(({ text }) => text.startsWith(' FAIL ')) ? 1 : 0
  if (code !== expected)
    throw new Error(`${place}: expected the exit code ${expected}, got ${code}:\n${output}`)
  for (const { place, text } of printed) {
    if (!withoutEndingBlanks(output).includes(withoutEndingBlanks(text)))
      throw new Error(`${place}: expected it to be printed, got:\n${output}`)
  }
}

/** Returns whole lines, without the blanks at their ends, which editors remove from pages. */
function withoutEndingBlanks(text: string): string {
  return `\n${text.replaceAll(/[^\S\n]+$/gm, '').trimEnd()}\n`
}

/** Returns the text of a file after a change, whose lines begin with a blank, a minus or a plus. */
function changed(text: string, { place, text: diff }: Block): string {
  const sideOf = (sign: string) =>
    diff
      .replace(/\n$/, '')
      .split('\n')
      .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  const [before, after, ...more] = `\n${text}`.split(`\n${sideOf('-')}`)
  if (after === undefined || more.length > 0)
    throw new Error(`${place}: expected its old lines once in the file`)
  return `${before}\n${sideOf('+')}${after}`.slice(1)
}
