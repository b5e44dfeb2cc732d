/**
 * The layout of the module's memory, shared by AssemblyScript (`assembly/`) and TypeScript.
 *
 * Values in the first 64 KiB have fixed addresses. The static data of `assembly/` and the heap follow. A word is 32
 * bytes: four 64-bit limbs, least significant first. Account addresses are stored as words. Flags, counts, lengths and
 * pointers are u32, nonces u64.
 */

// The context of a run, as words.
export const ORIGIN = 0x400
export const GAS_PRICE = 0x420
export const COINBASE = 0x440
export const TIMESTAMP = 0x460
export const NUMBER = 0x480
/** The difficulty; from Paris on, the PREVRANDAO value. */
export const DIFFICULTY = 0x4a0
export const GAS_LIMIT = 0x4c0
export const CHAIN_ID = 0x4e0
export const BASE_FEE = 0x500
export const BLOB_BASE_FEE = 0x520

// The state of a run, u32 unless noted.
/** Pointer to the open frame; 0 if no frame is open. */
export const FRAME = 0x800
/** Pointer to the array of frames, which starts with the outermost frame. */
export const FRAMES = 0x804
export const JOURNAL_LENGTH = 0x808
/** Pointer to the journal. The journal and the logs are lists of segments (`assembly/heap.ts`). */
export const JOURNAL = 0x80c
export const LOGS_LENGTH = 0x810
export const LOGS = 0x814
/** i64: the refund counter. */
export const REFUND = 0x818
/** Pointer to the return data of the open frame's last call. */
export const RETURN_DATA = 0x820
export const RETURN_LENGTH = 0x824
/** The events that the run reports: a combination of `WATCHES_FRAMES` and `WATCHES_STEPS`. */
export const WATCHES = 0x828
/** How the outcome may depend on the gas limit: a combination of `MAKES_CALLS` and `OBSERVES_GAS`. */
export const GAS_USES = 0x82c
/** Pointer to the first account in the list of `collect`. `ACCOUNT_NEXT` leads to the next account. */
export const CHANGED = 0x838
export const BLOB_HASHES = 0x83c
export const BLOB_COUNT = 0x840
export const EMPTY_CODE = 0x844
/** Pointer to the first temporary code object. `CODE_NEXT` leads to the next one. */
export const TEMPORARY_CODE = 0x848
/** The coverage flags: a combination of `COLLECTS_HITS` and `COUNTS_HITS`. */
export const HITS = 0x84c
/** i64: the gas left until the next pause. */
export const GAS_TO_PAUSE = 0x850

/** Flag of `GAS_USES`: with less gas, a call or a creation may fail without failing its caller. */
export const MAKES_CALLS = 1
/** Flag of `GAS_USES`: with other gas, the run may take another course. */
export const OBSERVES_GAS = 2

export const WATCHES_FRAMES = 1
export const WATCHES_STEPS = 2

/** Flag of `HITS`: code is decoded with a counter at the start of each basic block. */
export const COLLECTS_HITS = 1
/** Flag of `HITS`: this run increments the counters. */
export const COUNTS_HITS = 2

// The rules, u32 unless noted.
/** Number of the hardfork. Code is decoded separately for each hardfork. */
export const RULES_NUMBER = 0x1000
/** 1 from Berlin on (EIP-2929). */
export const HAS_ACCESS_COSTS = 0x1004
export const EXP_BYTE_GAS = 0x1008
/** The gas schedule of SSTORE: one of `SSTORE_...`. */
export const SSTORE_RULE = 0x100c
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
/** Maximum size of a contract's code in bytes; 0xffffffff if unlimited. */
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

/** u32 per opcode: the static gas. */
export const STATIC_GAS = 0x1400
/** u8 per opcode: the number of stack items that the instruction pops. */
export const STACK_IN = 0x1800
/** u8 per opcode: the number of stack items that the instruction pushes. */
export const STACK_OUT = 0x1900
/** u8 per opcode: 1 if the hardfork defines the opcode, otherwise 0. */
export const IS_DEFINED = 0x1a00

