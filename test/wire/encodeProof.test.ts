import { describe, expect, it } from 'vitest'
import { encodeProof } from '../../src/wire/storageKey.ts'

describe('encodeProof', () => {
  // execution-apis, src/schemas/state.yaml: AccountProof and StorageProof.
  it('has quantities for numbers, data for nodes, and each key as it was asked for', () => {
    const proof = {
      address: `0x${'aa'.repeat(20)}`,
      nonce: 0n,
      balance: 10n ** 18n,
      codeHash: `0x${'bb'.repeat(32)}`,
      storageHash: `0x${'cc'.repeat(32)}`,
      accountProof: [Uint8Array.of(0xc1, 0x80), Uint8Array.of(0xc0)],
      storageProof: [
        { slot: 1n, value: 255n, proof: [Uint8Array.of(0xc1, 5)] },
        { slot: 1n, value: 0n, proof: [] },
      ],
    } as const
    const keys = [
      { slot: 1n, form: 'word' },
      { slot: 1n, form: 'quantity' },
    ] as const
    expect(encodeProof(proof, keys)).toEqual({
      address: proof.address,
      nonce: '0x0',
      balance: '0xde0b6b3a7640000',
      codeHash: proof.codeHash,
      storageHash: proof.storageHash,
      accountProof: ['0xc180', '0xc0'],
      storageProof: [
        { key: `0x${'1'.padStart(64, '0')}`, value: '0xff', proof: ['0xc105'] },
        { key: '0x1', value: '0x0', proof: [] },
      ],
    })
  })
})
