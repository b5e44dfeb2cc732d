import { describe, expect, it } from 'vitest'
import { sizeLimit } from '../../src/rpc/message.ts'

const LIMITS = { bodyLimit: 100, stateLimit: 1_000 }

describe('the limit of a message', () => {
  it.each([
    '{"method":"anvil_loadState","params":["0x1f8b',
    '{"jsonrpc":"2.0","id":1,"method":"anvil_loadState","params":["0x1f8b',
    '{ "id" : "a-b" , "jsonrpc" : "2.0" ,\n "method" : "hardhat_loadState" , "params" : [',
    '{"id":null,"method":"anvil_loadState","params":[',
    '{"id":-1.5e3,"method":"anvil_loadState"}',
  ])('is larger where it brings a state: %s', (beginning) => {
    expect(sizeLimit(beginning, LIMITS)).toBe(1_000)
  })

  it.each([
    '',
    '{',
    '{"method":"anvil_dumpState","params":[',
    '{"method":"anvil_loadStates","params":[',
    '[{"method":"anvil_loadState","params":[',
    '{"params":["0x00"],"method":"anvil_loadState"',
    '{"params":["\\"method\\":\\"anvil_loadState\\",',
    '{"id":"\\",\\"method\\":\\"anvil_loadState\\"","method":"eth_call",',
    '{"id":[],"method":"anvil_loadState",',
    '{"method":"eth_call","x":{"method":"anvil_loadState",',
    'x{"method":"anvil_loadState",',
  ])('is that of any other: %s', (beginning) => {
    expect(sizeLimit(beginning, LIMITS)).toBe(100)
  })

  it('is never smaller for a state', () => {
    expect(sizeLimit('{"method":"anvil_loadState",', { bodyLimit: 100, stateLimit: 10 })).toBe(100)
  })
})
