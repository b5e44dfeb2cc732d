/**
 * The script that runs in the sandbox before the tracer's text: the globals of geth's JavaScript tracers, and the
 * objects that their functions receive (eth/tracers/js/goja.go).
 *
 * A call from the sandbox to the host takes as long as several steps. So each step comes with a buffer of its numbers
 * and of the top of the stack, and the objects call the host only for the rest.
 */

/** Positions in the buffer of a step: 64-bit floats, then stack items of four 64-bit limbs, the top item first. */
export const STEP = { pc: 0, opcode: 1, gas: 2, cost: 3, depth: 4, refund: 5, height: 6, words: 7, frame: 8 }
export const STEP_NUMBERS = 9

export const STEPS = 1
export const FRAMES = 2

/** Evaluates to a function of the host's functions, the names of opcodes, and the addresses of precompiles. */
export const TRACER_SCRIPT = `(host, names, precompiles) => {
  'use strict'
  const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

  const toHex = (bytes) => {
    let text = '0x'
    for (let i = 0; i < bytes.length; i++) text += DIGITS[bytes[i]]
    return text
  }
  const fromHex = (text) => {
    const digits = text.replace(/^0x/i, '')
    const even = digits.length % 2 === 1 ? '0' + digits : digits
    const bytes = new Uint8Array(even.length / 2)
    for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(even.slice(2 * i, 2 * i + 2), 16)
    return bytes
  }
  const bytesOf = (value) => {
    if (value instanceof Uint8Array) return value
    return Array.isArray(value) ? Uint8Array.from(value) : host.fail('invalid buffer type')
  }
  const bytesOrTextOf = (value) => (typeof value === 'string' ? fromHex(value) : bytesOf(value))
  const ofLength = (bytes, length) => {
    const last = bytes.subarray(Math.max(0, bytes.length - length))
    const result = new Uint8Array(length)
    result.set(last, length - last.length)
    return result
  }
  const addressOf = (value) => toHex(ofLength(bytesOf(value), 20))
  const word = (value) => toHex(ofLength(bytesOf(value), 32))
  const address = (value) => toHex(ofLength(bytesOrTextOf(value), 20))

  Object.assign(globalThis, {
    toHex: (value) => toHex(bytesOf(value)),
    toWord: (value) => ofLength(bytesOrTextOf(value), 32),
    toAddress: (value) => ofLength(bytesOrTextOf(value), 20),
    toContract: (from, nonce) => fromHex(host.created(address(from), Number(nonce))),
    toContract2: (from, salt, code) =>
      fromHex(host.created2(address(from), toHex(ofLength(fromHex(salt), 32)), toHex(bytesOrTextOf(code)))),
    isPrecompiled: (value) => precompiles.includes(address(value)),
    slice: (value, start, end) => {
      const bytes = bytesOf(value)
      if (start >= 0 && start <= end && end <= bytes.length) return bytes.slice(start, end)
      const range = 'available ' + bytes.length + ', offset ' + start + ', size ' + (end - start)
      return host.fail('Tracer accessed out of bound memory: ' + range)
    },
  })

  const integer = (value) => Math.trunc(Number(value))
  const big = (hex) => bigInt(BigInt(hex))
  const bytes = (buffer) => new Uint8Array(buffer)
  let step = new Float64Array(${STEP_NUMBERS})
  let limbs = new BigUint64Array(0)
  let error
  let contract = {}

  const current = () => {
    if (contract.frame !== step[${STEP.frame}]) {
      const { caller, address, value } = JSON.parse(host.contract())
      contract = { frame: step[${STEP.frame}], caller, address, value }
    }
    return contract
  }
  const log = {
    op: {
      toNumber: () => step[${STEP.opcode}],
      toString: () => names[step[${STEP.opcode}]],
      isPush: () => step[${STEP.opcode}] >= 0x5f && step[${STEP.opcode}] <= 0x7f,
    },
    stack: {
      peek: (position) => {
        const index = integer(position)
        const height = step[${STEP.height}]
        if (!(index >= 0 && index < height))
          return host.fail('tracer accessed out of bound stack: size ' + height + ', index ' + index)
        if (index >= step[${STEP.words}]) return big(host.peek(index))
        const at = 4 * index
        return bigInt(limbs[at] | (limbs[at + 1] << 64n) | (limbs[at + 2] << 128n) | (limbs[at + 3] << 192n))
      },
      length: () => step[${STEP.height}],
    },
    memory: {
      slice: (begin, end) => bytes(host.memory(integer(begin), integer(end))),
      getUint: (offset) => big(host.memoryWord(integer(offset))),
      length: () => host.memoryLength(),
    },
    contract: {
      getCaller: () => fromHex(current().caller),
      getAddress: () => fromHex(current().address),
      getValue: () => big(current().value),
      getInput: () => bytes(host.input()),
    },
    getPC: () => step[${STEP.pc}],
    getGas: () => step[${STEP.gas}],
    getCost: () => step[${STEP.cost}],
    getDepth: () => step[${STEP.depth}],
    getRefund: () => step[${STEP.refund}],
    getError: () => error,
  }

  const db = {
    getBalance: (owner) => big(host.balance(addressOf(owner))),
    getNonce: (owner) => host.nonce(addressOf(owner)),
    getCode: (owner) => bytes(host.code(addressOf(owner))),
    getState: (owner, slot) => fromHex(host.storage(addressOf(owner), word(slot))),
    exists: (owner) => host.exists(addressOf(owner)),
  }

  let entered
  let input
  const frame = {
    getType: () => entered.type,
    getFrom: () => fromHex(entered.from),
    getTo: () => fromHex(entered.to),
    getInput: () => bytes(input),
    getGas: () => entered.gas,
    getValue: () => (entered.value === undefined ? undefined : big(entered.value)),
  }
  let left
  let output
  const frameResult = {
    getGasUsed: () => left.gasUsed,
    getOutput: () => bytes(output),
    getError: () => left.error,
  }

  let tracer
  let functions
  return {
    load(value, config) {
      tracer = Object(value)
      const { setup, step, fault, result, enter, exit } = tracer
      functions = { step, fault, result, enter, exit }
      const has = (name) => typeof tracer[name] === 'function'
      for (const name of ['result', 'fault'])
        if (!has(name)) return host.fail('trace object must expose a function ' + name + '()')
      if (has('enter') !== has('exit'))
        return host.fail('trace object must expose either both or none of enter() and exit()')
      if (typeof setup === 'function') setup.call(tracer, config)
      return (has('step') ? ${STEPS} : 0) | (has('enter') ? ${FRAMES} : 0)
    },
    step(buffer, failure) {
      step = new Float64Array(buffer, 0, ${STEP_NUMBERS})
      limbs = new BigUint64Array(buffer, ${8 * STEP_NUMBERS})
      error = failure
      functions.step.call(tracer, log, db)
    },
    fault(failure) {
      error = failure
      functions.fault.call(tracer, log, db)
    },
    enter(description, data) {
      entered = JSON.parse(description)
      input = data
      functions.enter.call(tracer, frame)
    },
    exit(description, data) {
      left = JSON.parse(description)
      output = data
      functions.exit.call(tracer, frameResult)
    },
    result(context) {
      const ctx = JSON.parse(context)
      for (const name of ['from', 'to', 'input', 'output', 'coinbase', 'blockHash', 'txHash'])
        if (ctx[name] !== undefined) ctx[name] = fromHex(ctx[name])
      for (const name of ['value', 'gasPrice']) ctx[name] = big(ctx[name])
      return JSON.stringify(functions.result.call(tracer, ctx, db)) ?? 'null'
    },
  }
}`
