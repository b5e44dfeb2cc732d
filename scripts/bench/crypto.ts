/** The cryptography of transactions and roots, beside implementations in JavaScript. */
import { createTxFromRLP } from '@ethereumjs/tx'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromHex, toWord } from '../../src/bytes/hex.ts'
import { keccak256 } from '../../src/crypto/keccak.ts'
import { loadSecp256k1, recoverAddress, signHash } from '../../src/crypto/secp256k1.ts'
import { commonOf } from '../../src/engine/ethereumjs/transaction.ts'
import { developmentAccounts, TEST_MNEMONIC } from '../../src/model/account/developmentAccounts.ts'
import { createRules } from '../../src/model/hardfork/hardfork.ts'
import { decodeTransaction, signTransaction } from '../../src/model/transaction/signedTransaction.ts'
import type { Effort } from './measure.ts'
import { type Row, raced, type Thoroughness } from './row.ts'
import { addressOf, unsigned } from './scenario.ts'

export default async function* crypto(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 15, roundMs: 40 } : { rounds: 5, roundMs: 4 }
  await loadSecp256k1()
  const [account] = await developmentAccounts(TEST_MNEMONIC, 1)
  const key = fromHex(account!.privateKey)
  const cases = Array.from({ length: 32 }, (_, i) => {
    const hash = keccak256(toWord(BigInt(i)))
    return { hash, signature: signHash(hash, key), recovered: recoverable(hash, key) }
  })
  const at = <T>(items: readonly T[], i: number): T => items[i % items.length]!

  yield await raced(
    'recover a sender (wasm)',
    (i) => recoverAddress(at(cases, i).hash, at(cases, i).signature),
    '@noble/curves, the public key alone',
    (i) => noble.Signature.fromBytes(at(cases, i).recovered, 'recovered').recoverPublicKey(at(cases, i).hash),
    effort,
    { ratioAtMost: 0.1 },
  )
  yield await raced(
    'sign a hash (wasm)',
    (i) => signHash(at(cases, i).hash, key),
    '@noble/curves',
    (i) => noble.sign(at(cases, i).hash, key, { prehash: false, format: 'recovered' }),
    effort,
  )
  for (const length of [32, 200, 4_096]) {
    const messages = cases.map(({ hash }) => new Uint8Array(length).fill(hash[0]!))
    yield await raced(
      `keccak-256 of ${length.toLocaleString('en')} bytes (wasm)`,
      (i) => keccak256(at(messages, i)),
      '@noble/hashes',
      (i) => keccak_256(at(messages, i)),
      effort,
    )
  }
  const common = commonOf(createRules('osaka', 31_337n))
  for (const [kind, data] of [
    ['a transfer', new Uint8Array()],
    ['a call with 1,024 bytes', new Uint8Array(1_024).fill(7)],
  ] as const) {
    const raws = cases.map((_, i) => {
      const value = BigInt(i) * 10n ** 15n
      const fields = { nonce: BigInt(i), gasLimit: 100_000n, to: addressOf(i), value, data }
      return signTransaction(unsigned(fields), key, account!.address).raw
    })
    yield await raced(
      `decode ${kind}, with its sender and hash`,
      (i) => decodeTransaction(at(raws, i)),
      '@ethereumjs/tx with the same cryptography',
      (i) => {
        const transaction = createTxFromRLP(at(raws, i), { common })
        return [transaction.getSenderAddress(), transaction.hash()]
      },
      effort,
    )
  }
}

function recoverable(hash: Uint8Array, key: Uint8Array): Uint8Array {
  return noble.sign(hash, key, { prehash: false, format: 'recovered' })
}
