/**
 * Opens the window in the middle of the browser's, or returns null if the browser blocks it. Loads with the page: it must run in
 * the click itself (S2.4).
 */
export function openPopup(): Window | null {
  const { screenX, screenY, outerWidth, outerHeight } = window
  const left = Math.round(screenX + (outerWidth - 500) / 2)
  const top = Math.round(screenY + (outerHeight - 600) / 2)
  return open('', '', `width=500,height=600,left=${left},top=${top}`)
}
