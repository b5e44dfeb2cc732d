/** The line in time, drawn while it is seen. */
import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { clock, rhythm, transactions } from '../../live/chain.ts'
import { go, hrefOf } from '../../navigation.ts'
import { blockAt, type Colours, drawRhythm, HEIGHT_PX, type Scale } from './drawRhythm.ts'

/** Frames of the line a second: enough to look smooth at its speed, and few enough to cost little. */
const FRAME_MS = 1_000 / 20
/** For readers who want no motion. */
const CALM_FRAME_MS = 1_000

export function RhythmLine({ windowMs, isPaused }: { windowMs: number; isPaused: Signal<boolean> }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = useRef<Scale>(undefined)
  useEffect(() => {
    const element = canvas.current!
    const context = element.getContext('2d')!
    const calm = matchMedia('(prefers-reduced-motion: reduce)')
    let colours: Colours | undefined
    let coloursMs = Number.NEGATIVE_INFINITY
    let drawnMs = 0
    let frame = 0
    let timer: ReturnType<typeof setTimeout>
    let isDue = true

    // No frame is asked for between those of the line.
    function later() {
      timer = setTimeout(() => {
        frame = requestAnimationFrame(draw)
      }, FRAME_MS - 10)
    }

    function draw(pageMs: number) {
      later()
      const isNext = !isPaused.value && pageMs - drawnMs >= (calm.matches ? CALM_FRAME_MS : FRAME_MS) - 10
      // The theme may change while the line stands still.
      if (colours === undefined || pageMs - coloursMs >= 500) {
        const now = coloursOf(element)
        isDue ||= colours === undefined || now.text !== colours.text
        colours = now
        coloursMs = pageMs
      }
      if (!isNext && !isDue) return
      const isMoved = isNext || scale.current === undefined
      isDue = false
      drawnMs = pageMs
      const endMs = isMoved ? (clock.nowMs(performance.now()) ?? 0) : scale.current!.endMs
      scale.current = { widthPx: element.clientWidth, endMs, windowMs }
      drawRhythm(context, scale.current, rhythm, transactions.all.values(), colours)
    }

    const observer = new ResizeObserver(() => {
      const ratio = devicePixelRatio
      element.width = Math.round(element.clientWidth * ratio)
      element.height = Math.round(HEIGHT_PX * ratio)
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      isDue = true
    })
    observer.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => {
      colours = undefined
      isDue = true
    }
    dark.addEventListener('change', recolour)
    frame = requestAnimationFrame(draw)
    return () => {
      observer.disconnect()
      dark.removeEventListener('change', recolour)
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [windowMs])

  return (
    <canvas
      ref={canvas}
      class="rhythm"
      role="img"
      aria-label="blocks and transactions of the last seconds as a line in time; the tables below have the same in words"
      style={{ height: `${HEIGHT_PX}px` }}
      onClick={({ offsetX }) => {
        const block = scale.current && blockAt(offsetX, scale.current, rhythm)
        if (block !== undefined && block.removedMs === undefined)
          go(hrefOf({ view: 'block', id: block.sealedMs === undefined ? 'pending' : String(block.number) }))
      }}
    />
  )
}

const COLOURS = {
  waiting: '--waiting',
  waitingGround: '--waiting-ground',
  preconfirmed: '--preconfirmed',
  preconfirmedGround: '--preconfirmed-ground',
  sealed: '--sealed',
  sealedGround: '--sealed-ground',
  dropped: '--dropped',
  droppedGround: '--dropped-ground',
  reorged: '--reorged',
  reorgedGround: '--reorged-ground',
  text: '--text',
  quiet: '--quiet',
  line: '--line',
  failed: '--failed',
} satisfies Record<keyof Colours, string>

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  return Object.fromEntries(
    Object.entries(COLOURS).map(([name, property]) => [name, style.getPropertyValue(property)]),
  ) as unknown as Colours
}
