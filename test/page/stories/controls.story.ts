/** Hands on the chain. */
import { createReadStream } from 'node:fs'
import { expect } from 'vitest'
import { createDevnet } from '../../../src/index.ts'
import { story, tabTo } from '../../support/page/story.ts'

story(
  'a reader ticks, seals, mines, advances time and goes back to a snapshot',
  async ({ devnet, open, look }) => {
    const page = await open('/controls')
    const action = (name: string) => page.getByRole('region', { name, exact: true })
    const { hash } = await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' })

    await tabTo(page, 'tick')
    await page.keyboard.press('Enter')
    await action('Tick').getByText('block 1 has slice 1').waitFor()
    expect(await devnet.request({ method: 'eth_getTransactionByHash', params: [hash] })).toMatchObject({
      hash,
    })
    await tabTo(page, 'seal')
    await page.keyboard.press('Space')
    await action('Seal').getByText('block 1 is sealed').waitFor()
    await action('Snapshots').getByRole('button', { name: 'take a snapshot' }).click()
    await action('Snapshots').getByText('snapshot 1, block 1').waitFor()
    await action('Snapshots').getByRole('status').getByText('snapshot 1 is taken').waitFor()

    await action('Mine').getByLabel('blocks', { exact: true }).fill('5')
    await action('Mine').getByRole('button', { name: 'mine' }).click()
    await action('Mine').getByText('block 6 is the newest').waitFor()
    await action('Advance').getByRole('button', { name: 'advance' }).click()
    await action('Advance').getByText('the clock is').waitFor()
    await look(page, 'controls')
    await action('Snapshots').getByRole('button', { name: 'restore snapshot 1' }).click()
    await page.getByRole('group', { name: 'chain' }).getByRole('link', { name: '1', exact: true }).waitFor()
    expect(await devnet.request({ method: 'eth_blockNumber' })).toBe('0x1')
  },
)

