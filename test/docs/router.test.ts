/** docs/router: the configuration of nginx and the services of Docker belong together. `npm run try-router` runs nginx. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ROOT } from '../support/docs/pages.ts'
import { complaintAbout } from '../support/docs/shownCommands.ts'

const [nginx, compose] = ['nginx.conf', 'compose.yaml'].map((file) =>
  readFileSync(`${ROOT}/docs/router/${file}`, 'utf8'),
)

it('nginx routes to the services that Docker starts, and to no others', () => {
  const routed = [...nginx!.matchAll(/server (\S+):8545 max_fails=0;/g)].map(([, service]) => service)
  const started = [...compose!.matchAll(/^ {2}(\S+): \*preseal$/gm)].map(([, service]) => service)
  expect(routed).toEqual(['preseal-1', 'preseal-2', 'preseal-3', 'preseal-4'])
  expect(started).toEqual(routed)
})

it('the services run a command that preseal has', () => {
  const [, command] = /^ {2}command: (.+)$/m.exec(compose!)!
  expect(complaintAbout(`preseal ${command}`)).toBeUndefined()
})
