/** The hooks of builds: under `--coverage`, sources are compiled as they are, because a devnet counts what its engine runs. */
import type { HookContext, SolidityHooks } from 'hardhat/types/hooks'
import { measuresCoverage } from './measuring.ts'

export default async (): Promise<Partial<SolidityHooks>> => ({
  preprocessProjectFileBeforeBuilding: (context, sourceName, fsPath, content, solcVersion, next) =>
    next(uninstrumented(context), sourceName, fsPath, content, solcVersion),
  preprocessSolcInputBeforeBuilding: (context, input, next) => next(uninstrumented(context), input),
})

/** Returns a context in which Hardhat, whose hooks come next, does not see the flag `--coverage`. */
function uninstrumented(context: HookContext): HookContext {
  if (!measuresCoverage(context)) return context
  return Object.create(context, { globalOptions: { value: { ...context.globalOptions, coverage: false } } })
}