story('a reader saves the chain, and another devnet loads the file', async ({ devnet, open }) => {
  await devnet.mine(7)
  const page = await open('/controls')
  const save = page.getByRole('region', { name: 'Save the chain' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    save.getByRole('button', { name: 'download the state' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('preseal-block-7.json.gz')
  await save.getByText('the chain up to block 7 is saved').waitFor()
  await using other = await createDevnet({ rhythm: 'manual' })
  await other.load(createReadStream(await file.path()))
  expect(other.latest.hash).toBe(devnet.latest.hash)
})

story('each choice of the controls can be read in full', async ({ open }) => {
  const page = await open('/controls')
  for (const width of [1_400, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const kinds = await page
      .getByLabel('kind')
      .locator('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''))
    for (const kind of kinds) {
      await page.getByLabel('kind').selectOption(kind)
      expect(await page.evaluate<string[]>(CUT_OFF), `${kind}, ${width} px`).toEqual([])
    }
  }
})

/** The options that are wider than their select, without its padding and its arrow. */
const CUT_OFF = `[...document.querySelectorAll('main select')].flatMap((select) => {
  const style = getComputedStyle(select)
  const context = document.createElement('canvas').getContext('2d')
  context.font = style.font
  const roomPx = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16
  return [...select.options].filter(({ text }) => context.measureText(text).width > roomPx).map(({ text }) => text)
})`

story('a reader deals ether, and is told what is wrong with an amount', async ({ devnet, open }) => {
  const page = await open('/controls')
  const deal = page.getByRole('region', { name: 'Deal ether' })
  const account = `0x${'12'.repeat(20)}` as const
  await deal.getByLabel('account').fill(account)
  await deal.getByLabel('balance in ETH').fill('one')
  await deal.getByRole('button').click()
  await deal.getByRole('alert').getByText('got one').waitFor()
  await deal.getByLabel('balance in ETH').fill('1.5')
  await deal.getByRole('button').click()
  await deal.getByRole('status').waitFor()
  expect(await devnet.request({ method: 'eth_getBalance', params: [account, 'pending'] })).toBe(
    '0x14d1120d7b160000',
  )
})

story('a waiting transaction is dropped, and two blocks are reorganised', async ({ devnet, open, look }) => {
  const page = await open('/controls')
  const action = (name: string) => page.getByRole('region', { name, exact: true })
  await devnet.mine(3)
  const before = await devnet.request({ method: 'eth_getBlockByNumber', params: ['0x2', false] })
  const to = devnet.accounts[1]!.address
  const sent: string[] = []
  for (let nonce = 0; nonce < 7; nonce++) {
    const from = devnet.accounts[0]!.address
    const params = [{ from, to, nonce: `0x${nonce.toString(16)}` }] as never
    sent.push((await devnet.request({ method: 'eth_sendTransaction', params })) as string)
  }
  const waiting = action('Drop a waiting transaction')
  await waiting.getByText('7 in total').waitFor()
  await waiting.getByRole('button', { name: `drop ${sent[6]}` }).focus()
  await page.keyboard.press('Enter')
  await waiting.getByText('6 in total').waitFor()
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Drop a waiting transaction')
  await waiting.getByLabel('hash').fill(sent[6]!)
  await waiting.getByRole('button', { name: 'drop', exact: true }).click()
  await waiting.getByRole('alert').getByText('no waiting transaction has this hash').waitFor()

  const reorganise = action('Reorganise')
  await reorganise.getByLabel('blocks').fill('2')
  await reorganise.getByLabel('their transactions').selectOption('wait again')
  await reorganise.getByRole('button', { name: 'reorganise' }).click()
  await reorganise.getByText('blocks 2 to 3 were replaced').waitFor()
  expect(await devnet.request({ method: 'eth_getBlockByNumber', params: ['0x2', false] })).not.toEqual(before)
  await look(page, 'controls-dropped')
  await waiting.getByRole('button', { name: 'drop all' }).click()
  await waiting.getByText('no waiting transactions').waitFor()

  await action('Time of the next block').getByLabel('date, or seconds').fill('2099-01-31 12:00')
  await action('Time of the next block').getByRole('button').click()
  await action('Time of the next block').getByText('2099-01-31 12:00:00Z').waitFor()
  await action('Rhythm').getByLabel('rhythm', { exact: true }).selectOption('instant: with each transaction')
  await action('Rhythm').getByRole('button').click()
  await action('Rhythm').getByRole('status').getByText('instant').waitFor()
  expect(await devnet.request({ method: 'preseal_getRhythm' })).toMatchObject({ rhythm: 'instant' })
})

story('a fault is planned by keys, happens, and another is taken back', async ({ devnet, open, look }) => {
  const page = await open('/controls')
  const plan = page.getByRole('region', { name: 'Plan a fault' })
  const planned = page.getByRole('region', { name: 'Planned' })
  await plan.getByLabel('kind').selectOption('a request gets an error')
  await tabTo(page, 'plan')
  await page.keyboard.press('Enter')
  await planned.getByText('message: txpool is full; once').waitFor()
  await plan.getByLabel('kind').selectOption('a slice comes late')
  await plan.getByLabel('slices later').fill('2')
  await plan.getByLabel('when').selectOption('in one block')
  await plan.getByLabel('block', { exact: true }).fill('9')
  await plan.getByLabel('slices later').fill('3')
  await plan.getByText('as JSON').click()
  const shown = async () => JSON.parse(await plan.getByLabel('the fault, as JSON').inputValue())
  await expect.poll(shown).toEqual({
    kind: 'delaySlice',
    slices: 3,
    when: { block: 9 },
  })
  await plan.getByRole('button', { name: 'plan' }).click()
  await planned.getByText('slices later: 3; in block 9').waitFor()
  await plan.getByLabel('kind').selectOption('a slice never comes')
  await plan.getByRole('button', { name: 'plan' }).click()
  await planned.getByText('a slice never comes').waitFor()
  await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' }).catch(() => {})
  await devnet.tick()
  await expect.poll(() => planned.getByText('a slice never comes').count()).toBe(0)
  await look(page, 'faults')
  await plan.getByLabel('the fault, as JSON').fill('{ "kind": "omitSlices" }')
  await plan.getByRole('button', { name: 'plan' }).click()
  await plan.getByRole('alert').getByText('expected one of omitSlice').waitFor()
  const takeBack = planned.getByRole('button', { name: 'remove' })
  await takeBack.first().focus()
  for (let left = await takeBack.count(); left > 0; left--) {
    await page.keyboard.press('Enter')
    await expect.poll(() => takeBack.count()).toBe(left - 1)
    // The focus stays in the place: at the next fault, and at last at what the list is called.
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe(left > 1 ? 'remove' : 'Planned')
  }
  await planned.getByText('no planned faults').waitFor()
  expect(await devnet.request({ method: 'preseal_listFaults' })).toEqual([])
})
