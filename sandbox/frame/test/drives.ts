/** Acts as a user on the pages of Google's and Apple's drives, and reads these drives without our code. */
import type { BrowserContext, Page } from 'playwright-core'
import { agree } from './user.js'
import { getFrame, type World } from './world.js'

/** Returns the window that the kit opens; presses the kit's button if the browser requires a press. */
export async function nextWindow(page: Page): Promise<Page> {
  // A password may be derived before the window opens.
  const popup = page.waitForEvent('popup', { timeout: 60_000 })
  const button = page.getByRole('button', { name: 'Open the window' })
  const isBlocked = await Promise.race([
    popup.then(() => false),
    button.waitFor({ timeout: 60_000 }).then(
      () => true,
      () => false,
    ),
  ])
  if (isBlocked) await button.click()
  return popup
}
/** Grants access in the provider's window, and agrees to the account in the wallet's window. */
export async function grantNew(page: Page, popup: Page): Promise<void> {
  await answer(popup)
  await agree(page, 'Use this account')
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
const RETURN_PAGE = 'http://wallet.localhost:1/waas-v1/local/granted'

/** Grants access as this user, and returns the address of the return page with the token. No server responds there. */
async function getGrant(url: string, context: BrowserContext, account: string, returnPage: string): Promise<string> {
  const page = await context.newPage()
  try {
    const returned = page.waitForRequest(request => request.url().startsWith(returnPage))
    await page.goto(url)
    await page.getByRole('button', { name: account }).click({ noWaitAfter: true })
    const request = await returned
    const answer = await request.redirectedFrom()?.response()
    return (await answer?.headerValue('location')) ?? request.url()
  } finally {
    // Not awaited: the return page may close itself at the same time, and the call then never ends.
    void page.close().catch(() => {})
  }
}

function getDriveGrant(world: World, context: BrowserContext, account: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'keybay-google',
    redirect_uri: RETURN_PAGE,
    response_type: 'token',
    scope: 'https://www.googleapis.com/auth/drive.appdata',
  })
  return getGrant(`${world.identity.url}/google/o/oauth2/v2/auth?${query}`, context, account, RETURN_PAGE)
}

/** Returns the frame's return page as the provider opens it with the access of this user. */
export async function getReturnUrl(
  world: World,
  page: Page,
  provider: 'googleDrive' | 'icloud',
  account: string,
): Promise<string> {
  const context = page.context()
  const returnPage = new URL('/waas-v1/local/granted', (await getFrame(page, 'hidden')).url()).href
  if (provider === 'googleDrive') return (await getDriveGrant(world, context, account)).replace(RETURN_PAGE, returnPage)
  const signIn = `${world.identity.url}/icloud/sign-in?container=iCloud.dev.keybay.sandbox`
  return getGrant(signIn, context, account, returnPage)
}

/** Returns the files in Ann's app data, newest first. */
export async function driveFiles(world: World, context: BrowserContext): Promise<readonly DriveFile[]> {
  const { internalUrl } = world.identity
  const location = await getDriveGrant(world, context, 'Ann Archer')
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
}
