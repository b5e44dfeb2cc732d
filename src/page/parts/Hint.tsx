/** Explanations of terms (attribute `title`), shown also on keyboard focus, click and tap, not only on mouse hover. */
import type { ComponentChildren } from 'preact'
import { Button } from './controls.tsx'
import './hint.css'

export function Hint({ text, children }: { text: string; children: ComponentChildren }) {
  return <Button class="hint" title={text} text={children} />
}

const ID = 'hint-text'

/** The tooltip, which exists once per page. Hidden from screen readers, which read the attribute `title` itself. */
export function HintText() {
  return <div class="hint-text" id={ID} aria-hidden="true" hidden />
}

let shown: Element | undefined

/** Begins to show the attribute `title` of elements on keyboard focus, click and tap. */
export function followHints(): void {
  addEventListener('focusin', ({ target }) => {
    hide()
    if (target instanceof Element && target.matches('[title]:not(input):focus-visible')) show(target)
  })
  addEventListener('click', ({ target }) => {
    const hint = target instanceof Element ? target.closest('.hint') : null
    const isAgain = hint !== null && hint === shown && !hint.matches(':focus-visible')
    hide()
    if (hint !== null && !isAgain) show(hint)
  })
  addEventListener('keydown', ({ key }) => key === 'Escape' && hide())
  addEventListener('focusout', hide)
  addEventListener('resize', hide)
  addEventListener('scroll', hide, true)
}

function show(of: Element): void {
  const element = document.getElementById(ID)
  if (element === null) return
  element.textContent = of.getAttribute('title')
  element.hidden = false
  const { left, bottom, top } = of.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = element
  const mostLeft = document.documentElement.clientWidth - offsetWidth - GAP_PX
  const below = bottom + GAP_PX
  element.style.left = `${Math.max(GAP_PX, Math.min(left, mostLeft))}px`
  element.style.top = `${below + offsetHeight > innerHeight ? Math.max(GAP_PX, top - offsetHeight - GAP_PX) : below}px`
  shown = of
}

function hide(): void {
  if (shown !== undefined) document.getElementById(ID)!.hidden = true
  shown = undefined
}

const GAP_PX = 6
