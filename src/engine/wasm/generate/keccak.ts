/**
 * Generates `assembly/permutation.ts` when the engine is compiled: the permutation Keccak-f[1600] (FIPS 202, section
 * 3.3) with its 25 lanes in local variables.
 *
 * Lane 5 y + x is in column x and row y. A loop runs one round per iteration, because V8 moves lanes to and from
 * memory twice as often if the rounds are unrolled. Six lanes are stored complemented, so that chi needs at most one
 * NOT per row ("Keccak implementation overview", section 2.2).
 */

/** The number of bits by which rho rotates each lane (section 3.2.2). */
const ROTATIONS = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
]

const COMPLEMENTED = new Set([1, 2, 8, 12, 17, 20])

/**
 * The expressions of chi for each row: the new lanes, computed from the lanes `b0` to `b4` of the row after rho and
 * pi. `n` is the NOT of the lane `not`.
 */
const CHI: readonly { readonly not?: string; readonly lanes: readonly string[] }[] = [
  { lanes: ['b0 ^ (b1 | b2)', 'b1 ^ (~b2 | b3)', 'b2 ^ (b3 & b4)', 'b3 ^ (b4 | b0)', 'b4 ^ (b0 & b1)'] },
  { lanes: ['b0 ^ (b1 | b2)', 'b1 ^ (b2 & b3)', 'b2 ^ (b3 | ~b4)', 'b3 ^ (b4 | b0)', 'b4 ^ (b0 & b1)'] },
  {
    not: 'b3',
    lanes: ['b0 ^ (b1 | b2)', 'b1 ^ (b2 & b3)', 'b2 ^ (n & b4)', 'n ^ (b4 | b0)', 'b4 ^ (b0 & b1)'],
  },
  {
    not: 'b3',
    lanes: ['b0 ^ (b1 & b2)', 'b1 ^ (b2 | b3)', 'b2 ^ (n | b4)', 'n ^ (b4 & b0)', 'b4 ^ (b0 | b1)'],
  },
  {
    not: 'b1',
    lanes: ['b0 ^ (n & b2)', 'n ^ (b2 | b3)', 'b2 ^ (b3 & b4)', 'b3 ^ (b4 | b0)', 'b4 ^ (b0 & b1)'],
  },
]

/** The order of independent computations in a round: the fastest of the orders measured in V8. */
const ORDER = {
  sums: [
    { column: 2, rows: [4, 3, 1, 2, 0] },
    { column: 4, rows: [1, 0, 2, 4, 3] },
    { column: 3, rows: [4, 3, 2, 0, 1] },
    { column: 0, rows: [4, 1, 2, 3, 0] },
    { column: 1, rows: [4, 3, 2, 1, 0] },
  ],
  added: [
    { column: 1, leftFirst: true },
    { column: 4, leftFirst: true },
    { column: 0, leftFirst: true },
    { column: 3, leftFirst: false },
    { column: 2, leftFirst: false },
  ],
  rows: [
    { row: 4, before: [0, 1, 3, 2, 4], after: [4, 1, 2, 3, 0] },
    { row: 0, before: [0, 4, 3, 1, 2], after: [1, 3, 0, 2, 4] },
    { row: 2, before: [3, 2, 4, 0, 1], after: [3, 4, 2, 1, 0] },
    { row: 3, before: [3, 0, 2, 4, 1], after: [0, 4, 3, 1, 2] },
    { row: 1, before: [0, 4, 3, 2, 1], after: [4, 1, 3, 0, 2] },
  ],
} as const

const FIVE = [0, 1, 2, 3, 4]
const LANES = Array.from({ length: 25 }, (_, lane) => lane)

