/** Asks before a login is added to the account that is signed in: on a shared device it may be another user's. */
import type { Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, shorten, userRejected } from '@keybay/kernel/spec'
import type { Ask } from './factor.js'
import { isSignedIn } from './lifecycle.js'
import type { User } from './user.js'
import type { Users } from './users.js'

/** Returns what the API has verified, if possible: anyone can choose a username that looks like another user's. */
function getAccountName({ email, phoneNumber, username, credentials }: User): string | undefined {
  const profile = credentials.find(({ profile }) => profile?.emailVerified)?.profile
  const address = credentials.find(credential => credential.address !== undefined)?.address
  return email ?? phoneNumber ?? profile?.email ?? (address && shorten(address)) ?? username ?? undefined
}

/** @throws KeybayError `user_rejected` */
async function askToLink(ask: Ask, user: User | undefined): Promise<void> {
  const name = user && getAccountName(user)
  const answer = await ask({
    type: 'choice',
    question: { id: 'link', name },
    title: `Add this login to the account ${name === undefined ? 'that is signed in' : `of ${name}`}?`,
    text: 'If this isn’t your account, cancel and sign out first.',
    options: [
      { id: 'add', label: 'Add' },
      { id: 'cancel', label: 'Cancel' },
    ],
  })
  if (answer !== 'add') throw new KeybayError(userRejected)
}

/** Returns a function that asks once for the user who is signed in. It throws KeybayError `user_rejected`. */
export function createAgreement(
  { session }: Pick<Kernel, 'session'>,
  users: Pick<Users, 'get'>,
  ask: Ask,
): () => Promise<void> {
  let asked: { readonly userId: string | undefined; readonly agreed: Promise<void> } | undefined
  return async function agree(): Promise<void> {
    const { userId } = session.current
    if (!isSignedIn(session.current)) throw new KeybayError(sessionMissing)
    if (!asked || asked.userId !== userId) asked = { userId, agreed: users.get().then(user => askToLink(ask, user)) }
    await asked.agreed
    // Another tab may have signed another user in.
    if (session.current.userId !== userId) await agree()
  }
}
