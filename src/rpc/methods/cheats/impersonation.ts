/** Who may send without a key: `eth_sendTransaction` then takes any transaction from them. */
import { impersonating, notImpersonating } from '../../../sequencer/cheats.ts'
import { parseAddress } from '../../../wire/hex.ts'
import { boolean } from '../../../wire/parser.ts'
import { method, params } from '../../method.ts'

export const impersonateAccount = method(
  params(parseAddress),
  ({ sequencer }, account): Promise<void> =>
    sequencer.steering.cheat((cheats) => impersonating(cheats, account)),
)

export const stopImpersonatingAccount = method(
  params(parseAddress),
  ({ sequencer }, account): Promise<void> =>
    sequencer.steering.cheat((cheats) => notImpersonating(cheats, account)),
)

export const autoImpersonateAccount = method(
  params(boolean),
  ({ sequencer }, impersonatesAll): Promise<void> =>
    sequencer.steering.cheat((cheats) => ({ ...cheats, impersonatesAll })),
)
