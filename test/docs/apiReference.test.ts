/** Pages of the API reference, made from published declarations. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiPages } from '../../scripts/docs/api.ts'
import { emptyFolder } from '../../scripts/package/folders.ts'

/** The index and the page of the entry `preseal/testing`, whose file is `index.d.ts`. */
async function pagesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  await using folder = await emptyFolder()
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder.path, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const pages = await apiPages([['preseal/testing', join(folder.path, 'index.d.ts')]])
  return pages.map(({ text }) => text)
}

const FILES = {
  'index.d.ts': `import { expect } from 'vitest';
export { type Log, Devnet, replay as play } from './room/devnet.js';
/** Both. */
export declare const both: [Log, Unexplained];
export { expect };
`,
  'room/devnet.d.ts': `import { Engine } from '../engine.js';
import type { Log as ChainLog } from '../engine.js';
import { Base } from '../base.js';
/** A log as clients read it. */
export interface Log {
    /** The data. */
    readonly data: string;
}
/** A simulated chain. */
export declare class Devnet extends Base {
    readonly engine: Engine;
    readonly logs: ChainLog[];
}
/**
 * Plays a recording.
 *
 * @param text - what was recorded
 */
export declare function replay(text: string): Outcome;
/** The end of a recording. */
type Outcome = Unexplained;
type Unexplained = 'same';
`,
  'base.d.ts': 'export declare class Base {\n    /** Sends. */\n    send(): void;\n}\n',
  'engine.d.ts': `import type { Inner } from './inner.js';
export declare class Engine {
    readonly inner: Inner;
}
/** A log of the chain. */
export interface Log {
    readonly inside: true;
}
`,
  'inner.d.ts': 'export interface Inner {\n}\n',
}

describe('the API reference', () => {
  it('has a page for each entry, and an index that links to each export', async () => {
    const [index] = await pagesOf(FILES)
    expect(index).toContain('## [`preseal/testing`](preseal-testing.md)')
    const names = [...index!.matchAll(/\[`(\w+)`\]\(preseal-testing\.md#(\w+)\)/g)]
    expect(names.map(([, name, anchor]) => `${name} ${anchor}`)).toEqual([
      'both both',
      'Devnet devnet',
      'Log log',
      'replay replay',
    ])
  })

  it('shows each export with its doc comment and its signature', async () => {
    const [, page] = await pagesOf(FILES)
    const [exports] = page!.split('## Types that these refer to')
    expect(headings(exports!)).toEqual(['both', 'Devnet', 'Log', 'replay'])
    expect(exports).toContain(`### \`replay\`

\`\`\`ts
/**
 * Plays a recording.
 *
 * @param text - what was recorded
 */
function replay(text: string): Outcome;
\`\`\``)
    expect(exports).toContain('/** A log as clients read it. */\ninterface Log {')
    expect(exports).toContain('/** Both. */\nconst both: [Log, Unexplained];')
  })

  it('shows the mentioned interfaces, explained types and base classes, but no other classes', async () => {
    const [, page] = await pagesOf(FILES)
    const [, others] = page!.split('## Types that these refer to')
    expect(headings(others!)).toEqual(['Base', 'Log', 'Outcome'])
    expect(others).toContain('class Base {\n    /** Sends. */\n    send(): void;')
  })
})

function headings(text: string): (string | undefined)[] {
  return [...text.matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name)
}
