/** Loads the curve of signatures, because tests sign and recover before a devnet is created. */
import { loadSecp256k1 } from '../../../src/crypto/secp256k1.ts'

await loadSecp256k1()
