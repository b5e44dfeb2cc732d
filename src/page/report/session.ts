/** The session in a report: the recording, compressed, as text in an element of the document. */

/** Returns the session of this document, and its name. */
export function sessionHere(): { name: string; bytes: number; chunks: AsyncIterable<Uint8Array> } {
  const element = document.getElementById('session')!
  const { name = '', bytes = '0' } = element.dataset
  return { name, bytes: Number(bytes), chunks: decompressed(element.textContent) }
}

async function* decompressed(base64: string): AsyncGenerator<Uint8Array> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
