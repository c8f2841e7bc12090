import type { Page } from 'playwright-core'

/** Adds another mailbox to the user's, as a second factor: the mailbox of the sign-in can't be one. */
export async function enrolEmail(
  page: Page,
  user: string,
): Promise<{ email: string; recoveryCodes: readonly string[] }> {
  const email = `other-${user}`
  const recoveryCodes = await page.evaluate(async email => {
    const { account } = window.host.keybay
    const path = '/users/me/credentials/email'
    const sent = await account.request(path, { body: { email } })
    const code = await window.codeFor(email)
    await account.request(`${path}/verify`, { body: { ...Object(sent), expiresAt: undefined, code } })
    const { confirm } = await account.mfa.add('email')
    return (await confirm(await window.codeFor(email))).recoveryCodes ?? []
  }, email)
  return { email, recoveryCodes }
}
