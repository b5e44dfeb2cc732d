// Sets the colours before anything is painted, as the reader chose or as the system has them: the page's own script, which follows
// both (theme.ts), comes later.
{
  const { dataset } = document.documentElement
  try {
    dataset.chosenTheme = localStorage.getItem('preseal-theme') ?? 'system'
  } catch {
    // Where nothing is kept, as in some private windows, the theme is the system's.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  dataset.theme = /^(light|dark)$/.test(dataset.chosenTheme) ? dataset.chosenTheme : system
}
