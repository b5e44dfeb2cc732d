// Sets the theme that the reader chose before anything is painted: the page's own script comes later. See theme.ts.
try {
  const theme = localStorage.getItem('preseal-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Where nothing is kept, as in some private windows, the theme is the system's.
}
