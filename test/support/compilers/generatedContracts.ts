/**
 * Random Solidity contracts whose functions emit their own variables. The parameters of an event have the names of the
 * variables that it is given, so that a test can compare a debugger's values with the decoded events.
 */
import type { Random } from '../random/random.ts'

/** A Solidity type, its literals in Solidity, and its values as arguments of viem. */
interface Type {
  readonly name: string
  /** Whether values have a data location. */
  readonly isReference: boolean
  /** Whether the type may be the type of a state variable that is assigned as a whole. */
  readonly isStored: boolean
  readonly literal: () => string
  readonly argument: () => unknown
  readonly members?: readonly { readonly name: string; readonly type: Type }[]
  readonly element?: Type
}

type Location = 'memory' | 'calldata' | 'storage' | ''

interface Variable {
  readonly name: string
  readonly type: Type
  readonly location: Location
}

interface Callable {
  readonly name: string
  readonly parameters: readonly Variable[]
  readonly results: readonly Variable[]
  readonly isExternal: boolean
}

export interface GeneratedContract {
  readonly source: string
  /** Calls of external functions. */
  readonly calls: readonly { readonly name: string; readonly args: readonly unknown[] }[]
}

export const ENUM_MEMBERS = ['calm', 'glad', 'angry']

export function generatedContract(random: Random): GeneratedContract {
  return new Generator(random).contract()
}

/** Maximum number of stack words of a function's variables, so that solc reaches all of them. */
const MOST_WORDS = 7

class Generator {
  readonly #random: Random
  readonly #declarations: string[] = []
  readonly #makers: string[] = []
  readonly #values: Type[]
  readonly #structs: Type[] = []
  readonly #arrays = new Map<string, Type>()
  readonly #stored: Variable[] = []
  readonly #fixed: Variable[] = []
  readonly #callables: Callable[] = []
  readonly #modifiers: Variable[] = []
  #count = 0
  #words = 0
  #lines: string[] = []

