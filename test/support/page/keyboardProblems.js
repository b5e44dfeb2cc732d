/**
 * Run in the page by story.ts, after a key was pressed there. Returns what cannot be done by keyboard: what a pointer can press and
 * no key reaches, what takes the focus and is not seen then, and what does not show that it has the focus.
 */
;(() => {
  /** Groups of which Tab reaches one, and other keys the rest. */
  const COMPOSITES =
    '[role=tablist], [role=tree], [role=toolbar], [role=listbox], [role=radiogroup], .virtual'
  const ROLES =
    'button, link, tab, treeitem, option, checkbox, radio, switch, slider, menuitem, searchbox, textbox, combobox'
  const INTERACTIVE = [
    'a[href]',
    'button',
    'input',
    'select',
    'textarea',
    'summary',
    '[tabindex]',
    '[contenteditable]',
  ]
    .concat(ROLES.split(', ').map((role) => `[role=${role}]`))
    .join(', ')

  const nameOf = (element) => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
    return `<${element.localName}${element.className?.length ? ` class="${element.className}"` : ''}> ${text}`
  }
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
  const isOff = (element) => element.matches(':disabled') || element.closest('[inert]') !== null

  /** Whether Tab goes to an element, or to one of its group, in which arrow keys go on. */
  const isReached = (element) => {
    if (element.tabIndex >= 0) return true
    const group = element.closest(COMPOSITES)
    return (
      group !== null && [...group.querySelectorAll('*')].some((one) => one.tabIndex === 0 && isShown(one))
    )
  }

  /** How an element looks, as far as that shows the focus. */
  const looksOf = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element)
    const outline = outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineWidth} ${outlineColor}`
    return `${outline} ${boxShadow}`
  }

  /** Whether a part of an element is on top of everything else in the window. */
  const isSeen = (element) => {
    for (const { left, right, top, bottom } of element.getClientRects()) {
      const box = [
        Math.max(0, left),
        Math.min(innerWidth, right),
        Math.max(0, top),
        Math.min(innerHeight, bottom),
      ]
      const [x1, x2, y1, y2] = box
      if (x2 - x1 < 1 || y2 - y1 < 1) continue
      for (const [x, y] of [
        [(x1 + x2) / 2, (y1 + y2) / 2],
        [x1 + 2, y1 + 2],
        [x2 - 2, y2 - 2],
      ]) {
        const there = document.elementFromPoint(x, y)
        if (
          there !== null &&
          (element.contains(there) || (there.contains(element) && there.localName === 'label'))
        )
          return true
      }
    }
    return false
  }

  const problems = []
  const places = [document.documentElement, ...document.querySelectorAll('*')]
    .filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0)
    .map((element) => [element, element.scrollLeft, element.scrollTop])
  const before = document.activeElement

  for (const element of document.querySelectorAll('body *')) {
    if (!element.hasPointerListener || !isShown(element)) continue
    const own = element.closest(INTERACTIVE)
    // What is drawn may have its equivalent elsewhere.
    const details = document.getElementById(element.closest('[aria-details]')?.getAttribute('aria-details'))
    if (details !== null && [...details.children].some(isReached)) continue
    if (element.localName === 'form' || (own !== null && (isOff(own) || isReached(own)))) continue
    problems.push(`only a pointer presses ${nameOf(element)}`)
  }
  // From the end to the beginning: what is scrolled to then comes to the top, where the head of the page may cover it.
  const reached = [...document.querySelectorAll(INTERACTIVE)].reverse()
  for (const element of reached) {
    if (!isShown(element) || isOff(element)) continue
    if (element.tabIndex > 0) problems.push(`is before others in the order: ${nameOf(element)}`)
    if (!isReached(element)) {
      if (element.localName !== 'main') problems.push(`no key reaches ${nameOf(element)}`)
      continue
    }
    if (element.tabIndex < 0) continue
    if (document.activeElement === element) element.blur()
    const plain = looksOf(element)
    element.focus()
    if (document.activeElement !== element) problems.push(`does not take the focus: ${nameOf(element)}`)
    else if (!isSeen(element)) problems.push(`is not seen with the focus: ${nameOf(element)}`)
    else if (looksOf(element) === plain) problems.push(`does not show the focus: ${nameOf(element)}`)
  }
  if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
  else document.activeElement?.blur()
  for (const element of document.querySelectorAll('*')) {
    if (element.scrollTop !== 0 || element.scrollLeft !== 0) element.scrollTo(0, 0)
  }
  for (const [element, left, top] of places) element.scrollTo(left, top)
  return problems
})()
