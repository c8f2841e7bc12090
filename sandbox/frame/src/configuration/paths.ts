/** Paths of the pages, relative to the frame host's origin. */

export function pagePath(environmentId: string): string {
  return `/waas-v1/${encodeURIComponent(environmentId)}`
}

/** Returns the address at which the product API tells a window what the user calls the account. */
export function accountUrl(baseApiUrl: string, environmentId: string): string {
  return `${baseApiUrl.replace(/\/$/, '')}/sdk/${environmentId}/auth/frame-account`
}

/** Returns the path of the page where a backup provider's window ends. */
export function returnPath(environmentId: string): string {
  return `${pagePath(environmentId)}/granted`
}