export function generatePermutation(): string {
  return `
/** The round constants of iota (section 3.2.5). */
const constants = memory.data<u64>([${ROUND_CONSTANTS.join(', ')}])

export function permute(state: usize): void {
  ${declarations('state')}
  for (let at = constants; at < constants + 192; at += 8) {
    ${round()}
  }
  ${LANES.map((lane) => `store<u64>(state, ${plain(lane)}, ${8 * lane})`).join('\n  ')}
}

/** Permutes \`state\` and writes its first four lanes as a word. The last round computes only these lanes. */
export function squeeze(state: usize, result: usize): void {
  ${declarations('state')}
  for (let at = constants; at < constants + 184; at += 8) {
    ${round()}
  }
  ${theta()}
  ${moved(0, FIVE)}
  a0 = ${CHI[0]!.lanes[0]} ^ ${ROUND_CONSTANTS.at(-1)}
  a1 = ${CHI[0]!.lanes[1]}
  a2 = ${CHI[0]!.lanes[2]}
  a3 = ${CHI[0]!.lanes[3]}
  ${[3, 2, 1, 0].map((lane, limb) => `store<u64>(result, bswap<u64>(${plain(lane)}), ${8 * limb})`).join('\n  ')}
}
`
}

/** Bit 2^j - 1 of round constant i is bit 7 i + j of a linear feedback shift register (section 3.2.5). */
const ROUND_CONSTANTS = Array.from({ length: 24 }, (_, i) => {
  let constant = 0n
  for (let j = 0; j <= 6; j++) if (registerBit(7 * i + j)) constant |= 1n << BigInt(2 ** j - 1)
  return `0x${constant.toString(16)}`
})

/** Returns the output bit of the linear feedback shift register after `steps` steps (algorithm 5 of FIPS 202). */
function registerBit(steps: number): boolean {
  let register = 1
  for (let i = 0; i < steps % 255; i++) register = (register << 1) ^ (register & 0x80 ? 0x171 : 0)
  return (register & 1) === 1
}

/** Returns an expression of the true value of a lane, which may be stored complemented. */
function plain(lane: number): string {
  return `${COMPLEMENTED.has(lane) ? '~' : ''}a${lane}`
}

function declarations(state: string): string {
  const zero = (names: string) => `let ${names}: u64 = 0`
  return [
    ...LANES.map(
      (lane) => `let a${lane} = ${COMPLEMENTED.has(lane) ? '~' : ''}load<u64>(${state}, ${8 * lane})`,
    ),
    ...LANES.map((lane) => zero(`e${lane}`)),
    zero('n'),
    ...['b', 'c', 'd'].flatMap((name) => FIVE.map((x) => zero(`${name}${x}`))),
  ].join('\n  ')
}

/** Returns the code of a round, which replaces the lanes `a`. */
function round(): string {
  return [
    theta(),
    ...ORDER.rows.map(({ row, before, after }) => `${moved(row, before)}\n${mixed(row, after)}`),
    ...LANES.map((lane) => `a${lane} = e${lane}`),
  ].join('\n    ')
}

/** Returns the code of theta (section 3.2.1) without the last step, in which `moved` adds the values to the lanes. */
function theta(): string {
  const sums = ORDER.sums.map(
    ({ column, rows }) => `c${column} = ${rows.map((row) => `a${5 * row + column}`).join(' ^ ')}`,
  )
  const added = ORDER.added.map(({ column, leftFirst }) => {
    const [left, right] = [`c${(column + 4) % 5}`, `rotl<u64>(c${(column + 1) % 5}, 1)`]
    return `d${column} = ${leftFirst ? `${left} ^ ${right}` : `${right} ^ ${left}`}`
  })
  return [...sums, ...added].join('\n    ')
}

/** Returns the code of rho and pi for the given columns of a row (FIPS 202, sections 3.2.2 and 3.2.3). */
function moved(row: number, columns: readonly number[]): string {
  return columns
    .map((column) => {
      // Pi moves the lane at (x, y) to (y, 2x + 3y).
      const from = 5 * column + FIVE.find((x) => (2 * x + 3 * column) % 5 === row)!
      const lane = `a${from} ^ d${from % 5}`
      return `b${column} = ${from === 0 ? lane : `rotl<u64>(${lane}, ${ROTATIONS[from]})`}`
    })
    .join('\n    ')
}

/** Returns the code of chi for a row (section 3.2.4), and of iota for the first row (section 3.2.5). */
function mixed(row: number, columns: readonly number[]): string {
  const { not, lanes } = CHI[row]!
  const constant = (column: number) => (row === 0 && column === 0 ? ' ^ load<u64>(at)' : '')
  return [
    ...(not === undefined ? [] : [`n = ~${not}`]),
    ...columns.map((column) => `e${5 * row + column} = ${lanes[column]}${constant(column)}`),
  ].join('\n    ')
}
