// Types of a file that is published without declarations, and of globals that TypeScript declares only for browsers.

declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer
    constructor(size: { readonly initial: number; readonly maximum: number })
  }
  interface Global {
    readonly value: number
  }
  class CompileError extends Error {}
  class RuntimeError extends Error {}
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    readonly exports: object
    constructor(module: Module, imports?: object)
  }
  function instantiate(bytes: Uint8Array): Promise<{ readonly instance: { readonly exports: object } }>
}
