import { toQuantity } from '../../bytes/hex.ts'
import { FP_SIZE, FR_SIZE, G1_SIZE, MCL_P256, Mcl, type Pointer } from './mcl.ts'

export async function createMclP256(): Promise<(input: Uint8Array) => boolean> {
  const mcl = await Mcl.create(MCL_P256)
  const { functions } = mcl
  const bytes = mcl.reserve(32)
  const [hash, r, s, inverse] = [0, 1, 2, 3].map(() => mcl.reserve(FR_SIZE)) as Four
  const [x, scalars] = [mcl.reserve(FR_SIZE), mcl.reserve(2 * FR_SIZE)]
  const points = mcl.reserve(2 * G1_SIZE)
  const [base, sum] = [mcl.reserve(G1_SIZE), mcl.reserve(G1_SIZE)]
  functions._mclBnG1_getBasePoint(base)
  const one = mcl.reserve(FP_SIZE)
  functions._mclBnFp_setInt32(one, 1)

  const read = (set: typeof functions._mclBnFr_setBigEndianMod, target: Pointer, input: Uint8Array): void => {
    mcl.memory.set(input, bytes)
    set(target, bytes, 32)
  }
  const key = points + G1_SIZE

  return (input) => {
    if (!areInRange(input)) return false
    read(functions._mclBnFp_setBigEndianMod, key, input.subarray(96, 128))
    read(functions._mclBnFp_setBigEndianMod, key + FP_SIZE, input.subarray(128, 160))
    mcl.memory.copyWithin(key + 2 * FP_SIZE, one, one + FP_SIZE)
    if (functions._mclBnG1_isValid(key) !== 1) return false
    read(functions._mclBnFr_setBigEndianMod, hash, input.subarray(0, 32))
    read(functions._mclBnFr_setBigEndianMod, r, input.subarray(32, 64))
    read(functions._mclBnFr_setBigEndianMod, s, input.subarray(64, 96))
    functions._mclBnFr_inv(inverse, s)
    functions._mclBnFr_mul(scalars, hash, inverse)
    functions._mclBnFr_mul(scalars + FR_SIZE, r, inverse)
    mcl.memory.copyWithin(points, base, base + G1_SIZE)
    functions._mclBnG1_mulVec(sum, points, scalars, 2)
    if (functions._mclBnG1_isZero(sum) === 1) return false
    functions._mclBnG1_normalize(sum, sum)
    // Compares x of the sum, modulo the order, with r. mcl omits high zero bytes, so the buffer is cleared first.
    mcl.memory.fill(0, bytes, bytes + 32)
    functions._mclBnFp_getLittleEndian(bytes, 32, sum)
    mcl.memory.subarray(bytes, bytes + 32).reverse()
    functions._mclBnFr_setBigEndianMod(x, bytes, 32)
    return functions._mclBnFr_isEqual(x, r) === 1
  }
}

const FIELD = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Returns whether r and s are nonzero and below the curve's order, and x and y below the field's order (EIP-7951). */
function areInRange(input: Uint8Array): boolean {
  const [r, s, x, y] = [32, 64, 96, 128].map((at) => toQuantity(input.subarray(at, at + 32)))
  return r! > 0n && r! < ORDER && s! > 0n && s! < ORDER && x! < FIELD && y! < FIELD
}

type Four = [Pointer, Pointer, Pointer, Pointer]
