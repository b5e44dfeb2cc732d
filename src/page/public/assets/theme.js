// Sets the theme before the first painting: the chosen one, or that of the system. theme.ts takes over later.
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
