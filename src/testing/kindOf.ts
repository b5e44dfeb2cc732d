/** What a value is, in the words of an error message. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  if (isWithoutClass(value)) return 'an object'
  return `an object of the class ${value.constructor?.name ?? 'without a name'}`
}

/** Whether `value` is an object as `{}` makes it, here or in another realm. */
export function isWithoutClass(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
