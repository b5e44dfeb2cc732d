/** The browser of this machine, for what has to be tried in one. */
import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The file of a Chromium: that in the environment's CHROMIUM, or where systems have it; `undefined` without one. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM, ...PLACES].find((file) => file !== undefined && existsSync(file))
}

/** Why something is passed over, and what to do about it. */
export const NO_CHROMIUM = 'there is no Chromium: apt-get install chromium, or name one in CHROMIUM'

/** With these it runs as root and in containers, and asks nothing of other hosts. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
