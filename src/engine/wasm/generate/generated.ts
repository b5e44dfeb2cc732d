/** The files of `src/engine/wasm/assembly` that are made by programs when it is compiled, and are not in the repository. */
import { generateBarrettProduct } from './barrett.ts'
import { generate } from './generate.ts'
import { generatePermutation } from './keccak.ts'

/** The text of each file by its name in `assembly/`. */
export const GENERATED: ReadonlyMap<string, () => string> = new Map([
  ['generated.ts', generate],
  ['permutation.ts', generatePermutation],
  ['barrettProduct.ts', generateBarrettProduct],
])
