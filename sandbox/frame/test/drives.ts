/** Acts as a user on the pages of Google's and Apple's drives, and reads these drives without our code. */
import type { BrowserContext, Page } from 'playwright-core'
import type { World } from './world.js'

/** Returns the window that the kit opens; presses the kit's button if the browser requires a press. */
export async function nextWindow(page: Page): Promise<Page> {
  // A password may be derived before the window opens.
  const popup = page.waitForEvent('popup', { timeout: 60_000 })
  const button = page.getByRole('button', { name: 'Open the window' })
  button
    .waitFor({ timeout: 60_000 })
    .then(() => button.click())
    .catch(() => {}) // no button if the window opened by itself
  return popup
}
/** Presses a button in the provider's window, which then closes itself. @param button default: an account */
export async function answer(popup: Page, button = 'Ann Archer'): Promise<void> {
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: button }).click({ noWaitAfter: true })
  await closed
}

interface DriveFile {
  readonly id: string
  readonly name: string
  readonly bytes: Uint8Array
}
/** Returns the files in Ann's app data, newest first. */
export async function driveFiles(world: World, context: BrowserContext): Promise<readonly DriveFile[]> {
  const { url, internalUrl } = world.identity
  const page = await context.newPage()
  try {
    const query = new URLSearchParams({
      client_id: 'keybay-google',
      redirect_uri: 'http://wallet.localhost:1/waas-v1/local/granted',
      response_type: 'token',
      scope: 'https://www.googleapis.com/auth/drive.appdata',
    })
    // Only the address of the return page is needed; no server responds there.
    const returned = page.waitForRequest(request => request.url().startsWith('http://wallet.localhost:1/'))
    await page.goto(`${url}/google/o/oauth2/v2/auth?${query}`)
    await page.getByRole('button', { name: 'Ann Archer' }).click({ noWaitAfter: true })
    const request = await returned
    const answer = await request.redirectedFrom()?.response()
    const location = (await answer?.headerValue('location')) ?? request.url()
    const token = new URLSearchParams(new URL(location).hash.slice(1)).get('access_token')
    const headers = { authorization: `Bearer ${token}` }
    const list = await fetch(
      `${internalUrl}/drive/v3/files?spaces=appDataFolder&orderBy=createdTime%20desc&fields=files(id,name)`,
      { headers },
    )
    const { files }: { files: readonly { readonly id: string; readonly name: string }[] } = await list.json()
    return Promise.all(
      files.map(async file => {
        const media = await fetch(`${internalUrl}/drive/v3/files/${file.id}?alt=media`, { headers })
        return { ...file, bytes: new Uint8Array(await media.arrayBuffer()) }
      }),
    )
  } finally {
    await page.close()
  }
}
