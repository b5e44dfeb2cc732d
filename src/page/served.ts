/** What the port tells its page: words in the element `<meta name="preseal">`, which `server/page.ts` writes; none in development. */

const element =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name=preseal]')
const words = new Set(element?.content.split(' '))

/** Whether views leave out what changes the chain (`--read-only-page`). */
export const isReadOnly = words.has('read-only')

/** Whether the port has many chains (`preseal serve`): each is at `/c/NAME`, `GET /c` lists them, and `/` is none of them. */
export const hasManyChains = words.has('many-chains')
