/**
 * `createDevnet` for the examples without a network (`npm run test:offline`): what they get is forked from a network that was
 * recorded into `fixtures/networks/examples.jsonl`, and no network is asked. `npm run record:network` records it.
 */
import { createDevnet as createPlain } from '../../../src/devnet/createDevnet.ts'
import type { Devnet } from '../../../src/devnet/devnet.ts'
import type { DevnetOptions } from '../../../src/options/options.ts'
import { withProfile } from '../../../src/options/profiles.ts'
import { NETWORK_FILE, RECORDED_AT } from './committedNetwork.ts'

/** The network's URL while it is recorded; else a host that there never is (RFC 2606). */
const URL_OF_NETWORK = process.env[RECORDED_AT] ?? 'https://network.invalid'

/** Creates a devnet on the network, unless the options say with what it begins, or it is to be the L1 of an L2. */
export function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { fork, genesis, l2 = 'none', ticksPerBlock } = withProfile(options)
  if (fork !== undefined || genesis !== undefined || l2 !== 'none' || ticksPerBlock === 0)
    return createPlain(options)
  return createPlain({
    ...options,
    fork: { url: URL_OF_NETWORK, block: 0, cache: NETWORK_FILE, proofs: true },
  })
}
