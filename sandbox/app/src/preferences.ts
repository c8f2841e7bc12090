/** Stores small preferences in this browser. If storage is blocked they last until the page closes. */
const PREFIX = 'keybay-sandbox:'

export function readPreference(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined
  } catch {
    return undefined
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value)
  } catch {
    // Ignore it: the choice lasts until the page is closed.
  }
}
