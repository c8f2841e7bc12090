/** Replaces the parts of a request's path that differ each time. @param {string} path */
export function shortened(path) {
  return path
    .replace(/^\/api\/v0(\/sdk\/local)?/, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replace(/[\w-]{25,}/g, '…')
}
