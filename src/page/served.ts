/**
 * What the page is told of where it is: words in the element `<meta name="preseal">`, which `server/expressApp.ts` and `report.ts` write; none
 * in development.
 */

const element =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name=preseal]')
const words = new Set(element?.content.split(' '))

/** Whether views leave out what changes the chain (`--read-only-page`, and in a report). */
export const isReadOnly = words.has('read-only')

/** Whether the port has many chains (`preseal serve`): each is at `/c/NAME`, `GET /c` lists them, and `/` is none of them. */
export const hasManyChains = words.has('many-chains')

/** Whether this is a report (`preseal report`): a file with a session, behind which there is no server. */
export const isReport = words.has('report')

/** Since when the view *now* is told what happens. */
export const sinceWhen = isReport ? 'in the session' : 'since the page was opened'