/** Arguments and results of exports, as words. */
export const EXCHANGE = 0x2000
/** Scratch space, mostly for bytes to be hashed. */
export const SCRATCH = 0x3000

/** Size of a segment of the journal or the logs: the binary logarithm, and the number of bytes. */
export const SEGMENT_BITS = 18
export const SEGMENT = 262_144

export const ACCOUNT_FLAGS = 0
/** u32: pointer to the code object; 0 if the code was not read yet. */
export const ACCOUNT_CODE = 4
export const ACCOUNT_NONCE = 8
export const ACCOUNT_NONCE_BEFORE = 16
export const ACCOUNT_NEXT = 24
/** u32: pointer to the first written slot. `SLOT_NEXT` leads to the next one. */
export const ACCOUNT_SLOTS = 28
export const ACCOUNT_ADDRESS = 32
export const ACCOUNT_BALANCE = 64
export const ACCOUNT_BALANCE_BEFORE = 96
/** The hash of the account's code before the run, as a word. */
export const ACCOUNT_CODE_HASH = 128
/** u32: pointer to the code object before the run; 0 if the code was not read yet. */
export const ACCOUNT_CODE_BEFORE = 160
export const ACCOUNT_SIZE = 192

export const EXISTS = 1
export const EXISTED = 2
export const HAS_STORAGE = 4
export const WARM = 8
/** Flag of an account that is removed at the end of the run if it is empty (EIP-161). */
export const TOUCHED = 16
export const CREATED = 32
export const DESTROYED = 64
export const IS_PRECOMPILE = 128
export const IS_CONSOLE = 256
export const LISTED = 512
/** Flag of the account at the address of the RIPEMD-160 precompile. */
export const IS_RIPEMD = 1024
/** Flag of an account that is warm in each run, because its address is the original address of a precompile. */
export const ALWAYS_WARM = 2048
/** The flags that depend only on the state and the address. These flags are kept between runs. */
export const LASTING = EXISTED | HAS_STORAGE | IS_PRECOMPILE | IS_CONSOLE | IS_RIPEMD | ALWAYS_WARM

// Fields of a slot of storage or transient storage.
/** u32: pointer to the account; for transient storage, the pointer plus 1. */
export const SLOT_OWNER = 0
export const SLOT_FLAGS = 4
/** u32: the position of the slot's last journal record. */
export const SLOT_RECORD = 8
export const SLOT_NEXT = 12
export const SLOT_KEY = 32
export const SLOT_VALUE = 64
export const SLOT_BEFORE = 96
export const SLOT_SIZE = 128

/** u32: pointer to the bytes of the code. 32 zeros follow the bytes. */
export const CODE_BYTES = 0
export const CODE_LENGTH = 4
/** u32: pointers to the two readings of the code (`decodeFast.ts`, `decodeRaw.ts`); 0 if absent. */
export const CODE_FAST = 8
export const CODE_RAW = 12
/** u32: pointers to the codes with readings that were used next, before and after this one; 0 if there is none. */
export const CODE_OLDER = 16
export const CODE_NEWER = 20
/** u32: pointer to a bit per code position, 1 for each JUMPDEST (`destinations.ts`); 0 if absent. */
export const CODE_DESTINATIONS = 24
export const CODE_HASH = 32
export const CODE_HAS_HASH = 64
export const CODE_IS_TEMPORARY = 68
export const CODE_NEXT = 72
/** u32: the `RULES_NUMBER` for which the code was decoded, plus `COUNTED_READING` if blocks are counted. */
export const CODE_RULES = 76
export const CODE_IS_INIT = 80
export const CODE_SIZE = 96

export const COUNTED_READING = 0x80000000

// Fields of a reading, u32: the decoded instructions of a code (`readings.ts`).
/** Pointer to the table of decoded JUMPDESTs, its number of entries minus 1, and the number of entries in use. */
export const READING_CELLS = 0
export const READING_MASK = 4
export const READING_COUNT = 8
/** Pointer to the last chunk of instructions, and the unused part of this chunk: its start and its end. */
export const READING_CHUNK = 12
export const READING_PLACE = 16
export const READING_ROOM_END = 20
/** Pointer to the first instruction of the code; 0 if not decoded. */
export const READING_START = 24
export const READING_SIZE = 32

