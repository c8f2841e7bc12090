/** Acts as a user on the pages of Google's and Apple's drives, and reads these drives without our code. */
import type { Page } from 'playwright-core'
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

/** Grants access as a user by the provider's form. @returns the address of the return page, with the token */
async function getGrant({ identity }: World, path: string, user: string): Promise<string> {
  const page = await (await fetch(`${identity.internalUrl}${path}`)).text()
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
  const form = { method: 'POST', body: new URLSearchParams({ user }), redirect: 'manual' } as const
  return (await fetch(`${identity.internalUrl}${action}`, form)).headers.get('location') ?? ''
}

function getDriveGrant(world: World, user: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'keybay-google',
    redirect_uri: RETURN_PAGE,
    response_type: 'token',
    scope: 'https://www.googleapis.com/auth/drive.appdata',
  })
  return getGrant(world, `/google/o/oauth2/v2/auth?${query}`, user)
}

/** Returns the frame's return page as the provider opens it with the access of another user, Cleo. */
export async function getStolenReturn(world: World, page: Page, provider: 'googleDrive' | 'icloud'): Promise<string> {
  if (provider === 'icloud') return getGrant(world, '/icloud/sign-in?container=iCloud.dev.keybay.sandbox', 'cleo')
  const returnPage = new URL('/waas-v1/local/granted', (await getFrame(page, 'hidden')).url()).href
  return (await getDriveGrant(world, 'cleo')).replace(RETURN_PAGE, returnPage)
}

/** Returns the files in Ann's app data, newest first. */
export async function driveFiles(world: World): Promise<readonly DriveFile[]> {
  const { internalUrl } = world.identity
  const location = await getDriveGrant(world, 'ann')
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
