/** The network that was recorded for the examples. */
import { fileURLToPath } from 'node:url'

/** The cache that is committed. */
export const NETWORK_FILE = fileURLToPath(
  new URL('../../../fixtures/networks/examples.jsonl', import.meta.url),
)

/** The environment variable that has the network's URL while it is recorded. */
export const RECORDED_AT = 'PRESEAL_RECORDED_AT'
