/** Returns an object whose members are made when they are first read; `make` gets the name. */
export function lazyRecord<T>(
  names: Iterable<string>,
  make: (name: string) => T,
): Readonly<Record<string, T>> {
  const record = {}
  for (const name of names) lazyMember(record, name, () => make(name))
  return record
}

/** Adds a member to `object` whose value is made when it is first read. */
export function lazyMember<T>(object: object, name: string, make: () => T): void {
  const settle = (value: T) => {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true })
    return value
  }
  Object.defineProperty(object, name, { get: () => settle(make()), enumerable: true, configurable: true })
}
