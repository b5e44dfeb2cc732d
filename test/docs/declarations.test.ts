/** Which declarations are published: what an entry names, and what that mentions. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { neededBy } from '../../scripts/build/declarations.ts'
import { forAnyCompiler, withOptionMeanings } from '../../scripts/build/types.ts'
import { OPTIONS } from '../../src/options/options.ts'

let folder: string | undefined
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true })
  folder = undefined
})

/** What is needed of files, by their names, where `index.d.ts` is the entry. */
async function needed(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'preseal-declarations-'))
  folder = home
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), text)
  }
  const texts = await neededBy([join(home, 'index.d.ts')])
  return Object.fromEntries([...texts].map(([file, text]) => [relative(home, file), text]))
}

describe('the declarations that are published', () => {
  it('are those that an entry names, with what they mention, and nothing beside them', async () => {
    const files = await needed({
      'index.d.ts': `export { type A, b } from './room/a.ts';\n`,
      'room/a.d.ts': `import { Heavy } from 'heavy';
import type { C, D } from '../c.ts';
/** What A is. */
export interface A {
    readonly c: C;
}
/** Who needs this? */
export declare class Unused {
    readonly heavy: Heavy;
    readonly d: D;
}
export declare const b: 1;
`,
      'c.d.ts': `export type C = Inner |
/** A comment within. */
 { kind: 'D' };
type Inner = string;
export type D = number;
`,
    })
    expect(files).toEqual({
      'index.d.ts': `export { type A, b } from './room/a.js';`,
      'room/a.d.ts': `import type { C } from '../c.js';
/** What A is. */
export interface A {
    readonly c: C;
}
export declare const b: 1;`,
      'c.d.ts': `export type C = Inner |
/** A comment within. */
 { kind: 'D' };
type Inner = string;`,
    })
  })

  it('follow names that are changed on the way, namespaces, inline imports, and default exports', async () => {
    const files = await needed({
      'index.d.ts': `import * as all from './all.ts';
import made, { type Other as Else } from './made.ts';
declare const own: Else;
export { own as mine, made };
export declare function f(a: typeof all.one): import("./deep.ts").Deep;
`,
      'all.d.ts': 'export declare const one: 1;\nexport declare const two: 2;\n',
      'made.d.ts':
        'declare const _default: 3;\nexport default _default;\nexport type Other = 4;\ntype No = 5;\n',
      'deep.d.ts': 'export interface Deep {\n}\nexport interface Deeper {\n}\n',
    })
    expect(files['all.d.ts']).toContain('two')
    expect(files['made.d.ts']).toBe(
      'declare const _default: 3;\nexport default _default;\nexport type Other = 4;',
    )
    expect(files['deep.d.ts']).toBe('export interface Deep {\n}')
    expect(files['index.d.ts']).toContain('import("./deep.js").Deep')
    expect(files['index.d.ts']).toContain(`import made, { type Other as Else } from './made.js';`)
  })

  it('keep what a needed file says of the declarations of others', async () => {
    const files = await needed({
      'index.d.ts': `import './more.ts';
import { type Needed } from './needed.ts';
declare module 'vitest' {
    interface Context {
        readonly it: Needed;
    }
}
export {};
`,
      'more.d.ts': 'declare global {\n    var more: 1;\n}\nexport {};\n',
      'needed.d.ts': 'export type Needed = 1;\nexport type Unneeded = 2;\n',
    })
    expect(files['index.d.ts']).toContain('interface Context')
    expect(files['index.d.ts']).toContain(`import './more.js';`)
    expect(files['more.d.ts']).toContain('var more')
    expect(files['needed.d.ts']).toBe('export type Needed = 1;')
  })

  it('are complete: a name that is not there, or a form that is not known, is an error', async () => {
    const absent = { 'index.d.ts': `export { A } from './a.ts';\n`, 'a.d.ts': 'export type B = 1;\n' }
    await expect(needed(absent)).rejects.toThrow('a.d.ts does not export A')
    await rm(folder!, { recursive: true })
    await expect(needed({ 'index.d.ts': `export * from './a.ts';\n` })).rejects.toThrow(
      `export * from './a.ts'`,
    )
  })

  it('bring the library of `await using`, which is newer than that of many programs', () => {
    const text = 'export interface Open extends AsyncDisposable {\n}'
    expect(forAnyCompiler(text, [])).toBe(`/// <reference lib="esnext.disposable" />\n${text}`)
    expect(forAnyCompiler('    [Symbol.asyncDispose](): Promise<void>;', [])).toContain(
      'lib="esnext.disposable"',
    )
    expect(forAnyCompiler('export type Plain = 1;', [])).toBe('export type Plain = 1;')
  })

  it('can be read where an optional package is missing, and say nothing for those that are not', () => {
    const text = `import type { A } from 'maybe';\nimport type { B } from "maybe/more";\nimport { C } from 'always';`
    expect(forAnyCompiler(text, ['maybe']).split('\n')).toEqual([
      '// @ts-ignore: this package is optional',
      `import type { A } from 'maybe';`,
      '// @ts-ignore: this package is optional',
      `import type { B } from "maybe/more";`,
      `import { C } from 'always';`,
    ])
  })

  it('tell what each option means, for editors', () => {
    const declared = Object.keys(OPTIONS).map((name) => `\n    readonly ${name}: v.Type;`)
    const text = withOptionMeanings(declared.join(''))
    expect(text).toContain(`
    /** milliseconds between ticks; each tick pre-confirms one slice (default: \`200\`) */
    readonly tickMs: v.Type;`)
    expect(text.match(/\/\*\* /g)).toHaveLength(declared.length)
    expect(() => withOptionMeanings(declared.slice(1).join(''))).toThrow('does not find the option profile')
  })
})
