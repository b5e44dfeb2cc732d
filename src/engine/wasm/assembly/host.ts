// The functions that the module imports from TypeScript (`../host.ts`).

/** Writes an account of the state to `account`: existence, nonce, balance, code hash, and whether it has storage. */
export declare function loadAccount(account: usize): void
/** Returns the length of an account's code. The next call of `takeCode` copies this code. */
export declare function codeLength(account: usize): u32
export declare function takeCode(place: usize): void
/** Writes the value of a slot in the state to `slot`. */
export declare function loadSlot(slot: usize): void
/** Writes the hash of one of the 256 preceding blocks to `result`, as a word. */
export declare function blockHash(number: f64, result: usize): void
export declare function callConsole(frame: usize): void
export declare function enter(frame: usize): void
export declare function exit(frame: usize): void
/** Called before each instruction. `cost` excludes the gas passed to a callee. */
export declare function step(frame: usize, place: u32, opcode: u32, cost: f64): void
/** Selects the code whose instructions later calls of `hit` count. */
export declare function hitsOf(code: usize): void
/** Adds `count` to the counts of the instructions from position `pc` to the end of the basic block. */
export declare function hit(pc: u32, count: i32): void
/** Throws `MemoryLimitExceeded`. */
export declare function outOfMemory(): void
/** Called before a SELFDESTRUCT transfers the balance. */
export declare function destroyed(account: usize, beneficiary: usize): void
