/**
 * What is read in the page, as lines: the text that is seen, links with the places that they lead to, what fields have, hints. Evaluates to
 * `undefined` while something is loaded.
 */
;(() => {
  const main = document.getElementById('main')
  if (main.querySelector('.loading') !== null || main.querySelector('h1') === null) return undefined
  const parts = []
  const place = (href) => href.replace(/^#/, '')
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.data)
    if (node.nodeType !== Node.ELEMENT_NODE || !node.checkVisibility()) return
    const isLine = getComputedStyle(node).display !== 'inline'
    if (isLine) parts.push('\n')
    if (node.matches('input, textarea')) parts.push(`[${node.value}]`)
    else if (node.matches('select')) parts.push(`[${node.selectedOptions[0]?.text}]`)
    else node.childNodes.forEach(read)
    if (node.matches('a[href]')) parts.push(` (${place(node.getAttribute('href'))})`)
    if (node.title) parts.push(` {${node.title}}`)
    if (isLine) parts.push('\n')
  }
  read(document.querySelector('.chain'))
  read(main)
  const lines = parts.join('').split('\n')
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '')
})()
