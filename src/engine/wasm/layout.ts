/**
 * The layout of the module's memory, which both sides compile: AssemblyScript (`assembly/`) and TypeScript.
 *
 * The first 64 KiB have fixed addresses; behind them are the static data of `assembly/` and the heap. A word is 32
 * bytes, four 64-bit limbs, the least significant first; addresses are words.
 */

// The context of a run: words.
export const ORIGIN = 0x400
export const GAS_PRICE = 0x420
export const COINBASE = 0x440
export const TIMESTAMP = 0x460
export const NUMBER = 0x480
/** DIFFICULTY, from Paris on PREVRANDAO. */
export const DIFFICULTY = 0x4a0
export const GAS_LIMIT = 0x4c0
export const CHAIN_ID = 0x4e0
export const BASE_FEE = 0x500
export const BLOB_BASE_FEE = 0x520

// The state of a run.
/** u32: the open frame; 0 if there is none. */
export const FRAME = 0x800
/** u32: the first frame. */
export const FRAMES = 0x804
/** u32: the position of the next record of the journal, in bytes. */
export const JOURNAL_LENGTH = 0x808
/** u32: the segments of the journal (`assembly/heap.ts`). */
export const JOURNAL = 0x80c
/** u32: bytes of the logs in use. */
export const LOGS_LENGTH = 0x810
/** u32: the segments of the logs. */
export const LOGS = 0x814
/** i64: the refund counter. */
export const REFUND = 0x818
/** u32: the data that the last call of the open frame returned. */
export const RETURN_DATA = 0x820
export const RETURN_LENGTH = 0x824
/** u32: `WATCHES_FRAMES`, `WATCHES_STEPS`, or both. */
export const WATCHES = 0x828
/** u32: 1 if the outcome may depend on the amount of gas. */
export const DEPENDS_ON_GAS = 0x82c
/** i64: the gas that SSTORE required of the outermost frame. */
export const GAS_AT_LEAST = 0x830
/** u32: the first of the accounts that `collect` found, linked by `ACCOUNT_NEXT`. */
export const CHANGED = 0x838
/** u32: the versioned hashes of the transaction's blobs, and their number. */
export const BLOB_HASHES = 0x83c
export const BLOB_COUNT = 0x840
/** u32: the code object without bytes. */
export const EMPTY_CODE = 0x844
/** u32: the first temporary code object. */
export const TEMPORARY_CODE = 0x848
/** u32: `COLLECTS_HITS`, `COUNTS_HITS`, or both. */
export const HITS = 0x84c
/** i64: the gas until the next pause. */
export const GAS_TO_PAUSE = 0x850

export const WATCHES_FRAMES = 1
export const WATCHES_STEPS = 2

/** Code is decoded so that it counts how often each basic block is entered. */
export const COLLECTS_HITS = 1
/** The blocks of this run are counted. */
export const COUNTS_HITS = 2

// The rules. u32 unless said otherwise.
/** A number of these rules: code is decoded for each. */
export const RULES_NUMBER = 0x1000
/** 1 from Berlin on. */
export const HAS_ACCESS_COSTS = 0x1004
export const EXP_BYTE_GAS = 0x1008
/** The gas schedule of SSTORE: one of `SSTORE_...`. */
export const SSTORE_RULE = 0x100c
/** The gas of an SSTORE that changes nothing, or a slot that is dirty already. */
export const SSTORE_DIRTY_GAS = 0x1010
export const SSTORE_RESET_GAS = 0x1014
export const SSTORE_CLEAR_REFUND = 0x1018
/** 1 from Tangerine Whistle on (EIP-150). */
export const KEEPS_64TH = 0x101c
/** 1 from Spurious Dragon on (EIP-161). */
export const REMOVES_EMPTY = 0x1020
export const SELFDESTRUCT_REFUND = 0x1024
/** 1 from Cancun on (EIP-6780). */
export const DESTROYS_NEW_ONLY = 0x1028
/** 1 from Shanghai on (EIP-3860). */
export const METERS_INIT_CODE = 0x102c
/** The limit of a contract's code in bytes; 0xffffffff: unlimited. */
export const CODE_LIMIT = 0x1030
export const INIT_CODE_LIMIT = 0x1034
/** 1 from London on (EIP-3541). */
export const REJECTS_EF = 0x1038
/** 1 from Homestead on: a creation that cannot pay for its code fails (EIP-2). */
export const FAILS_WITHOUT_DEPOSIT = 0x103c
/** 1 from Prague on (EIP-7702). */
export const HAS_DELEGATIONS = 0x1040

