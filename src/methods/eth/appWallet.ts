/**
 * Wallet methods for apps besides accounts and signatures (related to EIP-1193). The devnet is a wallet that needs no
 * confirmation by a user and has one chain, its own.
 */

import type { SendContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read, send } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodeQuantity, parseAddress, parseQuantity } from '../../wire/hex.ts'
import { arrayOf, optional, type Parser, recordOf } from '../../wire/parser.ts'

const parseChain: Parser<bigint> = (value, path) =>
  parseQuantity(recordOf(value, path, 'an object {chainId}').chainId, `${path}.chainId`)

const parsePermissions: Parser<unknown> = (value, path) =>
  recordOf(value, path, 'permissions, such as {eth_accounts: {}}')

/** EIP-3326. */
export const wallet_switchEthereumChain = read(params(parseChain), (context, asked) =>
  requireOwn(context, asked),
)

/** EIP-3085. Names and URLs are ignored: only the devnet's own chain is accepted. */
export const wallet_addEthereumChain = read(params(parseChain), (context, asked) =>
  requireOwn(context, asked),
)

/** EIP-2255: every caller may read all accounts. */
export const wallet_getPermissions = send(params(), (context) => permissions(context))

export const wallet_requestPermissions = send(params(parsePermissions), (context, _wanted) =>
  permissions(context),
)

/** EIP-5792: atomic batches are not supported; clients then send the calls one by one. */
export const wallet_getCapabilities = read(
  params(optional(parseAddress), optional(arrayOf(parseQuantity))),
  ({ chainId }, _account, chains = [chainId]) =>
    chains.includes(chainId) ? { [encodeQuantity(chainId)]: { atomic: { status: 'unsupported' } } } : {},
)

function requireOwn({ chainId }: ReadContext, asked: bigint): null {
  if (asked !== chainId) throw new Problem({ kind: 'unknownChain', asked, chainId })
  return null
}

function permissions({ accounts }: SendContext): unknown[] {
  return [
    {
      invoker: 'preseal',
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
    },
  ]
}
