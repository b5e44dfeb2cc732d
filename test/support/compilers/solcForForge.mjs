#!/usr/bin/env node
/** solc as forge calls it (`--use`): the compiler that this project develops with, which is JavaScript, behind solc's command line. */
import solc from 'solc'

if (process.argv.includes('--version')) {
  const version = solc.version().replace('Emscripten.clang', 'Linux.g++')
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`)
} else {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  process.stdout.write(solc.compile(Buffer.concat(chunks).toString()))
}
