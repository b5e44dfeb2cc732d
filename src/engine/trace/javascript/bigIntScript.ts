/**
 * The global `bigInt` of JavaScript tracers. geth has the library big-integer (github.com/peterolson/BigInteger.js);
 * this script has the methods of its documentation, on JavaScript's own BigInt.
 */
export const BIG_INT_SCRIPT = `(() => {
  'use strict'
  class BigInteger {
    constructor(value) {
      this.value = value
    }
    toString(radix = 10) {
      return this.value.toString(radix)
    }
    toJSON() {
      return this.toString()
    }
    toJSNumber() {
      return Number(this.value)
    }
    valueOf() {
      return Number(this.value)
    }
    divmod(other) {
      const by = nativeOf(other)
      return { quotient: made(this.value / by), remainder: made(this.value % by) }
    }
    modPow(exponent, modulus) {
      const by = nativeOf(modulus)
      let result = 1n
      let base = this.value % by
      for (let left = nativeOf(exponent); left > 0n; left >>= 1n) {
        if (left & 1n) result = (result * base) % by
        base = (base * base) % by
      }
      return made(result)
    }
    bitLength() {
      const bits = this.value < 0n ? -this.value - 1n : this.value
      return made(bits === 0n ? 0n : BigInt(bits.toString(2).length))
    }
    isUnit() {
      return abs(this.value) === 1n
    }
    isDivisibleBy(other) {
      return this.value % nativeOf(other) === 0n
    }
  }

  const made = (value) => new BigInteger(value)
  const abs = (value) => (value < 0n ? -value : value)
  const gcd = (a, b) => (b === 0n ? abs(a) : gcd(b, a % b))
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

  const nativeOf = (value, radix = 10) => {
    if (value instanceof BigInteger) return value.value
    if (value === undefined) return 0n
    if (typeof value !== 'string' || radix === 10) return BigInt(value)
    const [, minus, digits] = /^(-?)(.*)$/.exec(value)
    let result = 0n
    for (const digit of digits) {
      const number = parseInt(digit, radix)
      if (Number.isNaN(number)) throw new Error('Invalid integer: ' + value)
      result = result * BigInt(radix) + BigInt(number)
    }
    return minus ? -result : result
  }

  const define = (names, method) => {
    for (const name of names.split(' ')) BigInteger.prototype[name] = method
  }
  const binary = {
    'add plus': (a, b) => a + b,
    'subtract minus': (a, b) => a - b,
    'multiply times': (a, b) => a * b,
    'divide over': (a, b) => a / b,
    'mod remainder': (a, b) => a % b,
    pow: (a, b) => a ** b,
    and: (a, b) => a & b,
    or: (a, b) => a | b,
    xor: (a, b) => a ^ b,
    shiftLeft: (a, b) => a << b,
    shiftRight: (a, b) => a >> b,
  }
  const unary = {
    abs,
    negate: (a) => -a,
    not: (a) => ~a,
    square: (a) => a * a,
    next: (a) => a + 1n,
    prev: (a) => a - 1n,
  }
  const comparisons = {
    'compare compareTo': order,
    compareAbs: (a, b) => order(abs(a), abs(b)),
    'equals eq': (a, b) => a === b,
    'notEquals neq': (a, b) => a !== b,
    'greater gt': (a, b) => a > b,
    'lesser lt': (a, b) => a < b,
    'greaterOrEquals geq': (a, b) => a >= b,
    'lesserOrEquals leq': (a, b) => a <= b,
    isZero: (a) => a === 0n,
    isPositive: (a) => a > 0n,
    isNegative: (a) => a < 0n,
    isEven: (a) => (a & 1n) === 0n,
    isOdd: (a) => (a & 1n) === 1n,
  }
  for (const [names, of] of Object.entries({ ...binary, ...unary })) {
    define(names, function (other) {
      return made(of(this.value, nativeOf(other)))
    })
  }
  for (const [names, of] of Object.entries(comparisons)) {
    define(names, function (other) {
      return of(this.value, nativeOf(other))
    })
  }

  const bigInt = (value, radix) => made(nativeOf(value, radix === undefined ? 10 : Number(radix)))
  const extreme = (isBetter) => (a, b) => (isBetter(nativeOf(a), nativeOf(b)) ? bigInt(a) : bigInt(b))
  globalThis.bigInt = Object.assign(bigInt, {
    zero: made(0n),
    one: made(1n),
    minusOne: made(-1n),
    max: extreme((a, b) => a > b),
    min: extreme((a, b) => a < b),
    gcd: (a, b) => made(gcd(nativeOf(a), nativeOf(b))),
    isInstance: (value) => value instanceof BigInteger,
  })
})()`
