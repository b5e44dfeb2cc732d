/**
 * An impossible request to a server of many chains. The message names what is possible, the status is that of HTTP.
 */
export class ChainRefused extends Error {
  readonly status: number

  constructor(status: 400 | 404 | 409 | 503, message: string) {
    super(message)
    this.name = 'ChainRefused'
    this.status = status
  }
}
