/**
 * A file of ethereum/execution-apis' `tests/`, read as hive reads it (ethereum/hive,
 * simulators/ethereum/rpc-compat/testload.go): comments, then requests behind `>>` and responses behind `<<`.
 */
import { Unplayable } from '../commandLine.ts'

export interface IoFile {
  /** Folder and file without `.io`, as hive names it: `eth_call/call-contract`. */
  readonly name: string
  /** Whether the responses are examples, of which only the shape counts. */
  readonly isSpecOnly: boolean
  readonly exchanges: readonly Exchange[]
}

export interface Exchange {
  readonly line: number
  /** Sent byte for byte. */
  readonly request: string
  /** The expected response. `undefined`: the next request follows at once, and the response is not compared. */
  readonly response: unknown
}

/** Parses a file. Throws for other texts, and for a file in which nothing can fail. */
export function parseIoFile(name: string, text: string): IoFile {
  const exchanges: Exchange[] = []
  let open: { line: number; request: string } | undefined
  let isSpecOnly = false
  const wrong = (line: number, what: string) => new Unplayable(`${name}.io:${line}: ${what}`)

  for (const [index, source] of text.split('\n').entries()) {
    const line = index + 1
    const content = source.trim()
    if (content === '') continue
    if (content.startsWith('//')) {
      // hive looks for the mark in the head of the file only.
      if (open === undefined && exchanges.length === 0) isSpecOnly ||= /^\/\/ ?speconly:/.test(content)
      continue
    }
    const sign = content.slice(0, 2)
    const message = content.slice(2).trim()
    if (sign !== '>>' && sign !== '<<') throw wrong(line, `expected //, >> or <<, got ${content}`)
    const value = parseJson(message)
    if (value === undefined) throw wrong(line, `expected JSON behind ${sign}, got ${message}`)
    if (sign === '>>') {
      if (open !== undefined) exchanges.push({ ...open, response: undefined })
      open = { line, request: message }
    } else {
      if (open === undefined) throw wrong(line, 'a response without its request')
      exchanges.push({ ...open, response: value })
      open = undefined
    }
  }
  if (open !== undefined) throw wrong(open.line, 'a request without its response')
  if (exchanges.length === 0) throw wrong(1, 'nothing is asked, so nothing can fail')
  return { name, isSpecOnly, exchanges }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
