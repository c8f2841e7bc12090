/** Paths of the pages, relative to the frame host's origin. */

export function pagePath(environmentId: string): string {
  return `/waas-v1/${encodeURIComponent(environmentId)}`
}

/** Returns the path of the page where a backup provider's window ends. */
export function returnPath(environmentId: string): string {
  return `${pagePath(environmentId)}/granted`
}
