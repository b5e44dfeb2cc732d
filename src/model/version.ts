/**
 * The version of this package, which web3_clientVersion and the command line print. A test compares it with
 * package.json.
 */
export const version = '0.1.0'
