/** The version of this package, as web3_clientVersion and the command line say it. A test compares it with package.json. */
export const version = '0.1.0'
