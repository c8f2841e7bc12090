// Before the first paint, so that a page in the chosen colours does not flash in the others. See src/shell/theme.ts.
try {
  const theme = localStorage.getItem('keybay-sandbox:theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's colours it is.
}
