/** Where the page shows the transaction of an error. */
import type { Hash } from '../bytes/hex.ts'
import { pagePaths } from '../model/pagePaths.ts'
import type { RpcContext } from '../rpc/context.ts'

/** Returns the URL of a transaction on the page of the devnet; `undefined` if it has none at present. */
export function pageUrlOf({ pageUrls }: Pick<RpcContext, 'pageUrls'>, hash: Hash): string | undefined {
  for (const url of pageUrls) return url + pagePaths.transaction(hash)
  return undefined
}

/** Returns `error` with the member `pageUrl`, unless that is `undefined`. */
export function withPageUrl<E extends Error>(error: E, pageUrl: string | undefined): E {
  return pageUrl === undefined ? error : Object.assign(error, { pageUrl })
}
