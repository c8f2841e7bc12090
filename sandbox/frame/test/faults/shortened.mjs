/**
 * A request's path without what is another one each time.
 *
 * @param {string} path
 */
export function shortened(path) {
  return path
    .replace(/^\/api\/v0(\/sdk\/local)?/, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replace(/[\w-]{25,}/g, '…')
}
