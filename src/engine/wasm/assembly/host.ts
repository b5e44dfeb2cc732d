// The functions that TypeScript provides (`../host.ts`).

/** Writes an account: existence, nonce, balance, code hash, and whether it has storage. */
export declare function loadAccount(account: usize): void
/** Returns the length of an account's code, which a call of `takeCode` then copies to a place. */
export declare function codeLength(account: usize): u32
export declare function takeCode(place: usize): void
/** Writes the value that the slot has in the state. */
export declare function loadSlot(slot: usize): void
/** Writes the hash of one of the 256 preceding blocks as a word. */
export declare function blockHash(number: f64, result: usize): void
export declare function callConsole(frame: usize): void
export declare function enter(frame: usize): void
export declare function exit(frame: usize): void
/** Called before each instruction. `cost` excludes the gas that a call passes on. */
export declare function step(frame: usize, place: u32, opcode: u32, cost: f64): void
/** Selects the code that later calls of `hit` count. */
export declare function hitsOf(code: usize): void
/** Adds `count` to the executions from the instruction at `pc` to the end of its basic block. */
export declare function hit(pc: u32, count: i32): void
/** Throws. */
export declare function outOfMemory(): void
/** Called before a SELFDESTRUCT transfers the balance. */
export declare function destroyed(account: usize, beneficiary: usize): void