export const FRAME_IP = 0
export const FRAME_SP = 4
/** i64: the gas left. */
export const FRAME_GAS = 8
/** u32: pointer to the memory, its size in bytes, and the number of allocated bytes. */
export const FRAME_MEMORY = 16
export const FRAME_MEMORY_SIZE = 20
export const FRAME_MEMORY_ROOM = 24
/** u32: pointer to the word below the first stack item. */
export const FRAME_STACK = 28
export const FRAME_CODE = 32
/** u32: a combination of `IS_STATIC`, `IS_RAW`, `HAS_STEPPED`, `IS_REVERTING` and `IS_HASHING`. */
export const FRAME_FLAGS = 36
export const FRAME_ACCOUNT = 40
export const FRAME_CALLER = 44
/** u32: pointer to the account whose code was called. */
export const FRAME_CODE_ACCOUNT = 48
/** u32: the opcode that opened the frame. */
export const FRAME_KIND = 52
export const FRAME_DATA = 56
export const FRAME_DATA_LENGTH = 60
export const FRAME_VALUE = 64
/** u32: the lengths of the journal and of the logs at the start of the frame. */
export const FRAME_JOURNAL = 96
export const FRAME_LOGS = 100
/** i64: the refund counter at the start of the frame. */
export const FRAME_REFUND = 104
/** u32: the range of the caller's memory that receives the output: its start and its length. */
export const FRAME_OUT = 112
export const FRAME_OUT_LENGTH = 116
/** i64: the gas at the start of the frame. */
export const FRAME_GAS_LIMIT = 120
export const FRAME_OUTPUT = 128
export const FRAME_OUTPUT_LENGTH = 132
/** u32: the exit of the frame, one of the exits listed at the end of this file. */
export const FRAME_EXIT = 136
/** u32: the opcode at which the frame failed. */
export const FRAME_LAST = 140
/** u32: the call depth; 0 for the outermost frame. */
export const FRAME_DEPTH = 144
/** u32: pointer to the code object of the init code; 0 in calls. */
export const FRAME_INIT_CODE = 148
/** i64: the least gas with which the frame must start, so that the closed calls and each SSTORE (EIP-2200) had enough. */
export const FRAME_GAS_NEED = 152
/** An instruction that continues the frame at a code position, after the readings of its code were dropped. */
export const FRAME_RESUMPTION = 160
export const FRAME_SIZE = 192

export const IS_STATIC = 1
export const IS_RAW = 2
export const HAS_STEPPED = 4
export const IS_REVERTING = 8
export const IS_HASHING = 16

// The statuses that `advance` returns.
export const ENDED = 0
/** Status: the gas until the next pause is used up. `advance` continues the run. */
export const PAUSED = 1
/** Status: the open frame calls a precompile. TypeScript runs it and then calls `closePrecompile`. */
export const AT_PRECOMPILE = 2

// The exits of `run` and of frames.
export const EXIT_STOP = 1
export const EXIT_RETURN = 2
export const EXIT_REVERT = 3
export const EXIT_CALL = 4
export const EXIT_CREATE = 5
export const EXIT_PAUSE = 6
export const EXIT_SELFDESTRUCT = 7
/** The frame is at a KECCAK256 of a long input. The gas of the instruction is already charged. */
export const EXIT_HASH = 9
/** The instruction leads to a position of the code that is not decoded yet, or where no JUMPDEST is. */
export const EXIT_DECODE = 10
/** A creation under Frontier succeeded without code, because it could not pay for the code. */
export const EXIT_WITHOUT_CODE = 8
/** Exits from this number on are errors. */
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
/** A basic block lacks gas or violates the stack limits. The raw reading finds the exact error and position. */
export const BLOCK_FAILED = 31
export const GAS_OVERFLOW = 32

export const FRAME_COUNT = 1025
