/** The hook of a new runtime environment: starts to measure gas and coverage if a flag of Hardhat asks for it. */
import type { HardhatRuntimeEnvironmentHooks } from 'hardhat/types/hooks'
import { startMeasuring } from './measuring.ts'

export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => ({
  created: async (context) => startMeasuring(context),
})
