import { useConnectors } from '@keybay/react'
import { LineForm, signInMessages, useExplain, useMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { Choice, SignInAttempt } from './attempt.js'
import { LastUsed } from './last-used.js'
import { type AddressKind, EXAMPLES, readAddress } from './read-address.js'

interface FieldWords {
  readonly label: 'addressEmail' | 'addressPhone' | 'addressBoth'
  readonly autoComplete: string
  readonly inputMode: 'email' | 'tel'
  readonly placeholder: string
}
const words: { readonly [K in AddressKind | 'both']: FieldWords } = {
  email: { label: 'addressEmail', autoComplete: 'email', inputMode: 'email', placeholder: EXAMPLES.email },
  phone: { label: 'addressPhone', autoComplete: 'tel', inputMode: 'tel', placeholder: EXAMPLES.phone },
  both: { label: 'addressBoth', autoComplete: 'username', inputMode: 'email', placeholder: EXAMPLES.email },
}

interface AddressFormProps {
  /** Accepted kinds of address; both share one field. */
  readonly kinds: readonly AddressKind[]
  readonly attempt: Pick<SignInAttempt, 'choice' | 'status' | 'error'>
  start(choice: Choice): void
  /** Lets the browser offer passkeys in this field. */
  readonly withPasskeys?: boolean
}
export function AddressForm({ kinds, attempt, start, withPasskeys = false }: AddressFormProps): ReactElement {
  const { text } = useMessages(signInMessages)
  const explain = useExplain()
  const connectors = useConnectors({ kind: 'login' })
  const { label, ...attributes } = words[kinds.length === 1 ? (kinds[0] ?? 'both') : 'both']
  const input = { ...attributes, autoCapitalize: 'none', ...(withPasskeys && { autoComplete: 'username webauthn' }) }
  const isMine = kinds.some(kind => kind === attempt.choice?.connector.id)
  const busy = isMine && attempt.status === 'pending'
  // A user who closed the code prompt needs no error.
  const failure = isMine && attempt.error?.code !== 'user_rejected' ? attempt.error : undefined
  const submit = (typed: string) => {
    const address = readAddress(typed, kinds)
    const connector = connectors.find(({ id }) => id === address.kind)
    if (connector && address.problem === undefined) start({ connector, input: address.input })
    return address.problem && text(address.problem, EXAMPLES)
  }
  return (
    <LineForm
      label={text(label)}
      input={input}
      kind="primary"
      wide
      action={text(busy ? 'sending' : 'continue')}
      busy={busy}
      error={failure && explain(failure)}
      submit={submit}
    >
      {withPasskeys && kinds.map(kind => <LastUsed key={kind} id={kind} />)}
    </LineForm>
  )
}
