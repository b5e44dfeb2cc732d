// The functions that TypeScript provides (`../host.ts`).

/** Fills in an account: whether it exists, nonce, balance, the hash of its code, whether it has storage. */
export declare function loadAccount(account: usize): void
/** Returns the length of an account's code, which `takeCode` then copies to a place. */
export declare function codeLength(account: usize): u32
export declare function takeCode(place: usize): void
/** Writes the value of a slot in the state. */
export declare function loadSlot(slot: usize): void
/** Writes the hash of one of the 256 last blocks as a word. */
export declare function blockHash(number: f64, result: usize): void
/** Records a call of `console.log`. */
export declare function callConsole(frame: usize): void
/** A frame is entered, or ended. */
export declare function enter(frame: usize): void
export declare function exit(frame: usize): void
/** An instruction is about to run. `cost` excludes the gas that a call passes on. */
export declare function step(frame: usize, place: u32, opcode: u32, cost: f64): void
/** Selects the code of the next calls of `hit`. */
export declare function hitsOf(code: usize): void
/** `count` more runs from the instruction at `pc` to the end of its basic block. */
export declare function hit(pc: u32, count: i32): void
/** A run needs more memory than it may have. Does not return. */
export declare function outOfMemory(): void
/** SELFDESTRUCT pays its balance. */
export declare function destroyed(account: usize, beneficiary: usize): void