export const SSTORE_LEGACY = 0
export const SSTORE_NET = 1
export const SSTORE_SENTRY = 2

// The opcodes under these rules.
/** u32 for each opcode: its static gas. */
export const STATIC_GAS = 0x1400
/** u8 for each opcode: the items that it takes from the stack. */
export const STACK_IN = 0x1800
/** u8 for each opcode: the items that it puts on the stack. */
export const STACK_OUT = 0x1900
/** u8 for each opcode: 1 if it is defined. */
export const IS_DEFINED = 0x1a00

/** Words that TypeScript passes to and reads from exports. */
export const EXCHANGE = 0x2000
/** Scratch space for bytes that are hashed. */
export const SCRATCH = 0x3000

/** The bytes of a segment of the journal and of the logs. */
export const SEGMENT_BITS = 18
export const SEGMENT = 262_144

// An account.
/** u32: flags. */
export const ACCOUNT_FLAGS = 0
/** u32: its code object; 0 if it was not read yet. */
export const ACCOUNT_CODE = 4
export const ACCOUNT_NONCE = 8
export const ACCOUNT_NONCE_BEFORE = 16
/** u32: the next changed account. */
export const ACCOUNT_NEXT = 24
/** u32: the first of its changed slots. */
export const ACCOUNT_SLOTS = 28
export const ACCOUNT_ADDRESS = 32
export const ACCOUNT_BALANCE = 64
export const ACCOUNT_BALANCE_BEFORE = 96
/** The hash of its code in the state, as a word. */
export const ACCOUNT_CODE_HASH = 128
/** u32: the code object of its code in the state; 0 if it was not read yet. */
export const ACCOUNT_CODE_BEFORE = 160
export const ACCOUNT_SIZE = 192

export const EXISTS = 1
/** Exists in the state. */
export const EXISTED = 2
/** Has storage in the state. */
export const HAS_STORAGE = 4
export const WARM = 8
/** Is removed at the end if it is empty (EIP-161). */
export const TOUCHED = 16
/** Was created in this transaction. */
export const CREATED = 32
export const DESTROYED = 64
export const IS_PRECOMPILE = 128
export const IS_CONSOLE = 256
export const LISTED = 512
/** Has the address of the RIPEMD-160 precompile. */
export const IS_RIPEMD = 1024
/** Is warm from the beginning of each run: the original address of a precompile. */
export const ALWAYS_WARM = 2048
/** The flags of the state or the address, which outlive a run. */
export const LASTING = EXISTED | HAS_STORAGE | IS_PRECOMPILE | IS_CONSOLE | IS_RIPEMD | ALWAYS_WARM

// A slot of storage or transient storage.
/** u32: the account; 1 more for transient storage. */
export const SLOT_OWNER = 0
/** u32: `WARM`, `LISTED`. */
export const SLOT_FLAGS = 4
/** u32: the position of its last record in the journal. */
export const SLOT_RECORD = 8
/** u32: the next changed slot of the account. */
export const SLOT_NEXT = 12
export const SLOT_KEY = 32
export const SLOT_VALUE = 64
/** The value in the state. */
export const SLOT_BEFORE = 96
export const SLOT_SIZE = 128

// A code object.
/** u32: its bytes, followed by 32 zeros. */
export const CODE_BYTES = 0
export const CODE_LENGTH = 4
/** u32: the first instruction of the fast and of the raw reading; 0 if it was not decoded. */
export const CODE_FAST = 8
export const CODE_RAW = 12
/** u32: the jump tables: the address of the instruction for each position of the code; 0: no JUMPDEST. */
export const CODE_FAST_JUMPS = 16
export const CODE_RAW_JUMPS = 20
/**
 * u32: for each instruction its position in the code, and the gas of its block before it. At a block's beginning that gas
 * is 0, and a reading that counts its blocks has the count in its place.
 */
export const CODE_PLACES = 24
/** u32: the instruction of the raw reading for each position. */
export const CODE_RAW_PLACES = 28
export const CODE_HASH = 32
/** u32: 1 if the hash is known. */
export const CODE_HAS_HASH = 64
/** u32: 1 if it is freed at the end of the run. */
export const CODE_IS_TEMPORARY = 68
/** u32: the next temporary code object. */
export const CODE_NEXT = 72
/** u32: the memory blocks of the readings. */
export const CODE_FAST_BLOCK = 76
export const CODE_RAW_BLOCK = 80
/** u32: the rules for which it was decoded; with `COUNTED_READING` if it counts its blocks. */
export const CODE_RULES = 84
/** u32: 1 if it is the code of a creation. */
export const CODE_IS_INIT = 88
export const CODE_SIZE = 96

