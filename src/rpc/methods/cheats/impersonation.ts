/** Who may send without a key: `eth_sendTransaction` then takes any transaction from them. */
import { parseAddress } from '../../../wire/hex.ts'
import { boolean } from '../../../wire/parser.ts'
import { method, params } from '../../method.ts'

export const impersonateAccount = method(
  params(parseAddress),
  ({ sequencer }, account): Promise<void> =>
    sequencer.steering.cheat((cheats) => ({
      ...cheats,
      impersonated: new Set([...cheats.impersonated, account]),
    })),
)

export const stopImpersonatingAccount = method(
  params(parseAddress),
  ({ sequencer }, account): Promise<void> =>
    sequencer.steering.cheat((cheats) => ({
      ...cheats,
      impersonated: new Set([...cheats.impersonated].filter((other) => other !== account)),
    })),
)

export const autoImpersonateAccount = method(
  params(boolean),
  ({ sequencer }, impersonatesAll): Promise<void> =>
    sequencer.steering.cheat((cheats) => ({ ...cheats, impersonatesAll })),
)
