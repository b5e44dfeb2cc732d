/**
 * The ways that src/README.md draws: that of a block selector from HTTP to the state, that of a raw transaction from HTTP
 * to the notification of its log, and that of a slot from a forked network. The files that the page names are those that run, and no others.
 */
import { beforeAll, expect, it } from 'vitest'
import { PAGES } from '../support/docs/pages.ts'
import { type Entered, entered } from '../support/docs/waysEntered.ts'

/** Rooms whose files are asked on the way of a transaction, but for those that are named. */
const ASKED_ROOMS = /^(chain|engine|state|model|crypto|work|bytes)\//

let measured: Entered
beforeAll(async () => {
  measured = await entered()
})

it('of a selector passes the files that the page names, each once', () => {
  const [way, beside] = blockWith('bytes arrive over HTTP')
  const files = first(way!)
  expect(files).toHaveLength(9)
  expect(new Set(files).size).toBe(files.length)
  expect(measured.selector).toEqual([...files, ...named(beside!)].sort())
})

it('of a raw transaction passes the files that the page names, none twice', () => {
  const [toPool, fromPool, beside] = blockWith('eth_sendRawTransaction request arrive')
  const untilPool = first(toPool!)
  const afterPool = first(fromPool!)
  const way = [...untilPool, ...afterPool]
  expect(way.length).toBeLessThanOrEqual(16)
  expect(new Set(way).size).toBe(way.length)
  const { sending, preconfirming } = measured
  expect(sending).toEqual(expect.arrayContaining(untilPool))
  expect(preconfirming).toEqual(expect.arrayContaining(afterPool))
  // No file of one leg runs on the other, but for the pool, which lies between them, and what else the model's file exports.
  const between = ['pool/pool.ts', 'model/transaction/signedTransaction.ts']
  expect(sending.filter((file) => afterPool.includes(file))).toEqual([])
  expect(preconfirming.filter((file) => untilPool.includes(file) && !between.includes(file))).toEqual([])
  const others = [...new Set([...sending, ...preconfirming])].filter(
    (file) => !way.includes(file) && !ASKED_ROOMS.test(file),
  )
  expect(others.sort()).toEqual(named(beside!).sort())
})

it('of a slot that is fetched from a network passes seven files of upstream, each once', () => {
  const [question, besideQuestion] = blockWith('bytes arrive over HTTP')
  const [toFetch, fetching, beside] = blockWith('throws NotFetched')
  const upstream = first(fetching!)
  expect(upstream.length).toBeLessThanOrEqual(7)
  expect(upstream.every((file) => file.startsWith('upstream/'))).toBe(true)
  const way = [...first(toFetch!), ...upstream]
  expect(new Set(way).size).toBe(way.length)
  // Until the state lacks the slot, and again once it was fetched, it is a question as any other.
  const asked = [...first(question!), ...named(besideQuestion!)]
  const all = new Set([...asked, ...way, ...named(beside!)])
  expect(measured.forkedSlot).toEqual([...all].sort())
})

/** The paragraphs of the page's block that contains `text`. */
function blockWith(text: string): string[] {
  return PAGES.get('src/README.md')!
    .blocks.find((block) => block.text.includes(text))!
    .text.split('\n\n')
}

/** The file with which each line begins. */
function first(lines: string): string[] {
  return lines.split('\n').map((line) => line.split(' ')[0]!)
}

function named(lines: string): string[] {
  return [...lines.match(/[\w/]+\.ts/g)!]
}
