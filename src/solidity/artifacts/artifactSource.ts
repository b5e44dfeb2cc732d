/** What a devnet may be told of compiled contracts. */

/** One run of solc: the standard JSON that it was given, and what it answered; each as a value, or as the path of a file. */
export interface SolcRun {
  /** `{ language, sources, settings }`. */
  readonly input: object | string
  /** `{ contracts, sources }`. */
  readonly output: object | string
  /** Such as `0.8.28`. By default the version that the code itself tells. */
  readonly solcVersion?: string | undefined
  /** @internal By source name the paths by which people know files, where these differ: of a run that was read elsewhere. */
  readonly paths?: Readonly<Record<string, string>> | undefined
}

/**
 * What a devnet may be told of contracts: the path of a folder (Foundry's `out`, Hardhat's `artifacts`, or a project with a
 * `foundry.toml` or `hardhat.config.*`) or of a file (build info, standard JSON output of solc, an artifact), or a run of solc.
 */
export type ArtifactSource = string | SolcRun

/** @internal Returns whether a value is a run of solc. */
export function isSolcRun(what: unknown): what is SolcRun {
  const { input, output } = (what ?? {}) as Partial<SolcRun>
  const isJson = (value: unknown) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null)
  return isJson(input) && isJson(output)
}