export const COUNTED_READING = 0x80000000

// A frame.
/** u32: the next instruction. */
export const FRAME_IP = 0
/** u32: the top of the stack. */
export const FRAME_SP = 4
/** i64: the gas that is left. */
export const FRAME_GAS = 8
/** u32: memory, its size in bytes, and the bytes allocated for it. */
export const FRAME_MEMORY = 16
export const FRAME_MEMORY_SIZE = 20
export const FRAME_MEMORY_ROOM = 24
/** u32: the top of the empty stack, one word below the first item. */
export const FRAME_STACK = 28
export const FRAME_CODE = 32
/** u32: `IS_STATIC`, `IS_RAW`, `IS_OPEN`. */
export const FRAME_FLAGS = 36
/** u32: the account in which the code runs. */
export const FRAME_ACCOUNT = 40
export const FRAME_CALLER = 44
/** u32: the account that was called, whose code runs. */
export const FRAME_CODE_ACCOUNT = 48
/** u32: the opcode that opened the frame. */
export const FRAME_KIND = 52
/** u32: calldata; empty in a creation. */
export const FRAME_DATA = 56
export const FRAME_DATA_LENGTH = 60
export const FRAME_VALUE = 64
/** u32: the lengths of journal and logs at the beginning. */
export const FRAME_JOURNAL = 96
export const FRAME_LOGS = 100
/** i64: the refund counter at the beginning. */
export const FRAME_REFUND = 104
/** u32: the range of the caller's memory for the output. */
export const FRAME_OUT = 112
export const FRAME_OUT_LENGTH = 116
/** i64: the gas at the beginning. */
export const FRAME_GAS_LIMIT = 120
/** u32: the output: a range of memory. */
export const FRAME_OUTPUT = 128
export const FRAME_OUTPUT_LENGTH = 132
/** u32: how it ended: one of the exits below. */
export const FRAME_EXIT = 136
/** u32: the opcode at which it ended in an error. */
export const FRAME_LAST = 140
/** u32: the number of frames below it. */
export const FRAME_DEPTH = 144
/** u32: init code, in a creation. */
export const FRAME_INIT_CODE = 148
export const FRAME_SIZE = 192

export const IS_STATIC = 1
/** Runs in the raw reading. */
export const IS_RAW = 2
/** Has run an instruction that was reported. */
export const HAS_STEPPED = 4
/** Has failed, and its changes are being undone. */
export const IS_REVERTING = 8
/** Is computing a long hash in parts. */
export const IS_HASHING = 16

// The statuses that `advance` returns.
/** The outermost frame has ended. */
export const ENDED = 0
/** The gas until the pause is used; call `advance` again. */
export const PAUSED = 1
/** The open frame is a call of a precompile: run it, and call `closePrecompile`. */
export const AT_PRECOMPILE = 2

// The exits that `run` returns, and the ends of frames.
export const EXIT_STOP = 1
export const EXIT_RETURN = 2
export const EXIT_REVERT = 3
export const EXIT_CALL = 4
export const EXIT_CREATE = 5
export const EXIT_PAUSE = 6
export const EXIT_SELFDESTRUCT = 7
/** At a hash of megabytes, whose gas is charged. */
export const EXIT_HASH = 9
/** A creation under Frontier that could not pay for its code: a contract without code. */
export const EXIT_WITHOUT_CODE = 8
/** From here on: errors. */
export const FIRST_ERROR = 16
export const OUT_OF_GAS = 16
export const INVALID_OPCODE = 17
export const INVALID_JUMP = 18
export const STACK_UNDERFLOW = 19
export const STACK_OVERFLOW = 20
export const STATIC_STATE_CHANGE = 21
export const CREATE_COLLISION = 22
export const CODE_TOO_LARGE = 23
export const INIT_CODE_TOO_LARGE = 24
export const INVALID_CODE = 25
export const INSUFFICIENT_BALANCE = 26
export const PRECOMPILE_FAILED = 27
export const OUT_OF_RETURN_DATA = 28
export const DEPOSIT_OUT_OF_GAS = 29
export const TOO_DEEP = 30
/** Not enough gas or stack for a block; the raw reading determines the reason and the position. */
export const BLOCK_FAILED = 31
export const GAS_OVERFLOW = 32

/** The frames that may be open. */
export const FRAME_COUNT = 1025
