/** Cases that differ by design, and why. */
const DEVIATIONS: readonly { readonly name: RegExp; readonly why: string }[] = [
  {
    name: /different-contracts-same-deployment-bytecode$/,
    why: 'two contracts have the same code: both are named, and none is guessed',
  },
  {
    name: /modifiers\/call-message\/modifier-private-method$/,
    why: 'Hardhat gives receive no name where it calls another function; here it is <receive> everywhere',
  },
  {
    name: /no-calls\/multiple-modifiers$/,
    why: 'in optimized code a function and its modifier that revert with the same reason are one piece of code: the function is named',
  },
]

/** Returns the reason of an expected difference; `undefined` if there is none. */
export function deviationOf(name: string): string | undefined {
  return DEVIATIONS.find((one) => one.name.test(name))?.why
}
