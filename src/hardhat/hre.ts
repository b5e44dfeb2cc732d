/** The hook of a new runtime environment: servers of devnets, and the measurements for which flags of Hardhat ask. */
import type { HardhatRuntimeEnvironmentHooks } from 'hardhat/types/hooks'
import { startMeasuring } from './measuring.ts'
import { serveDevnets } from './server.ts'

export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => ({
  async created(context, hre) {
    serveDevnets(hre)
    startMeasuring(context)
  },
})
