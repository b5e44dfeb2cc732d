/** What is asked of a server of many chains and cannot be: the message says what would be right, the status is that of HTTP. */
export class ChainRefused extends Error {
  readonly status: number

  constructor(status: 400 | 404 | 409 | 503, message: string) {
    super(message)
    this.name = 'ChainRefused'
    this.status = status
  }
}
