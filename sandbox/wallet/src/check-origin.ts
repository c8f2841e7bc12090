/** Keeps the wallet off production pages. */

/** Names that every browser resolves to its own machine. */
const THIS_MACHINE = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * @param allowOrigin origin outside this machine that the developer named
 * @throws Error if this page may not have the wallet
 */
export function checkOrigin(allowOrigin: string | undefined): void {
  if (typeof document === 'undefined')
    throw new Error('The sandbox wallet needs a page. Register it in the browser, not on the server.')
  const { hostname, origin } = location
  if (THIS_MACHINE.test(hostname)) return
  if (origin !== allowOrigin)
    throw new Error(
      `The sandbox wallet does not run on ${origin}: its keys are unencrypted, so it is for development on localhost. ` +
        `Remove it from production builds. For a demo or a test, pass allowOrigin: '${origin}'.`,
    )
  console.warn(`This page has a sandbox wallet: its keys are unencrypted. Do not send anything of value to it.`)
}
