/** The classes of the page's elements: each belongs to one file of styles, and is given to an element. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { ROOT } from '../support/docs/pages.ts'

const FOLDER = join(ROOT, 'src/page')

const read = (ending: string) =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }))

/** The selectors of each file of styles, without those that commas join. */
const styles = read('.css').map(({ file, text }) => ({
  file,
  selectors: [...text.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{}@;]+)\{/g)].flatMap(([, list]) =>
    list!.split(',').map((selector) => selector.trim()),
  ),
}))
const classesIn = (selector: string) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name!)
const defined = new Set(styles.flatMap(({ selectors }) => selectors.flatMap(classesIn)))

/** What the attributes and members `class` say: classes, and the beginnings of those that end with a value. */
const given = new Set<string>()
const beginnings = new Set<string>()
for (const { file, text } of read('.tsx')) {
  visit(parseSync(file, text).program, (node) => {
    const { name } = (node.type === 'JSXAttribute' ? node.name : node.key) ?? {}
    if (name === 'class' || name === 'rowClass') take(node.value)
  })
}

/** A node of the syntax tree (ESTree), as far as it is read. */
interface Node {
  readonly type: string
  readonly name?: { readonly name: string }
  readonly key?: { readonly name: string }
  readonly value?: unknown
  readonly expression?: unknown
  readonly consequent?: unknown
  readonly alternate?: unknown
  readonly right?: unknown
  readonly body?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[]
  readonly expressions?: readonly unknown[]
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node) see(node as Node)
  for (const child of Object.values(node)) visit(child, see)
}

/** Takes the classes of an expression: of both ways of a condition, and not of what it asks. */
function take(expression: unknown): void {
  const node = expression as Node | null
  switch (node?.type) {
    case 'Literal':
      takeNames(String(node.value))
      break
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      take(node.expression)
      break
    case 'ConditionalExpression':
      take(node.consequent)
      take(node.alternate)
      break
    case 'LogicalExpression':
      take(node.right)
      break
    case 'ArrowFunctionExpression':
      take(node.body)
      break
    case 'TemplateLiteral': {
      const texts = node.quasis!.map(({ value }) => value.cooked)
      for (const text of texts.slice(0, -1)) beginnings.add(/\S*$/.exec(text)![0])
      takeNames(texts.map((text, i) => (i < texts.length - 1 ? text.replace(/\S*$/, ' ') : text)).join(''))
      for (const each of node.expressions!) take(each)
    }
  }
}

function takeNames(text: string): void {
  for (const name of text.split(/\s+/)) given.add(name)
}

given.delete('')
beginnings.delete('')

test('the rules of a class are in one file', () => {
  const files = new Map<string, Set<string>>()
  for (const { file, selectors } of styles) {
    for (const selector of selectors) {
      // A rule is of the class with which its selector begins: others in it are as they are within that.
      const [owner] = classesIn(selector)
      if (owner !== undefined) files.set(owner, (files.get(owner) ?? new Set()).add(file))
    }
  }
  expect(files.size).toBeGreaterThan(100)
  expect([...files].filter(([, { size }]) => size > 1).map(([name, of]) => [name, ...of])).toEqual([])
})

test('each class that has rules is given to an element', () => {
  const isGiven = (name: string) =>
    given.has(name) || [...beginnings].some((beginning) => name.startsWith(beginning))
  expect([...defined].filter((name) => !isGiven(name))).toEqual([])
})

test('each class that is given to an element has rules', () => {
  expect([...given].filter((name) => !defined.has(name))).toEqual([])
  const names = [...defined]
  expect([...beginnings].filter((beginning) => !names.some((name) => name.startsWith(beginning)))).toEqual([])
})
