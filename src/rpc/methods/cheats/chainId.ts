/** Another chain id, for all that runs or is sent from now on. What waits already is let into blocks as it is. */
import { amountUpTo } from '../../../wire/amount.ts'
import { InvalidValue, type Parser } from '../../../wire/parser.ts'
import { method, params } from '../../method.ts'

/** As the option of this name: EthereumJS counts chain ids as JavaScript's numbers. */
const parseAmount = amountUpTo(BigInt(Number.MAX_SAFE_INTEGER))

const parseChainId: Parser<bigint> = (value, path) => {
  const chainId = parseAmount(value, path)
  if (chainId === 0n) throw new InvalidValue(path, 'a chain id of at least 1', value)
  return chainId
}

export const setChainId = method(
  params(parseChainId),
  ({ sequencer }, chainId): Promise<void> => sequencer.steering.cheat((cheats) => ({ ...cheats, chainId })),
)
