/** Lines on a stream that somebody reads, or nobody. */
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Printer, skippedAsJson, skippedAsText } from '../../src/cli/printer.ts'

/** A stream that is read when `read` is called, and not before. */
function slowStream() {
  const written: string[] = []
  const waiting: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      written.push(text)
      waiting.push(done)
    },
  })
  const read = async () => {
    while (stream.writableLength > 0) {
      waiting.shift()?.()
      await new Promise(setImmediate)
    }
  }
  return { stream: stream as unknown as NodeJS.WriteStream, written, read }
}

describe('lines that nobody reads', () => {
  it.each([
    ['text', skippedAsText, '… 2 lines left out: nobody read them in time\n'],
    ['JSON', skippedAsJson, '{"event":"skipped","lines":2}\n'],
  ])('are left out and counted once somebody reads again, as %s', async (_, skipped, line) => {
    const { stream, written, read } = slowStream()
    const { print } = new Printer(stream, skipped)
    const long = 'x'.repeat(5 * 1024 * 1024)
    for (const text of [long, 'two', 'three']) print(text)
    await read()
    print('four')
    await read()
    print('five')
    await read()
    expect(written).toEqual([`${long}\n`, `${line}four\n`, 'five\n'])
  })
})
