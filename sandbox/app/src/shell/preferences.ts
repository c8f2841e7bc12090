/** Small choices of this browser. Where storage is blocked they last as long as the page. */
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
    // Nothing to do: the choice holds until the page is closed.
  }
}