  constructor(random: Random) {
    this.#random = random
    this.#values = [
      ...['uint8', 'uint40', 'uint128', 'uint256'].map((name) => this.#integer(name, false)),
      ...['int16', 'int256'].map((name) => this.#integer(name, true)),
      value(
        'bool',
        () => String(random.chance(0.5)),
        () => random.chance(0.5),
      ),
      value(
        'address',
        () => `address(uint160(${random.bigint(159)}))`,
        () => random.hex(20),
      ),
      ...[1, 4, 32].map((size) =>
        value(
          `bytes${size}`,
          () => `bytes${size}(hex"${random.hex(size).slice(2)}")`,
          () => random.hex(size),
        ),
      ),
      value(
        'Mood',
        () => `Mood.${random.pick(ENUM_MEMBERS)}`,
        () => random.below(ENUM_MEMBERS.length),
      ),
      value(
        'Price',
        () => `Price.wrap(${random.below(1e9)})`,
        () => BigInt(random.below(1e9)),
      ),
    ]
    this.#declarations.push(`enum Mood { ${ENUM_MEMBERS.join(', ')} }`)
  }

  contract(): GeneratedContract {
    const random = this.#random
    for (let i = 0; i < 3; i++) this.#struct(i)
    for (let i = 0; i < 4; i++) this.#state()
    for (let i = 0; i < 2; i++) {
      const [type, name] = [random.pick(this.#values), this.#name('fixed_')]
      this.#fixed.push({ name, type, location: '' })
      this.#declarations.push(`${type.name} immutable ${name} = ${type.literal()};`)
    }
    for (let i = 0; i < 2; i++) this.#modifier()
    for (let i = 0; i < 7; i++) this.#function()
    const source = [
      '// SPDX-License-Identifier: MIT',
      'pragma solidity ^0.8.28;',
      'type Price is uint64;',
      'contract Generated {',
      ...[...this.#declarations, ...this.#makers, ...this.#lines].map((line) => `  ${line}`),
      '}',
    ].join('\n')
    const calls = this.#callables
      .filter(({ isExternal }) => isExternal)
      .map(({ name, parameters }) => ({ name, args: parameters.map(({ type }) => type.argument()) }))
    return { source, calls }
  }

  #name(prefix: string): string {
    return `${prefix}${this.#count++}`
  }

  #integer(name: string, isSigned: boolean): Type {
    const bits = Number(/\d+/.exec(name)![0])
    const draw = () => {
      const size = this.#random.bigint(bits - (isSigned ? 1 : 0))
      return isSigned && this.#random.chance(0.5) ? -size : size
    }
    return value(
      name,
      () => `${name}(${draw()})`,
      () => (bits > 48 ? draw() : Number(draw())),
    )
  }

  #struct(index: number): void {
    const name = `Struct${index}`
    const members = this.#random.list(this.#random.between(1, 4), () => ({
      name: this.#name('m'),
      type: this.#random.chance(0.6) ? this.#random.pick(this.#values) : this.#reference(2),
    }))
    this.#declarations.push(`struct ${name} { ${members.map((m) => `${m.type.name} ${m.name};`).join(' ')} }`)
    this.#structs.push({
      name,
      isReference: true,
      isStored: members.every(({ type }) => type.isStored && type.members === undefined),
      members,
      literal: () => `${name}(${members.map(({ type }) => type.literal()).join(', ')})`,
      argument: () => Object.fromEntries(members.map((member) => [member.name, member.type.argument()])),
    })
  }

  #reference(depth: number): Type {
    const random = this.#random
    const kind = random.below(depth > 0 ? 6 : 2)
    if (kind === 0) return this.#text('string')
    if (kind === 1) return this.#text('bytes')
    if (kind === 2 && this.#structs.length > 0) return random.pick(this.#structs)
    const element = random.chance(0.6) ? random.pick(this.#values) : this.#reference(depth - 1)
    return this.#array(element, random.chance(0.5) ? random.between(1, 3) : undefined)
  }

  #text(name: 'string' | 'bytes'): Type {
    const draw = () =>
      this.#random
        .list(this.#random.pick([0, 3, 31, 32, 33, 70]), () => this.#random.pick([...'abc xyz']))
        .join('')
    const literal = () => (name === 'string' ? `string("${draw()}")` : `bytes("${draw()}")`)
    const argument = () => (name === 'string' ? draw() : this.#random.hex(this.#random.below(40)))
    return { name, isReference: true, isStored: true, literal, argument }
  }

  /** An array of `length` elements; dynamic without `length`. Its values are made by a function of the contract. */
  #array(element: Type, length: number | undefined): Type {
    const name = `${element.name}[${length ?? ''}]`
    const known = this.#arrays.get(name)
    if (known !== undefined) return known
    const maker = this.#name('make')
    const type: Type = {
      name,
      isReference: true,
      isStored: !element.isReference,
      element,
      literal: () => `${maker}(${length ?? this.#random.below(4)})`,
      argument: () => this.#random.list(length ?? this.#random.below(4), () => element.argument()),
    }
    this.#arrays.set(name, type)
    const made = length === undefined ? `made = new ${name}(count);` : ''
    this.#makers.push(
      `function ${maker}(uint256 count) internal pure returns (${name} memory made) {`,
      `  ${made}`,
      `  for (uint256 i = 0; i < count; i++) made[i] = ${element.literal()};`,
      '}',
    )
    return type
  }

  #type(): Type {
    return this.#random.chance(0.4) ? this.#random.pick(this.#values) : this.#reference(2)
  }

  #state(): void {
    const random = this.#random
    const candidates = [this.#text('string'), this.#text('bytes'), ...this.#structs, ...this.#arrays.values()]
    const isValue = random.chance(0.4)
    const type = isValue ? random.pick(this.#values) : random.pick(candidates.filter((one) => one.isStored))
    const name = this.#name('stored_')
    const isTransient = isValue && random.chance(0.3)
    this.#stored.push({ name, type, location: 'storage' })
    this.#declarations.push(`${type.name} ${isTransient ? 'transient ' : ''}${name};`)
  }

  #modifier(): void {
    const name = this.#name('within')
    const type = this.#random.pick(this.#values)
    const most = { name: this.#name('most'), type, location: '' as const }
    this.#modifiers.push({ ...most, name })
    const before = { name: this.#name('before'), type, location: '' as const }
    this.#lines.push(`modifier ${name}(${type.name} ${most.name}) {`)
    this.#lines.push(`  ${type.name} ${before.name} = ${type.literal()};`)
    this.#emit([most, before], '  ')
    this.#lines.push('  _;')
    this.#emit([before, most], '  ')
    this.#lines.push('}')
  }

  #function(): void {
    const random = this.#random
    const isExternal = random.chance(0.6)
    this.#words = 0
    const parameters = random
      .list(random.between(0, 3), () => this.#parameter(isExternal))
      .filter((one) => this.#takes(one))
    const results = random
      .list(random.between(0, 2), () => this.#declared(this.#type(), 'memory', 'result'))
      .filter((one) => this.#takes(one))
    const name = this.#name(isExternal ? 'open' : 'inner')
    const modifier = random.chance(0.25) && this.#words < 4 ? random.pick(this.#modifiers) : undefined
    if (modifier !== undefined) this.#words += 2
    const listed = (all: readonly Variable[]) => all.map(declaration).join(', ')
    const returned = results.length > 0 ? ` returns (${listed(results)})` : ''
    const applied = modifier === undefined ? '' : ` ${modifier.name}(${modifier.type.literal()})`
    this.#lines.push(
      `function ${name}(${listed(parameters)}) ${isExternal ? 'external' : 'internal'}${applied}${returned} {`,
    )
    const scope = [...parameters, ...results]
    this.#block(scope, '  ', 2)
    this.#emit(scope, '  ')
    if (results.length > 0 && random.chance(0.4)) {
      const values = results.map(({ type }) => type.literal())
      this.#lines.push(`  return (${values.join(', ')});`)
    }
    this.#lines.push('}')
    this.#callables.push({ name, parameters, results, isExternal })
  }

  #parameter(isExternal: boolean): Variable {
    const random = this.#random
    if (!isExternal && random.chance(0.3)) {
      const stored = random.pick(this.#stored)
      if (stored.type.isReference) return this.#declared(stored.type, 'storage', 'kept')
    }
    return this.#declared(this.#type(), random.pick(['memory', 'calldata']), 'given')
  }

  #declared(type: Type, location: Location, prefix: string): Variable {
    return { name: this.#name(prefix), type, location: type.isReference ? location : '' }
  }

  /** Counts the stack words of a variable. Returns whether there are enough. */
  #takes({ type, location }: Variable): boolean {
    const words = location === 'calldata' && /^(string|bytes)$|\[\]$/.test(type.name) ? 2 : 1
    if (this.#words + words > MOST_WORDS) return false
    this.#words += words
    return true
  }

  #block(scope: Variable[], indent: string, depth: number): void {
    const outer = scope.length
    const words = this.#words
    for (let i = this.#random.between(2, 5); i > 0; i--) this.#statement(scope, indent, depth)
    if (depth < 2) {
      this.#emit(scope, indent)
      scope.length = outer
      this.#words = words
    }
  }

  #statement(scope: Variable[], indent: string, depth: number): void {
    const random = this.#random
    const kind = random.below(depth > 0 ? 9 : 6)
    if (kind <= 1) this.#local(scope, indent)
    else if (kind === 2) this.#emit(scope, indent)
    else if (kind === 3) this.#assignment(scope, indent)
    else if (kind === 4) this.#call(scope, indent)
    else if (kind === 5) this.#store(scope, indent)
    else if (kind === 6 && this.#words < MOST_WORDS) {
      const index = { name: this.#name('i'), type: this.#values[3]!, location: '' as const }
      this.#lines.push(
        `${indent}for (uint256 ${index.name} = 0; ${index.name} < ${random.below(4)}; ${index.name}++) {`,
      )
      this.#words++
      scope.push(index)
      if (random.chance(0.3)) this.#lines.push(`${indent}  if (${index.name} == 1) continue;`)
      this.#block(scope, `${indent}  `, depth - 1)
      if (random.chance(0.3)) this.#lines.push(`${indent}  if (${index.name} == 2) break;`)
      scope.pop()
      this.#words--
      this.#lines.push(`${indent}}`)
    } else {
      const flag = scope.find(({ type }) => type.name === 'bool')
      const condition =
        flag?.name ?? random.pick(['block.number > 0', 'msg.value > 0'.replace('msg.value', 'gasleft()')])
      this.#lines.push(kind === 7 ? `${indent}{` : `${indent}if (${condition}) {`)
      this.#block(scope, `${indent}  `, depth - 1)
      if (kind === 8 && random.chance(0.5)) {
        this.#lines.push(`${indent}} else {`)
        this.#block(scope, `${indent}  `, depth - 1)
      }
      this.#lines.push(`${indent}}`)
    }
  }

  #local(scope: Variable[], indent: string): void {
    const random = this.#random
    const stored = random.pick(this.#stored)
    const isPointer = random.chance(0.3) && stored.type.isReference
    const one = isPointer
      ? this.#declared(stored.type, 'storage', 'kept')
      : this.#declared(this.#type(), 'memory', 'local')
    if (!this.#takes(one)) return
    const same = scope.filter(({ type, location }) => type === one.type && location === 'memory')
    const initial = isPointer
      ? ` = ${stored.name}`
      : random.chance(0.2) && one.type.name !== 'Price'
        ? ''
        : ` = ${same.length > 0 && random.chance(0.5) ? random.pick(same).name : one.type.literal()}`
    this.#lines.push(`${indent}${declaration(one)}${initial};`)
    scope.push(one)
  }

  #assignment(scope: readonly Variable[], indent: string): void {
    const random = this.#random
    const own = scope.filter(
      ({ location, name }) => (location === '' || location === 'memory') && !name.startsWith('i'),
    )
    if (own.length === 0) return
    const { name, type } = random.pick(own)
    const member = type.members && random.pick(type.members)
    if (member !== undefined && random.chance(0.7)) {
      this.#lines.push(`${indent}${name}.${member.name} = ${member.type.literal()};`)
    } else if (type.element !== undefined && random.chance(0.7)) {
      if (type.name.endsWith('[]')) {
        this.#lines.push(`${indent}if (${name}.length > 1) ${name}[1] = ${type.element.literal()};`)
      } else this.#lines.push(`${indent}${name}[0] = ${type.element.literal()};`)
    } else if (/^u?int\d+$/.test(type.name) && random.chance(0.6)) {
      this.#lines.push(`${indent}unchecked { ${name}${random.pick(['++', ' += 3', ' *= 2'])}; }`)
    } else this.#lines.push(`${indent}${name} = ${type.literal()};`)
  }

  #call(scope: Variable[], indent: string): void {
    const random = this.#random
    const inner = this.#callables.filter(({ isExternal }) => !isExternal)
    if (inner.length === 0) return
    const { name, parameters, results } = random.pick(inner)
    const args = parameters.map((parameter) => {
      const [type, location] = [parameter.type, parameter.location]
      const known = [...scope, ...this.#stored].filter(
        (one) => one.type === type && one.location === location,
      )
      if (known.length > 0 && random.chance(0.7)) return random.pick(known).name
      return location === 'calldata' || location === 'storage' ? known[0]?.name : type.literal()
    })
    if (args.includes(undefined)) return
    const made = results.map(({ type }) => this.#declared(type, 'memory', 'made'))
    const hasRoom = made.length > 0 && made.every((one) => this.#takes(one))
    const call = `${name}(${args.join(', ')});`
    if (!hasRoom) this.#lines.push(`${indent}${call}`)
    else {
      const list = made.map(declaration).join(', ')
      this.#lines.push(`${indent}${made.length > 1 ? `(${list})` : list} = ${call}`)
      scope.push(...made)
    }
  }

  /** Assigns a state variable, or a part of one through a storage pointer. */
  #store(scope: readonly Variable[], indent: string): void {
    const random = this.#random
    const { name, type } = random.pick([
      ...this.#stored,
      ...scope.filter(({ location }) => location === 'storage'),
    ])
    const member = type.members && random.pick(type.members)
    if (member !== undefined) this.#lines.push(`${indent}${name}.${member.name} = ${member.type.literal()};`)
    else if (type.name.endsWith('[]')) this.#lines.push(`${indent}${name}.push(${type.element!.literal()});`)
    else if (name.startsWith('stored_')) this.#lines.push(`${indent}${name} = ${type.literal()};`)
  }

  /** Emits up to three variables in scope, among them immutables and state variables of value types. */
  #emit(scope: readonly Variable[], indent: string): void {
    const random = this.#random
    const state = this.#stored.filter(({ type }) => !type.isReference)
    const candidates = [...scope, ...scope, ...scope, ...state, ...this.#fixed]
    const chosen = new Map<string, Variable>()
    for (let i = random.between(1, 3); i > 0 && candidates.length > 0; i--) {
      const one = random.pick(candidates)
      chosen.set(one.name, one)
    }
    if (chosen.size === 0) return
    const event = this.#name('At')
    const all = [...chosen.values()]
    this.#declarations.push(
      `event ${event}(${all.map(({ name, type }) => `${type.name} ${name}`).join(', ')});`,
    )
    this.#lines.push(`${indent}emit ${event}(${all.map(({ name }) => name).join(', ')});`)
  }
}

function declaration({ type, location, name }: Variable): string {
  return [type.name, location, name].filter((part) => part !== '').join(' ')
}

function value(name: string, literal: () => string, argument: () => unknown): Type {
  return { name, isReference: false, isStored: true, literal, argument }
}
