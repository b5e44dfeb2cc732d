/** URLs by which this machine reaches a listener. */

/** Hosts that stand for all interfaces of a machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::', ''])

/**
 * Returns the URL by which this machine reaches a listener: a client cannot connect to the address of all interfaces.
 */
export function reachableUrl({ url, host }: { readonly url: string; readonly host: string }): string {
  return EVERYWHERE.has(host) ? url.replace(/\/\/[^/]*(:\d+)/, '//127.0.0.1$1') : url
}
