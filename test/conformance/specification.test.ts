/** The specification as the conformance script reads it, and answers of a devnet held against it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { play } from '../../scripts/conformance/play.ts'
import { askEverything } from '../../scripts/conformance/questions.ts'
import { readSpecification, type Specification } from '../../scripts/conformance/specification.ts'
import peers from '../../scripts/docs/peers.json' with { type: 'json' }
import { ask, started } from '../support/clients/clients.ts'

const FILES: Readonly<Record<string, string>> = {
  'schemas/base.yaml': `
number:
  type: string
  pattern: ^0x[0-9]+$
Thing:
  type: object
  required: [size]
  additionalProperties: false
  properties:
    size:
      $ref: '#/components/schemas/number'
`,
  'eth/things.yaml': `
- name: eth_thing
  params:
    - name: Id
      required: true
      schema: { $ref: '#/components/schemas/number' }
    - name: Block
      schema: { type: string }
  result:
    schema: { $ref: '#/components/schemas/Thing' }
`,
  'engine/openrpc/methods/none.yaml': '[]',
  'engine/openrpc/schemas/none.yaml': '{}',
  'debug/none.yaml': '[]',
  'txpool/none.yaml': '[]',
  'testing/none.yaml': '[]',
}

function specification(): Specification {
  const folder = mkdtempSync(join(tmpdir(), 'specification-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return readSpecification(folder)!
}

describe('the specification', () => {
  it('is read from files of methods and files of schemas', () => {
    const { methods } = specification()
    expect([...methods.values()]).toEqual([
      {
        name: 'eth_thing',
        params: [
          { name: 'Id', isRequired: true },
          { name: 'Block', isRequired: false },
        ],
      },
    ])
  })

  it('is not there in another folder', () => {
    expect(readSpecification(join(tmpdir(), 'nothing-here'))).toBeUndefined()
  })

  it('finds what of a result is missing, too much or wrong', () => {
    const spec = specification()
    const paths = (result: unknown) => spec.differences('eth_thing', result).map(({ path }) => path)
    expect(paths({ size: '0x1' })).toEqual([])
    expect(paths({ size: 1 })).toEqual(['$.result.size'])
    expect(paths({})).toEqual(['$.result'])
    expect(paths({ size: '0x1', colour: 'red' })).toEqual(['$.result'])
  })

  it('is the measure of files that are speconly', async () => {
    const file = {
      name: 'eth_thing/thing',
      isSpecOnly: true,
      exchanges: [
        { line: 1, request: '{"method":"eth_thing"}', response: { id: 1, result: { size: '0x1' } } },
      ],
    }
    const outcome = (result: object) =>
      play(file, async () => JSON.stringify({ id: 1, result }), specification())
    expect(await outcome({ size: '0x7' })).toEqual({ kind: 'same' })
    expect(await outcome({ size: 'seven' })).toMatchObject({ kind: 'different' })
  })
})

describe('the questions', () => {
  it('are answered, and reach each method of the specification that is not for consensus clients', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const [from, to] = devnet.accounts.map(({ address }) => address)
    await ask(devnet, 'eth_sendTransaction', { from, to })
    await devnet.mine()
    const asked = new Set<string>()
    for await (const { method, params, error } of askEverything(devnet)) {
      asked.add(method)
      expect([method, params, error]).toEqual([method, params, undefined])
    }
    const unasked = peers['execution-apis'].methods.filter(
      (name) => !asked.has(name) && !name.startsWith('engine_'),
    )
    // The first is answered with errors alone; the second wants a signature.
    expect(unasked).toEqual(['debug_getRawBlockAccessList', 'eth_sendRawTransaction'])
  })
})
