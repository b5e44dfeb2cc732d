export interface Compiler {
  /** Such as `0.8.35`. */
  readonly version: string
  readonly mode: Mode
}

/**
 * - `plain`: without the optimizer.
 * - `ir`: via IR, with the optimizer without its steps on Yul, as in Hardhat's tests.
 * - `optimized`: with the optimizer, 200 runs.
 * - `irOptimized`: via IR, with all steps of the optimizer.
 */
export type Mode = 'plain' | 'ir' | 'optimized' | 'irOptimized'

/** The default compilers: the last, or most peculiar, of each minor version. */
export const USUAL: readonly Compiler[] = [
  plain('0.5.17'),
  // The first whose source maps omit code that the compiler adds.
  plain('0.6.3'),
  plain('0.7.6'),
  plain('0.8.35'),
  { version: '0.8.35', mode: 'ir' },
]

/** The last patch of each tested minor version. */
const LAST_PATCHES = { '0.5': 17, '0.6': 12, '0.7': 6, '0.8': 35 }

/** The first patch of 0.8 that is tested via IR. */
const FIRST_VIA_IR = 17

/** Returns all versions from 0.5 on, and those from 0.8.17 on via IR, too. */
export function allCompilers(): readonly Compiler[] {
  return Object.entries(LAST_PATCHES).flatMap(([minor, last]) =>
    Array.from({ length: last + 1 }, (_, patch) => patch).flatMap((patch) => {
      const version = `${minor}.${patch}`
      const isViaIR = minor === '0.8' && patch >= FIRST_VIA_IR
      return isViaIR ? [plain(version), { version, mode: 'ir' as const }] : [plain(version)]
    }),
  )
}

const NAMES: Readonly<Record<Mode, string>> = {
  plain: '',
  ir: ' via IR',
  optimized: ' optimized',
  irOptimized: ' via IR optimized',
}

export function nameOf({ version, mode }: Compiler): string {
  return `${version}${NAMES[mode]}`
}

/** Parses a text such as `0.8.35-ir`; `undefined` for other texts. */
export function compilerOf(text: string): Compiler | undefined {
  const [, version, mode = 'plain'] = /^(\d+\.\d+\.\d+)(?:-(\w+))?$/.exec(text) ?? []
  return version === undefined || !(mode in NAMES) ? undefined : { version, mode: mode as Mode }
}

function plain(version: string): Compiler {
  return { version, mode: 'plain' }
}
