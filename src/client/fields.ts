/** Fields that other clients have: left unread, something else would be sent or asked than what was meant, without a word. */

/** Throws a `TypeError` for a field of `given` that is called otherwise here, or that only requests take. */
export function requireOwnFields(given: object, what: string): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    const instead = OF_OTHERS.get(name)
    if (instead !== undefined && value !== undefined) {
      throw new TypeError(`${what}: ${name}: there is no such field; ${instead}`)
    }
  }
}

const FILLED_IN = 'it is filled in, and devnet.request with eth_sendTransaction takes it'
const BLOCK = 'at says which block is asked'

const OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['account', 'from says whose it is: an address'],
  ['gasLimit', 'gas says how much it may use'],
  ['input', 'data says what is called'],
  ['blockNumber', BLOCK],
  ['blockTag', BLOCK],
  ['nonce', FILLED_IN],
  ['gasPrice', FILLED_IN],
  ['maxFeePerGas', FILLED_IN],
  ['maxPriorityFeePerGas', FILLED_IN],
  ['accessList', FILLED_IN],
  ['authorizationList', FILLED_IN],
  ['blobs', FILLED_IN],
])
