/** Cases that differ by design, and why. */
import type { Compiler } from './compilers.ts'

const DEVIATIONS: readonly { readonly name: RegExp; readonly why: string }[] = [
  {
    name: /different-contracts-same-deployment-bytecode$/,
    why: 'two contracts have the same code: both are named, and none is guessed',
  },
]

/** Returns why a case differs; `undefined` if it should not. */
export function deviationOf(name: string, _compiler: Compiler): string | undefined {
  return DEVIATIONS.find((one) => one.name.test(name))?.why
}
