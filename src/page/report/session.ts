/** What a report contains: the recording, and what is known of its contracts; both compressed, as text in elements of the document. */
import type { KnownToReport } from '../../reports/reportContracts.ts'

/** Returns the session of this document, and its name. */
export function sessionHere(): { name: string; bytes: number; chunks: AsyncIterable<Uint8Array> } {
  const element = document.getElementById('session')!
  const { name = '', bytes = '0' } = element.dataset
  return { name, bytes: Number(bytes), chunks: chunksOf(decompressed(element.textContent)) }
}

/** Resolves to what this document knows of contracts. */
export async function contractsHere(): Promise<KnownToReport> {
  const base64 = document.getElementById('contracts')?.textContent ?? ''
  return base64 === '' ? { artifacts: [], abis: [] } : new Response(decompressed(base64)).json()
}

function decompressed(base64: string): ReadableStream<Uint8Array> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
