/** Opening the window. In the page's first chunk: it must happen in the click itself, before anything is awaited (S2.4). */

/** In the middle of the browser's window. Null: blocked. */
export function openPopup(): Window | null {
  const { screenX, screenY, outerWidth, outerHeight } = window
  const left = Math.round(screenX + (outerWidth - 500) / 2)
  const top = Math.round(screenY + (outerHeight - 600) / 2)
  return open('', '', `popup,width=500,height=600,left=${left},top=${top}`)
}
