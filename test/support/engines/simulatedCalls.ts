/** Calls of eth_simulateV1 on a devnet of its own. */
import type { Hex } from 'viem'
import { toHex } from '../../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../../src/index.ts'
import { onWire } from '../clients/addresses.ts'
import { started } from '../clients/clients.ts'
import { answering } from '../compilers/assembly.ts'
import { type SimulatedCall, simulate } from './simulation.ts'

/** The address of a contract with code that a test chooses, and that of another. */
export const CODE: Hex = '0x000000000000000000000000000000000000c0de'
export const OTHER: Hex = '0x0000000000000000000000000000000000006666'

/** A devnet whose ticks are asked for, and the account that calls. */
export async function manual(options: DevnetOptions = {}): Promise<{ devnet: Devnet; from: Hex }> {
  const devnet = await started({ rhythm: 'manual', ...options })
  return { devnet, from: onWire(devnet.accounts[0]!.address) }
}

/** The results of `calls` in one block. */
export async function resultsOf(
  devnet: Devnet,
  calls: object[],
  more: object = {},
): Promise<readonly SimulatedCall[]> {
  const [block] = await simulate(devnet, [{ calls, ...more }])
  return block!.calls
}

/** A world where `CODE` answers the word that `items` leave on the stack. */
export const answeringAt = (...items: Parameters<typeof answering>) => ({
  stateOverrides: { [CODE]: { code: toHex(answering(...items)) } },
})
