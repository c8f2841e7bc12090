import { useKeybay, useSession } from '@keybay/react'
import { useEffect } from 'react'
import { useSettings } from '../chain/use-loaded.js'
import { Button, DialogHead, Notice } from '../design/index.js'
import { InboxLink } from '../prompts/code-prompt.js'
import { navigate } from '../routing/router.js'
import { SocialChoices } from '../social/social-choices.js'
import { explain } from '../wording.js'
import { AddressForm } from './address-form.js'
import type { Choice, SignInAttempt } from './attempt-view.js'
import { PasskeyChoices } from './passkey-choices.js'
import type { AddressKind } from './read-address.js'
import type { SignInOffer } from './sign-in-provider.js'
import { WalletChoices } from './wallet-choices.js'

const titles: { readonly [O in SignInOffer]: string } = {
  all: 'Sign in or sign up',
  email: 'Add an email address',
  phone: 'Add a phone number',
  wallet: 'Add a wallet',
  social: 'Add a social account',
}
const ADDRESSES: readonly AddressKind[] = ['email', 'phone']

interface MethodsViewProps {
  readonly titleId: string
  readonly offer: SignInOffer
  readonly attempt: SignInAttempt
  start(choice: Choice): void
  /** Called when a passkey offered by the browser has signed the user in. */
  onDone(): void
}
export function MethodsView({ titleId, offer, attempt, start, onDone }: MethodsViewProps) {
  const { connectors } = useKeybay()
  // Preload what each method needs before the user chooses one.
  useEffect(() => {
    for (const id of ['email', 'phone', 'passkey', 'social:google']) connectors.preload(id)
  }, [connectors])
  const { status } = useSession()
  const settings = useSettings()
  const offers = (kind: SignInOffer) => offer === 'all' || offer === kind
  /** Methods that the environment allows; while unknown, all are shown and the API decides. */
  const allows = (kind: 'wallet' | 'email' | 'phone' | 'passkey') => settings.data?.signIn[kind] ?? true
  const kinds = ADDRESSES.filter(kind => offers(kind) && allows(kind))
  const withPasskeys = offer === 'all' && allows('passkey') && status !== 'authenticated'
  return (
    <>
      <DialogHead id={titleId} title={titles[offer]} />
      <div className="keybay-dialog-body">
        {settings.status === 'failed' && (
          <Notice kind="bad" title="The sign-in service does not answer.">
            <span>{explain(settings.error)} This page tries again by itself.</span>
          </Notice>
        )}
        {kinds.length > 0 && <AddressForm kinds={kinds} attempt={attempt} start={start} withPasskeys={withPasskeys} />}
        {kinds.length > 0 && offer === 'all' && (
          <p className="or" aria-hidden="true">
            or
          </p>
        )}
        {withPasskeys && <PasskeyChoices start={start} onDone={onDone} />}
        {offers('social') && (
          <SocialChoices
            allowed={settings.data?.signIn.social}
            choose={connector => start({ connector })}
            linking={offer === 'social'}
          />
        )}
        {offers('wallet') && allows('wallet') && <WalletChoices choose={connector => start({ connector })} />}
        {offer === 'all' && status !== 'authenticated' && (
          <p>
            <Button
              small
              kind="quiet"
              text="I lost my device"
              onClick={() => {
                navigate('/lost-device')
                onDone()
              }}
            />
          </p>
        )}
        {kinds.length > 0 && <InboxLink />}
      </div>
    </>
  )
}
