import { useConnectors } from '@keybay/react'
import { LineForm } from '@keybay/react/ui'
import { explain } from '../wording.js'
import type { Choice, SignInAttempt } from './attempt-view.js'
import { type AddressKind, readAddress } from './read-address.js'

interface FieldWords {
  readonly label: string
  readonly autoComplete: string
  readonly inputMode: 'email' | 'tel'
  readonly placeholder: string
}
const words: { readonly [K in AddressKind | 'both']: FieldWords } = {
  email: { label: 'Email address', autoComplete: 'email', inputMode: 'email', placeholder: 'you@example.com' },
  phone: { label: 'Phone number', autoComplete: 'tel', inputMode: 'tel', placeholder: '+41 79 123 45 67' },
  both: {
    label: 'Email or phone number',
    autoComplete: 'username',
    inputMode: 'email',
    placeholder: 'you@example.com',
  },
}

interface AddressFormProps {
  /** Accepted kinds of address; both share one field. */
  readonly kinds: readonly AddressKind[]
  readonly attempt: Pick<SignInAttempt, 'choice' | 'status' | 'error'>
  start(choice: Choice): void
  /** Lets the browser offer passkeys in this field. */
  readonly withPasskeys?: boolean
}
export function AddressForm({ kinds, attempt, start, withPasskeys = false }: AddressFormProps) {
  const connectors = useConnectors({ kind: 'login' })
  const { label, ...attributes } = words[kinds.length === 1 ? (kinds[0] ?? 'both') : 'both']
  const input = { ...attributes, autoCapitalize: 'none', ...(withPasskeys && { autoComplete: 'username webauthn' }) }
  const isMine = kinds.some(kind => kind === attempt.choice?.connector.id)
  const busy = isMine && attempt.status === 'pending'
  // A user who closed the code prompt needs no error.
  const failure = isMine && attempt.error?.code !== 'user_rejected' ? attempt.error : undefined
  const submit = (text: string) => {
    const address = readAddress(text, kinds)
    const connector = connectors.find(({ id }) => id === address.kind)
    if (connector && address.problem === undefined) start({ connector, input: address.input })
    return address.problem
  }
  return (
    <LineForm
      label={label}
      input={input}
      kind="primary"
      wide
      action={busy ? 'Sending a code …' : 'Continue'}
      busy={busy}
      error={failure && explain(failure)}
      submit={submit}
    />
  )
}
