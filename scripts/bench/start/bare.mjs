// What no JavaScript can be faster than: Node itself.
console.log(`0x${'2a'.padStart(64, '0')}`)
