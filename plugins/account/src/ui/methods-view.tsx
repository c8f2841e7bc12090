import { useConnectors, useKeybay, useSession } from '@keybay/react'
import { DialogHead, Notice, signInMessages, useExplain, useMessages } from '@keybay/react/ui'
import { type ReactElement, useEffect } from 'react'
import { AddressForm } from './address-form.js'
import type { Choice, SignInAttempt } from './attempt.js'
import { type HostToken, HostTokenChoice } from './host-token.js'
import { PasskeyChoices } from './passkey-choices.js'
import type { AddressKind } from './read-address.js'
import { useSettings } from './settings.js'
import type { SignInOffer } from './sign-in-dialog.js'
import { useSlots } from './slots.js'
import { SocialChoices } from './social-choices.js'
import { WalletChoices } from './wallet-choices.js'

const TITLES = {
  all: 'title',
  email: 'add_email',
  phone: 'add_phone',
  wallet: 'add_wallet',
  social: 'add_social',
} as const
const ADDRESSES: readonly AddressKind[] = ['email', 'phone']
/** Connectors whose code is loaded while the user chooses. */
const PRELOADED = ['email', 'phone', 'passkey', 'social:google'] as const

interface MethodsViewProps {
  readonly titleId: string
  readonly offer: SignInOffer
  readonly attempt: SignInAttempt
  readonly hostToken: HostToken | undefined
  start(choice: Choice): void
  /** Called when the dialog is no longer needed. */
  onDone(): void
}
export function MethodsView(props: MethodsViewProps): ReactElement {
  const { titleId, offer, attempt, hostToken, start, onDone } = props
  const { connectors } = useKeybay()
  const logins = useConnectors({ kind: 'login' })
  const { text } = useMessages(signInMessages)
  const explain = useExplain()
  const { footer } = useSlots()
  useEffect(() => {
    for (const id of PRELOADED) connectors.preload(id)
  }, [connectors])
  const { status } = useSession()
  const { settings, error } = useSettings()
  const offers = (kind: SignInOffer) => offer === 'all' || offer === kind
  /** Methods that the environment allows; while unknown, all are shown and the API decides. */
  const allows = (kind: 'wallet' | 'email' | 'phone' | 'passkey') => settings?.signIn[kind] ?? true
  const has = (kind: AddressKind) => logins.some(({ id }) => id === kind)
  const kinds = ADDRESSES.filter(kind => offers(kind) && allows(kind) && has(kind))
  const withPasskeys = offer === 'all' && allows('passkey') && status !== 'authenticated'
  return (
    <>
      <DialogHead id={titleId} title={text(TITLES[offer])} />
      <div className="keybay-dialog-body">
        {error !== undefined && (
          <Notice kind="bad" title={text('serviceDown')}>
            <span>{text('serviceRetries', { error: explain(error) })}</span>
          </Notice>
        )}
        {kinds.length > 0 && <AddressForm kinds={kinds} attempt={attempt} start={start} withPasskeys={withPasskeys} />}
        {kinds.length > 0 && offer === 'all' && (
          <p className="keybay-or" aria-hidden="true">
            {text('or')}
          </p>
        )}
        {withPasskeys && <PasskeyChoices start={start} onDone={onDone} />}
        {hostToken && offer === 'all' && <HostTokenChoice hostToken={hostToken} onDone={onDone} />}
        {offers('social') && (
          <SocialChoices
            allowed={settings?.signIn.social}
            choose={connector => start({ connector })}
            linking={offer === 'social'}
          />
        )}
        {offers('wallet') && allows('wallet') && <WalletChoices choose={connector => start({ connector })} />}
        {footer?.({ offer, close: onDone })}
      </div>
    </>
  )
}
