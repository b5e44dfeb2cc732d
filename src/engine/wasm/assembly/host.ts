// The functions that TypeScript provides (`../host.ts`).

/** Fills in an account: whether it exists, nonce, balance, the hash of its code, whether it has storage. */
@external('host', 'loadAccount')
export declare function loadAccount(account: usize): void
/** Returns the length of an account's code, which `takeCode` then copies to a place. */
@external('host', 'codeLength')
export declare function codeLength(account: usize): u32
@external('host', 'takeCode')
export declare function takeCode(place: usize): void
/** Writes the value of a slot in the state. */
@external('host', 'loadSlot')
export declare function loadSlot(slot: usize): void
/** Writes the hash of one of the 256 last blocks as a word. */
@external('host', 'blockHash')
export declare function blockHash(number: f64, result: usize): void
/** Records a call of `console.log`. */
@external('host', 'callConsole')
export declare function callConsole(frame: usize): void
/** A frame is entered, or ended. */
@external('host', 'enter')
export declare function enter(frame: usize): void
@external('host', 'exit')
export declare function exit(frame: usize): void
/** An instruction is about to run. `cost` excludes the gas that a call passes on. */
@external('host', 'step')
export declare function step(frame: usize, place: u32, opcode: u32, cost: f64): void
/** Selects the code of the next calls of `hit`. */
@external('host', 'hitsOf')
export declare function hitsOf(code: usize): void
/** `count` more runs from the instruction at `pc` to the end of its basic block. */
@external('host', 'hit')
export declare function hit(pc: u32, count: i32): void
/** A run needs more memory than it may have. Does not return. */
@external('host', 'outOfMemory')
export declare function outOfMemory(): void
/** SELFDESTRUCT pays its balance. */
@external('host', 'destroyed')
export declare function destroyed(account: usize, beneficiary: usize): void
