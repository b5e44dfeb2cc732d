/** What the search of the page finds, and what it says of what it does not. */
import { describe, expect, test } from 'vitest'
import { found } from '../../src/page/search.ts'
import { AnswerError, type Source } from '../../src/page/source/source.ts'

const HASH = `0x${'ab12'.repeat(16)}`
const SENT = `0x${'ab34'.repeat(16)}`
const OTHER = SENT.replace(/4$/, '5')
const STRANGER = `0x${'f3'.repeat(20)}`
const BLOCK = `0x${'cd56'.repeat(16)}`
const VAULT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** Impersonated. */
const SAFE = `0x${'5a'.repeat(20)}`

const CONTRACTS = [
  { address: VAULT, name: 'TokenVault', codeSize: '0x10', proxy: null },
  { address: `0x${'a'.repeat(40)}`, name: 'Token', codeSize: '0x10', proxy: null },
  { address: `0x${'b'.repeat(40)}`, name: 'Token', codeSize: '0x10', proxy: null },
]

/** Blocks 0 to 20, of which the last has a transaction. */
const ANSWERS: Readonly<Record<string, (...params: readonly string[]) => unknown>> = {
  eth_accounts: () => [OWNER, SAFE],
  personal_listAccounts: () => [OWNER],
  eth_blockNumber: () => '0x14',
  eth_getTransactionByHash: (hash) => (hash === HASH ? {} : null),
  eth_getBlockByHash: (hash) => (hash === BLOCK ? {} : null),
  eth_getBlockByNumber: (number) => (Number(number) <= 20 ? { transactions: [HASH] } : null),
  preseal_listContracts: () => ({ contracts: CONTRACTS }),
  preseal_findByPrefix: (start, end) => {
    const fits = (id: string) => id.startsWith(start!) && id.endsWith(end!)
    return {
      transactions: [HASH, SENT, OTHER].filter(fits),
      blocks: [{ hash: BLOCK, number: '0x14' }].filter(({ hash }) => fits(hash)),
      addresses: [VAULT, STRANGER].filter(fits),
    }
  },
}

const source: Pick<Source, 'request'> = {
  request: async (method: string, params: readonly unknown[] = []) => {
    const answer = ANSWERS[method]
    if (answer === undefined) throw new AnswerError({ code: -32601, message: `no ${method}` })
    return answer(...(params as string[])) as never
  },
}

const find = (text: string) => found(text, source)
const account = (address: string) => ({ to: { view: 'account', address: address.toLowerCase() } })
const block = (id: string | number) => ({ to: { view: 'block', id: String(id) } })
const transaction = { to: { view: 'transaction', hash: HASH } }

describe('what is pasted', () => {
  test.each([
    [` ${HASH}\n`, transaction],
    [`"${HASH}",`, transaction],
    [HASH.slice(2).toUpperCase(), transaction],
    [`${HASH.slice(0, 40)}\n  ${HASH.slice(40)}`, transaction],
    [`https://etherscan.io/tx/${HASH}#eventlog`, transaction],
    [`/block/12?tab=raw`, block(12)],
    [`\u200b${VAULT}\ufeff`, account(VAULT)],
    [VAULT.slice(2), account(VAULT)],
    [OWNER, account(OWNER)],
    [OWNER.toUpperCase(), account(OWNER)],
    [BLOCK, block(BLOCK)],
  ])('%j is found', async (text, to) => {
    expect(await find(text)).toEqual(to)
  })
  test('an address whose capitals are not its checksum is shown, and told of', async () => {
    expect(await find(OWNER.replace('Fd', 'fD'))).toEqual({
      ...account(OWNER),
      text: expect.stringContaining('checksum of this address is wrong'),
    })
  })
})

describe('blocks', () => {
  test.each([
    ['12', 12],
    ['0xc', 12],
    ['0x0C', 12],
    ['#12', 12],
    ['block 12', 12],
    ['Latest', 'latest'],
    ['PENDING', 'pending'],
    ['safe', 'safe'],
  ])('%s is one', async (text, id) => {
    expect(await find(text)).toEqual(block(id))
  })
  test.each(['21', '1,234', '1 234', '1.234', '99999'])('%s is not there yet', async (text) => {
    expect(await find(text)).toEqual({
      text: `There is no block ${text.replace(/\D/g, '')} yet: the newest is 20.`,
    })
  })
})

describe('beginnings of hashes and addresses', () => {
  test.each([
    ['0xab12ab', transaction],
    ['0xab12…ab12', transaction],
    ['0xab12ab...b12', transaction],
    ['ab12ab12', transaction],
    ['0xcd56', block(BLOCK)],
    ['0x5fbdb2', account(VAULT)],
    ['0xf39F', account(OWNER)],
    // An account without a name.
    ['0xf3f3', account(STRANGER)],
  ])('%s is of one', async (text, to) => {
    expect(await find(text)).toEqual(to)
  })
  test('one of several is chosen', async () => {
    expect(await find('0xab1')).toEqual(transaction)
    const { text, choices, to } = await find('0xab')
    expect([text, choices, to]).toEqual([expect.stringContaining('at least 3 digits'), undefined, undefined])
    const several = await find('0xab3')
    expect(several.text).toBe('2 begin with 0xab3:')
    expect(several.choices?.map(({ what }) => what)).toEqual([
      'transaction 0xab34ab…ab34',
      'transaction 0xab34ab…ab35',
    ])
  })
  test('what nothing begins with, and what is too long, is told', async () => {
    expect(await find('0x777777')).toEqual({ text: expect.stringContaining('begins with 0x777777') })
    expect(await find(`${HASH}0`)).toEqual({ text: expect.stringContaining('this has 65') })
    expect(await find(`0x${'77'.repeat(32)}`)).toEqual({ text: expect.stringContaining('has this hash') })
  })
})

describe('names', () => {
  test.each([
    ['tokenvault', account(VAULT)],
    ['vault', account(VAULT)],
    ['token', { to: { view: 'contracts' } }],
    ['account 0', account(OWNER)],
    ['impersonated 0', account(SAFE)],
    ['Logs', { to: { view: 'logs' } }],
    ['now', { to: { view: 'now' } }],
    ['', {}],
  ])('%j is found', async (text, to) => {
    expect(await find(text)).toEqual(to)
  })
  test('of a misspelt one the closest are offered', async () => {
    const { text, choices } = await find('TokenVualt')
    expect(text).toContain('no contract has this name')
    expect(choices).toEqual([{ ...account(VAULT), what: 'TokenVault 0x5fbdb2…0aa3' }])
  })
  test('a name of ENS is told to be none here, and nothing to be nothing', async () => {
    expect(await find('vitalik.eth')).toEqual({ text: expect.stringContaining('ENS') })
    expect(await find('nobody at all')).toEqual({
      text: expect.stringContaining('Nothing found: search for a hash'),
    })
    expect(await find('account 1')).toEqual({ text: expect.stringContaining('Nothing found') })
  })
  test('without the names of contracts the rest is found', async () => {
    const bare: Pick<Source, 'request'> = {
      request: (method, params) =>
        method.startsWith('preseal_')
          ? Promise.reject(new AnswerError({ code: -32601, message: 'no' }))
          : source.request(method, params),
    }
    expect(await found('console', bare)).toEqual({ to: { view: 'console' } })
  })
})
