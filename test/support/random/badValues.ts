/** Values that are wrong as one thing or another: texts of hex digits, quantities, data, blocks, objects, arrays. */
import type { Random } from './random.ts'

/** Draws a value. */
export type Make = (random: Random) => unknown

/** Of no use anywhere a text is wanted. */
export const NO_TEXT: Make = (random) =>
  random.pick<unknown>([
    0,
    1,
    -1,
    1.5,
    1e300,
    true,
    false,
    {},
    [],
    [[]],
    { toString: 'x' },
    JSON.parse('{"__proto__":{"a":1}}'),
  ])

/** A text of hex digits that is not `bytes` long, or not of hex digits, or no such text at all. */
export function badHex(bytes: number): Make {
  return (random) => {
    const right = random.hex(bytes)
    const at = random.between(2, right.length - 1)
    return random.pick<() => unknown>([
      () => NO_TEXT(random),
      () => random.pick(['', '0x', '0X', 'x', ' ', 'latest', '0x0', '0xg']),
      () => right.slice(0, -random.between(1, 2 * bytes)),
      () => `${right}${random.hex(random.between(1, bytes)).slice(2)}`,
      () => `${right}0`,
      () => right.slice(2),
      () => right.replace('0x', '0X'),
      () => ` ${right}`,
      () => `${right}\n`,
      () => `${right.slice(0, at)}${random.pick(['g', ' ', '-', '.', 'ü', '０'])}${right.slice(at + 1)}`,
      () => `0x${'f'.repeat(random.pick([1_000, 20_000]))}`,
    ])()
  }
}

export function badQuantity(bits: number): Make {
  return (random) =>
    random.pick<() => unknown>([
      () => NO_TEXT(random),
      () =>
        random.pick([
          '',
          '0x',
          '0X1',
          '10',
          '1e3',
          '-1',
          '-0x1',
          '+0x1',
          '0x-1',
          '0x1.5',
          '0xg',
          ' 0x1',
          '0x1 ',
          '0x 1',
          'newest',
        ]),
      () => `0x0${random.hex(random.between(1, 8)).slice(2)}`,
      () => `0x1${'0'.repeat(bits / 4)}`,
      () => `0x${'f'.repeat(random.pick([bits / 4 + 1, 100, 20_000]))}`,
      () => `0x${'0'.repeat(random.pick([2, 63, 1_000]))}`,
    ])()
}

export const badWord = badHex(32)
export const badAddress = badHex(20)
export const badUint64 = badQuantity(64)
export const badUint256 = badQuantity(256)

export const badSlot: Make = (random) =>
  random.pick<unknown>([NO_TEXT(random), '', '0x', '0xg', '1', `0x${'0'.repeat(65)}`, ' 0x1', '0X1'])

export const badNumberOrTag: Make = (random) =>
  random.pick<() => unknown>([
    () => badUint64(random),
    () =>
      random.pick([
        'newest',
        'Latest',
        'PENDING',
        'latest ',
        ' latest',
        'unsafe',
        'head',
        'genesis',
        'null',
        'undefined',
        '🙂',
      ]),
    () => random.hex(32),
    () => random.pick([{ blockNumber: '0x0' }, { blockHash: `0x${'11'.repeat(32)}` }]),
  ])()

export const badBytes: Make = (random) =>
  random.pick<() => unknown>([
    () => NO_TEXT(random),
    () => random.pick(['', '0', '00', '0X00', '0x0', '0x000', '0xgg', ' 0x', '0x ', 'latest', '0x0_0']),
    () => random.hex(random.between(1, 100)).slice(0, -1),
    () => `0x${'a'.repeat(20_001)}`,
  ])()

/** A good object with one member, which is spoilt. */
export function withBad(members: Record<string, Make>): Make {
  return (random) => {
    const [name, make] = random.pick(Object.entries(members))
    return { [name]: make(random) }
  }
}

/** An array of which one item is spoilt; the others are good. */
export function withBadItem(good: Make, bad: Make): Make {
  return (random) => {
    const items = random.list(random.between(0, 4), () => good(random))
    return items.toSpliced(random.between(0, items.length), 0, bad(random))
  }
}

export const notAnObject: Make = (random) =>
  random.pick<unknown>([0, 1, true, false, '', 'latest', '0x', [], [{}], 1e300])
export const notAnArray: Make = (random) =>
  random.pick<unknown>([0, 1, true, false, '', '0x', {}, { length: 1 }])
