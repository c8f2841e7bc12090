// Set the theme before the first paint, to avoid a flash of the other colors. See src/shell/theme.ts.
try {
  const theme = localStorage.getItem('keybay-sandbox:theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: use the system colors.
}
