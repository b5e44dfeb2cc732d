/** A port of many chains: the list of them at its root, and the page of each. */
import { readFileSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'
import { type ServeOptions, serveChains } from '../../../src/index.ts'
import { type Scene, story } from '../../support/page/story.ts'

/** The page asks another port than that of the story. */
const OF_SERVER = { allowedErrors: /^request: http:\/\/127\.0\.0\.1:\d+\// }

async function serve({ devnet }: Scene, options: ServeOptions = {}) {
  const server = await serveChains(devnet, options)
  onTestFinished(() => server.close())
  return server
}

story(
  'a reader sees the chains of a port, makes another, and goes to one, where links stay',
  async (scene) => {
    const { open, look } = scene
    const server = await serve(scene)
    const page = await open(`${server.url}/`)
    await page.getByText('no chains yet').waitFor()
    server.create('alice', { rhythm: 'instant' })
    await server.create('v1.2', { from: 'alice' }).devnet.mine(3)
    await page.getByRole('row', { name: /^v1\.2 3 instant alice/ }).waitFor()
    await look(page, 'chains')

    await page.getByLabel('another chain').fill('bob')
    await page.getByLabel('another chain').press('Enter')
    await page.waitForURL(`${server.url}/c/bob`)
    await page.getByRole('group', { name: 'chain' }).getByText('chain 31337').waitFor()
    expect(server.find('bob')?.rhythm).toBe('manual')

    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'v1.2' }).click()
    await page.waitForURL(`${server.url}/c/v1.2`)
    await page.getByRole('group', { name: 'chain' }).getByRole('link', { name: '3', exact: true }).click()
    await page.waitForURL(`${server.url}/c/v1.2/block/3`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
  },
  OF_SERVER,
)

story(
  'a page that only reads lists chains and makes none',
  async (scene) => {
    const server = await serve(scene, { page: 'read-only' })
    server.create('alice')
    const page = await scene.open(`${server.url}/`)
    await page.getByRole('link', { name: 'alice' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'open' }).count()).toBe(0)
  },
  OF_SERVER,
)

story(
  'a reader saves the report of a recorded chain, and is told where there is none',
  async (scene) => {
    const server = await serve(scene, { reports: true })
    await server.create('alice').devnet.mine(2)
    const page = await scene.open(`${server.url}/c/alice/controls`)
    const report = page.getByRole('region', { name: 'Report' })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      report.getByRole('button', { name: 'download the report' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('alice.html')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^<!doctype html>/i)

    const other = await serve(scene)
    other.create('bob')
    await page.goto(`${other.url}/c/bob/controls`)
    await report.getByRole('button', { name: 'download the report' }).click()
    await report.getByRole('alert').getByText('there are no reports').waitFor()
  },
  { allowedErrors: /^request: http:\/\/127\.0\.0\.1:\d+\/|404/ },
)
