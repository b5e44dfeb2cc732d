/** Reports of a chain over HTTP, as HTML documents. */
import type { Express, Response } from 'express'
import type { ReportedDevnet } from '../reports/reportContracts.ts'
import type { Refuse } from './handler.ts'

/** Adds `GET /report.html?title=…`, a report of the chain as it is now. */
export function addReport(app: Express, devnet: ReportedDevnet, refuse: Refuse): void {
  app.get('/report.html', async ({ query: { title } }, response) => {
    try {
      const { reportOfChain } = await import('../reports/reportDocument.ts')
      sendReport(response, await reportOfChain(devnet, typeof title === 'string' ? title : 'the chain'))
    } catch (error) {
      refuse(response, 404, (error as Error).message)
    }
  })
}

export function sendReport(response: Response, document: string): void {
  // The document contains its own policy, but `frame-ancestors` takes effect only in a header.
  response.set({
    'content-security-policy': "frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.type('html').send(document)
}
