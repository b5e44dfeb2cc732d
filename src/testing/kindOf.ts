/** Returns the kind of a value as a noun phrase for error messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  if (isWithoutClass(value)) return 'an object'
  return `an object of the class ${value.constructor?.name ?? 'without a name'}`
}

/** Returns whether `value` is an object without a class, such as `{}`, of this or another realm. */
export function isWithoutClass(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
