/**
 * `createDevnet` for stories on a fork (`npm run test:on-fork`): a devnet with the same options is the network, and what a story gets
 * was forked from its first block. So it has the same accounts, block numbers and times as without a fork.
 */
import { createDevnet as createPlain } from '../../../src/devnet/createDevnet.ts'
import type { Devnet } from '../../../src/devnet/devnet.ts'
import type { DevnetOptions } from '../../../src/options/options.ts'
import { withProfile } from '../../../src/options/profiles.ts'

/** What decides a first block. */
const OF_NETWORK = [
  'accounts',
  'balance',
  'baseFee',
  'chainId',
  'codeSizeLimit',
  'coinbase',
  'derivationPath',
  'gasLimit',
  'genesis',
  'genesisBlockNumber',
  'hardfork',
  'l2',
  'mnemonic',
  'randaoSeed',
  'systemContracts',
  'timestamp',
] as const satisfies readonly (keyof DevnetOptions)[]

/** Whether the forks have proofs (`PRESEAL_FORK_PROOFS=1`), and so the roots and hashes of their networks. */
export const HAS_PROOFS = (process.env.PRESEAL_FORK_PROOFS ?? '0') !== '0'

/** Creates a devnet on a network of its own. */
export async function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  // With wrong options, and with a network already, as it is.
  if (typeof options !== 'object' || options === null || options.fork !== undefined)
    return createPlain(options)
  const whole = withProfile(options)
  const ofNetwork = Object.fromEntries(
    OF_NETWORK.flatMap((name) => (whole[name] === undefined ? [] : [[name, whole[name]]])),
  )
  const network = await createPlain({ ...timeOf(whole), ...ofNetwork, rhythm: 'manual' }).catch(
    () => undefined,
  )
  if (network === undefined) return createPlain(options)
  const {
    genesis: _,
    genesisBlockNumber: _number,
    systemContracts: _contracts,
    // That of the first block, which is the network's; on a fork it would be that of the next.
    baseFee: _fee,
    ...others
  } = options
  try {
    const devnet = await createPlain({ ...others, fork: { provider: network, proofs: HAS_PROOFS } })
    const close = devnet.close.bind(devnet)
    devnet.close = async () => {
      await close()
      await network.close()
    }
    return devnet
  } catch (error) {
    await network.close()
    throw error
  }
}

/** The time at which a devnet with these options begins: that of the machine, unless all is manual. */
function timeOf({ rhythm, genesis }: DevnetOptions): DevnetOptions {
  return rhythm === 'manual' || genesis !== undefined ? {} : { timestamp: Math.floor(Date.now() / 1000) }
}
