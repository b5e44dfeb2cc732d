/** The bridge: an L1 and its L2 beside each other, each with a page of its own, and the messages between them. */
import { parseEther } from 'viem'
import { expect, onTestFinished } from 'vitest'
import { serveChains } from '../../../src/index.ts'
import { bridged, EPOCH, finalized, initiated, proven } from '../../support/clients/bridge.ts'
import { STRANGER } from '../../support/clients/clients.ts'
import { type Stage, stageStory } from '../../support/page/story.ts'

const OPTIONS = { consoleLogs: false, chainId: 10 } as const

/** An L2 and its L1, each of which listens on a port of its own. */
async function listening({ allow }: Stage) {
  const pair = await bridged(OPTIONS)
  const [{ url }, { url: urlOfL1 }] = [await pair.l2.listen(), await pair.l1.listen()]
  allow(url)
  allow(urlOfL1)
  return { pair, url, urlOfL1 }
}

type Pair = Awaited<ReturnType<typeof listening>>['pair']

/** Sends a deposit with gas for any block: the portal burns more after a first deposit. */
async function deposited({ clientL1, clientL2 }: Pair) {
  const built = await clientL2.buildDepositTransaction({ mint: parseEther('1'), to: STRANGER, gas: 100_000n })
  return clientL1.depositTransaction({ ...built, gas: 900_000n })
}

stageStory('a reader follows a deposit from L1 to L2, and sees a reorg remove it', async (stage) => {
  const { open, look } = stage
  const { pair, url, urlOfL1 } = await listening(stage)
  const { l1, l2 } = pair
  const page = await open(url)
  await page.getByRole('navigation', { name: 'views' }).getByRole('link', { name: 'Bridge' }).click()
  await page.getByText('No message yet.').waitFor()
  await look(page, 'bridge-empty')

  const hash = await deposited(pair)
  await l1.mine()
  const message = page.getByRole('listitem').filter({ hasText: /^Deposit/ })
  await message.getByText('waiting for the L2', { exact: true }).waitFor()
  await l2.mine()
  await message.getByText('success', { exact: true }).waitFor()
  await look(page, 'bridge-deposit')

  // From the message to both of its transactions, and back by the page of the L1.
  await message.getByRole('link', { name: /^0x/ }).last().click()
  await page.waitForURL(/\/tx\/0x/)
  await page.getByRole('group', { name: 'chain' }).getByText('chain 10').waitFor()
  await page.goBack()
  const toL1 = message.getByRole('link', { name: `${hash.slice(0, 8)}…${hash.slice(-4)}` })
  await toL1.click()
  await page.waitForURL(`${urlOfL1}/tx/${hash}`)
  await page.getByRole('group', { name: 'chain' }).getByRole('link', { name: 'its L2' }).click()
  await page.waitForURL(`${url}/`)

  await page.goto(`${url}/bridge`)
  await l1.faults.reorg({ depth: 1, transactions: 'drop' })
  await message.getByText('removed by a reorg', { exact: true }).waitFor()
  await look(page, 'bridge-removed')
})

stageStory('a reader sees what a withdrawal waits for, until it is finalized', async (stage) => {
  const { open, look } = stage
  const { pair, url, urlOfL1 } = await listening(stage)
  const page = await open(`${url}/bridge`)
  const message = page.getByRole('listitem').filter({ hasText: /^Withdrawal/ })
  const seen = (status: string) =>
    message.getByRole('paragraph').first().getByText(status, { exact: true }).waitFor()

  const receipt = await initiated(pair)
  await seen('waiting to prove')
  await message.getByText('Next: the L1 block with the proposal of the output root').waitFor()
  await pair.l2.advance(EPOCH)
  await seen('ready to prove')
  await proven(pair, receipt)
  await seen('waiting to finalize')
  await message.getByText('Next: the proof matures, in 6 d').waitFor()
  await look(page, 'bridge-withdrawal')
  await pair.l2.advance({ days: 7, minutes: 1 })
  await seen('ready to finalize')
  await finalized(pair, receipt)
  await seen('finalized')
  await deposited(pair)
  await pair.l2.advance(EPOCH)
  await page.getByText('2 messages, newest first').waitFor()
  await look(page, 'bridge')

  // The page of the L1 shows the same.
  await page.goto(`${urlOfL1}/bridge`)
  await page.getByText('2 messages, newest first').waitFor()
  await seen('finalized')
  await look(page, 'bridge-of-l1')
})

stageStory('a reader of a chain of a port goes to its L1 and back', async ({ open, allow }) => {
  const { l2 } = await bridged(OPTIONS)
  const server = await serveChains(l2)
  onTestFinished(() => server.close())
  allow(server.url)
  server.create('alice')
  const page = await open(`${server.url}/`)
  await page.getByRole('link', { name: 'the L1 of alice' }).click()
  await page.waitForURL(`${server.url}/c/alice/l1`)
  const chain = page.getByRole('group', { name: 'chain' })
  await chain.getByText('chain 1', { exact: true }).waitFor()
  await page.getByText('This L1 follows the time of its L2: every 12 s').waitFor()
  await page.getByRole('link', { name: 'Blocks' }).click()
  await page.waitForURL(`${server.url}/c/alice/l1/blocks`)
  await chain.getByRole('link', { name: 'its L2' }).click()
  await chain.getByText('chain 10', { exact: true }).waitFor()
  expect(page.url()).toBe(`${server.url}/c/alice/`)
  await chain.getByRole('link', { name: 'its L1' }).click()
  await chain.getByText('chain 1', { exact: true }).waitFor()
})

stageStory(
  'a reader of a chain without an L1 is not offered a bridge',
  async ({ open, allow, onEnd, glance }) => {
    const { l1, l2 } = await bridged(OPTIONS)
    onEnd(() => l2.close())
    const fork = l1.fork()
    onEnd(() => fork.close())
    const { url } = await fork.listen()
    allow(url)
    const page = await open(`${url}/bridge`)
    await page.getByText('this chain has no bridge').waitFor()
    expect(await page.getByRole('link', { name: 'Bridge' }).count()).toBe(0)
    await glance(page, 'no-bridge')
  },
)
