import { useId, useState } from 'react'
import { Card } from '../design/card.js'
import { Notice } from '../design/feedback.js'
import { shorten } from '../design/format.js'
import type { Signed } from './sign-page.js'
import { verifyMessage } from './verify.js'

const fields = [
  { name: 'message', label: 'Message', rows: 3 },
  { name: 'signature', label: 'Signature, base58', rows: 2 },
  { name: 'address', label: 'Address', rows: 1 },
] as const

/** Verifies the fields on every change, so that the effect of one changed letter is visible. */
export function VerifyCard({ signed }: { readonly signed: Signed | undefined }) {
  const [values, setValues] = useState(signed ?? { message: '', signature: '', address: '' })
  const id = useId()
  const verdict =
    values.signature && values.address ? verifyMessage(values.message, values.signature, values.address) : undefined
  return (
    <Card title="Verify">
      {fields.map(({ name, label, rows }) => (
        <div key={name} className="field">
          <label className="field-label" htmlFor={`${id}-${name}`}>
            {label}
          </label>
          <textarea
            id={`${id}-${name}`}
            className={name === 'message' ? 'input verify-field' : 'input input-mono verify-field'}
            rows={rows}
            spellCheck={name === 'message'}
            value={values[name]}
            onChange={event => setValues({ ...values, [name]: event.target.value })}
          />
        </div>
      ))}
      {verdict === 'valid' && (
        <Notice kind="good" title="The signature is valid.">
          {`${shorten(values.address.trim(), 6)} signed exactly this message.`}
        </Notice>
      )}
      {verdict === 'invalid' && (
        <Notice kind="bad" title="The signature is not valid.">
          The message was changed, or another account signed it.
        </Notice>
      )}
      {verdict === 'unreadable' && (
        <Notice kind="warn" title="This cannot be checked yet.">
          A signature is 64 bytes and an address 32, both in base58. Check that they were copied whole.
        </Notice>
      )}
      {verdict === undefined && (
        <p className="soft small">Sign a message above, or paste what somebody sent you. It is checked in this page.</p>
      )}
    </Card>
  )
}
