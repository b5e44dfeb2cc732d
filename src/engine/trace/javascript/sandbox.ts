/**
 * A JavaScript engine (QuickJS, compiled to WebAssembly) for code that clients send. The code reaches nothing but the
 * functions that the host passes to it.
 */
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { TracerFailed } from '../tracer.ts'

/** The memory limit of a module, in bytes. A module serves the tracers of one request. */
export const SANDBOX_BYTES = 64 * 1024 * 1024
const MOST_KEPT_BYTES = 32 * 1024 * 1024
const PAGE_BYTES = 65_536
/** The initial memory for which the module is compiled. */
const INITIAL_PAGES = 256
const STACK_BYTES = 256 * 1024

/** A value that crosses between host and sandbox. Bytes become an `ArrayBuffer`. */
export type Crossing = string | number | boolean | Uint8Array | undefined

export type HostFunction = (...args: never[]) => Crossing

let idle: QuickJSWASMModule | undefined

/** Returns a module of QuickJS, which is loaded with the first call. The module of an earlier tracer is used again. */
export async function loadQuickJs(): Promise<QuickJSWASMModule> {
  const module = idle ?? (await createModule())
  idle = undefined
  return module
}

function createModule(): Promise<QuickJSWASMModule> {
  // QuickJS's own memory limit does not count the contents of objects in WebAssembly.
  const wasmMemory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: SANDBOX_BYTES / PAGE_BYTES })
  // The package's types are those of its CommonJS module, which has one more `default`.
  const sync = variant as unknown as QuickJSSyncVariant
  return newQuickJSWASMModuleFromVariant(newVariant(sync, { wasmMemory }))
}

export class Sandbox {
  readonly #module: QuickJSWASMModule
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #handles: QuickJSHandle[] = []
  /** The reason why the code must not run on, from the host. It is thrown when the sandbox returns. */
  #stopped: { readonly reason: unknown } | undefined
  /** Whether the module trapped, which QuickJS does at some failed allocations. */
  #isDamaged = false

  /** `check` is called regularly while code runs, and stops the code if it throws. */
  constructor(module: QuickJSWASMModule, check: () => void) {
    this.#module = module
    this.#runtime = module.newRuntime()
    this.#runtime.setMaxStackSize(STACK_BYTES)
    this.#runtime.setInterruptHandler(() => {
      if (this.#stopped === undefined) this.#guard(check)
      return this.#stopped !== undefined
    })
    this.#context = this.#runtime.newContext()
  }

  /** Evaluates `code` in the global scope. The value is kept until the sandbox is disposed. */
  evaluate(code: string, file: string): QuickJSHandle {
    return this.#keep(this.#result(() => this.#context.evalCode(code, file), undefined))
  }

  /** Returns an object of the sandbox with `functions`. An error that a function throws ends the sandbox's code. */
  hostObject(functions: Readonly<Record<string, HostFunction>>): QuickJSHandle {
    const context = this.#context
    const object = this.#keep(context.newObject())
    for (const [name, run] of Object.entries(functions)) {
      const handle = context.newFunction(name, (...args) => {
        const plain = args.map((arg) => context.dump(arg)) as never[]
        let result: Crossing
        this.#guard(() => {
          result = run(...plain)
        })
        return this.#stopped === undefined ? this.#handleOf(result) : { error: context.newError('stopped') }
      })
      context.setProp(object, name, handle)
      handle.dispose()
    }
    return object
  }

  member(object: QuickJSHandle, name: string): QuickJSHandle {
    return this.#keep(this.#context.getProp(object, name))
  }

  /** Calls the script's function that takes the tracer. Returns the number that it returns. */
  load(fn: QuickJSHandle, tracer: QuickJSHandle, config: string): number {
    using text = this.#context.newString(config)
    using result = this.#called(fn, [tracer, text], 'setup')
    return this.#context.getNumber(result)
  }

  /** Calls a function with values of the sandbox. The result is kept. */
  call(fn: QuickJSHandle, args: readonly QuickJSHandle[]): QuickJSHandle {
    return this.#keep(this.#called(fn, args))
  }

  /** Calls a function with values of the host. Returns its result if that is text or a number. `name`: for errors. */
  run(fn: QuickJSHandle, args: readonly Crossing[], name?: string): unknown {
    const handles = args.map((arg) => this.#handleOf(arg))
    try {
      using result = this.#called(fn, handles, name)
      const type = this.#context.typeof(result)
      return type === 'string' || type === 'number' ? this.#context.dump(result) : undefined
    } finally {
      for (const handle of handles) handle.dispose()
    }
  }

  #called(fn: QuickJSHandle, args: readonly QuickJSHandle[], name?: string): QuickJSHandle {
    return this.#result(() => this.#context.callFunction(fn, this.#context.undefined, ...args), name)
  }

  /** Frees the sandbox's memory. Keeps the module for later, unless it is damaged or its memory, which never shrinks, is large. */
  dispose(): void {
    if (this.#isDamaged) return
    try {
      for (const handle of this.#handles) handle.dispose()
      this.#context.dispose()
      this.#runtime.dispose()
    } catch {
      return
    }
    if (this.#module.getWasmMemory().buffer.byteLength <= MOST_KEPT_BYTES) idle = this.#module
  }

  #keep(handle: QuickJSHandle): QuickJSHandle {
    this.#handles.push(handle)
    return handle
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (reason) {
      this.#stopped = { reason }
    }
  }

  #handleOf(value: Crossing): QuickJSHandle {
    const context = this.#context
    if (typeof value === 'string') return context.newString(value)
    if (typeof value === 'number') return context.newNumber(value)
    if (typeof value === 'boolean') return value ? context.true : context.false
    return value === undefined ? context.undefined : context.newArrayBuffer(value.slice().buffer)
  }

  #result(run: () => ReturnType<QuickJSContext['callFunction']>, name: string | undefined): QuickJSHandle {
    let error: unknown
    try {
      const result = run()
      if (result.error === undefined && this.#stopped === undefined) return result.value
      error = result.error === undefined ? undefined : this.#context.dump(result.error)
      result.dispose()
    } catch (thrown) {
      if (!(thrown instanceof WebAssembly.RuntimeError)) throw thrown
      this.#isDamaged = true
      error = null
    }
    this.#stopped ??= { reason: new TracerFailed(textOf(error)) }
    const { reason } = this.#stopped
    if (!(reason instanceof TracerFailed) || name === undefined) throw reason
    throw new TracerFailed(`${reason.message}    in server-side tracer function '${name}'`)
  }
}

/** Describes an error of the sandbox as one line. `null`: there was no memory for an error. */
function textOf(error: unknown): string {
  if (error === null) return OUT_OF_MEMORY
  if (typeof error !== 'object') return String(error).slice(0, MOST_TEXT)
  const { name = 'Error', message = '', stack = '' } = error as Record<string, string | undefined>
  if (message.includes('out of memory')) return OUT_OF_MEMORY
  const place = /^\s*at .*\btracer:\d+(:\d+)?\)?/m.exec(stack)?.[0].trim()
  const said = `${name}: ${message}`.slice(0, MOST_TEXT)
  return place === undefined ? said : `${said} ${place}`
}

/** The most characters of an error that a tracer throws. */
const MOST_TEXT = 1_000

const OUT_OF_MEMORY = `out of memory: the tracer used more than ${SANDBOX_BYTES} bytes and was stopped`
