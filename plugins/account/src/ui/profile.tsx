import { useSession } from '@keybay/react'
import { lazyView } from '@keybay/react/ui'
import type { ReactElement } from 'react'

const Profile = lazyView<object>(async () => (await import('./profile-card.js')).ProfileCardView)
const Deletion = lazyView<object>(async () => (await import('./deletion-notice.js')).DeletionNoticeView)

/**
 * The signed-in user's name, which the user may change, and the id. Renders nothing while no user is signed in. Needs
 * `@keybay/react/ui.css`.
 *
 * @example <ProfileCard />
 */
export function ProfileCard(): ReactElement | null {
  return useSession().status === 'authenticated' ? <Profile /> : null
}

/**
 * Says when the signed-in user's account will be deleted, and keeps it on request. Renders nothing for other users; show it on
 * every page. Needs `@keybay/react/ui.css`.
 *
 * @example <DeletionNotice />
 */
export function DeletionNotice(): ReactElement | null {
  return useSession().status === 'authenticated' ? <Deletion /> : null
}
