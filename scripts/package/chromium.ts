/** The Chromium of this machine. */
import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a Chromium: that in the environment's CHROMIUM, or in the usual places; `undefined` without one. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM, ...PLACES].find((file) => file !== undefined && existsSync(file))
}

/** Why something is skipped, and what to do about it. */
export const NO_CHROMIUM = 'there is no Chromium: apt-get install chromium, or name one in CHROMIUM'

/** Flags with which it runs as root and in containers, and contacts no other hosts. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
