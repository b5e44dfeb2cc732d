import { effect, type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { clock, pace, rhythm, showEarlier, transactions } from '../../live/chain.ts'
import type { LiveBlock } from '../../live/rhythm.ts'
import { go } from '../../navigation.ts'
import { shownTheme } from '../../theme.ts'
import { drawRhythm, wordsOf } from './drawBlocks.ts'
import { hrefOfBlock } from './Panels.tsx'
import { blockAt, blocksShown, coloursOf, gapsIn, HEIGHT_PX, type Scale } from './rhythmCanvas.ts'

/** The timeline moves so slowly that 20 frames per second look smooth. */
const FRAME_MS = 1_000 / 20
const CALM_FRAME_MS = 1_000

export function RhythmLine({ windowMs, isPaused }: { windowMs: number; isPaused: Signal<boolean> }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = useRef<Scale>(undefined)
  const chosen = useSignal<LiveBlock | undefined>(undefined)
  const pointed = useSignal<number | undefined>(undefined)
  useEffect(() => void showEarlier(windowMs), [windowMs])
  useEffect(() => {
    const element = canvas.current!
    const context = element.getContext('2d')!
    const calm = matchMedia('(prefers-reduced-motion: reduce)')
    let colours = coloursOf(element)
    let drawnMs = 0
    let frame = 0
    let timer: ReturnType<typeof setTimeout>
    let isDue = true

    // The timer limits the frame rate: animation frames are requested only if they will be drawn.
    function later() {
      timer = setTimeout(() => {
        frame = requestAnimationFrame(step)
      }, FRAME_MS - 10)
    }

    function step(pageMs: number) {
      later()
      const isNext = !isPaused.value && pageMs - drawnMs >= (calm.matches ? CALM_FRAME_MS : FRAME_MS) - 10
      if (!isNext && !isDue) return
      drawnMs = pageMs
      draw(isNext)
    }

    function draw(isNext: boolean) {
      isDue = false
      const isMoved = isNext || scale.current === undefined
      const nowMs = isMoved ? (clock.nowMs(performance.now()) ?? 0) : scale.current!.nowMs
      scale.current = {
        widthPx: element.clientWidth,
        nowMs,
        endMs: nowMs + aheadMs(windowMs),
        windowMs,
        gaps: gapsIn(rhythm, nowMs, windowMs),
      }
      const picture = { context, scale: scale.current, colours }
      drawRhythm(picture, rhythm, transactions.all.values(), chosen.peek() ?? blockPointedAt())
    }

    /** Returns the block under the mouse. Called for each frame, because the timeline moves under a resting mouse. */
    function blockPointedAt(): LiveBlock | undefined {
      const x = pointed.peek()
      const block = x === undefined ? undefined : blockAt(x, scale.current!, rhythm)
      element.style.cursor = block === undefined || block.removedMs !== undefined ? 'default' : 'pointer'
      return block
    }

    const observer = new ResizeObserver(() => {
      const ratio = devicePixelRatio
      element.width = Math.round(element.clientWidth * ratio)
      element.height = Math.round(HEIGHT_PX * ratio)
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      // Resizing clears the canvas, so the timeline is drawn immediately, not at the next frame.
      if (scale.current === undefined) isDue = true
      else draw(false)
    })
    observer.observe(element)
    // The effect draws immediately after a change, not at the next frame, because printing does not wait.
    const end = effect(() => {
      shownTheme.value
      chosen.value
      colours = coloursOf(element)
      if (scale.current !== undefined) draw(false)
    })
    const endPointing = effect(() => {
      pointed.value
      isDue = true
    })
    frame = requestAnimationFrame(step)
    return () => {
      observer.disconnect()
      end()
      endPointing()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [windowMs])

  function onKeyDown(event: KeyboardEvent) {
    if (scale.current === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && chosen.value !== undefined) return open(chosen.value)
    const seen = blocksShown(rhythm, scale.current)
    const at = chosen.value === undefined ? -1 : seen.indexOf(chosen.value)
    const to = MOVES[event.key]?.(at, seen.length - 1)
    if (to === undefined) return
    event.preventDefault()
    chosen.value = seen[Math.min(Math.max(to, 0), seen.length - 1)]
  }
  const newest = rhythm.open ?? rhythm.blocks.at(-1)
  const block = chosen.value ?? newest
  return (
    <canvas
      ref={canvas}
      class="rhythm"
      role="slider"
      tabIndex={0}
      aria-label="timeline of recent blocks and transactions"
      aria-description="arrow keys choose a block, Enter opens it; the tables below are the text equivalent"
      aria-valuemin={0}
      aria-valuemax={newest?.number ?? 0}
      aria-valuenow={block?.number ?? 0}
      aria-valuetext={chosen.value === undefined ? 'no block chosen' : wordsOf(chosen.value)}
      style={{ height: `${HEIGHT_PX}px` }}
      onClick={({ offsetX }) => {
        const block = scale.current && blockAt(offsetX, scale.current, rhythm)
        if (block !== undefined) open(block)
      }}
      onPointerMove={({ offsetX, pointerType }) => {
        if (pointerType === 'mouse') pointed.value = offsetX
      }}
      onPointerLeave={() => (pointed.value = undefined)}
      onKeyDown={onKeyDown}
      onBlur={() => (chosen.value = undefined)}
    />
  )
}

/** Returns how much future time the timeline shows: one block, but at most a fixed share of the window. */
function aheadMs(windowMs: number): number {
  const { rhythm: name, blockMs } = pace.value ?? { rhythm: 'manual', blockMs: 0 }
  return name === 'interval' ? Math.min(blockMs, MOST_AHEAD * windowMs) : 0
}

const MOST_AHEAD = 0.08

/** The block index that each key selects. 0: the newest block. `last`: the oldest. `at`: the selected block, or -1. */
const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  ArrowRight: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  Home: (_, last) => last,
  End: () => 0,
}

function open({ number, sealedMs, removedMs }: LiveBlock): void {
  if (removedMs !== undefined) return
  go(hrefOfBlock(number, sealedMs === undefined))
}
