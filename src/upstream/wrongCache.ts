/** The error of a cache that cannot be used. */

/** Thrown for a file that is no cache, or one of another block. The message says what was expected. */
export class WrongCache extends Error {}
