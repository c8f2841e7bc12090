import { shorten } from '@keybay/kernel/spec'
import bs58 from 'bs58'
import { useState } from 'react'
import nacl from 'tweetnacl'
import { Card, Notice, TextAreaField } from '../design/index.js'
import type { Signed } from './sign-page.js'

const fields = [
  { name: 'message', label: 'Message', rows: 3 },
  { name: 'signature', label: 'Signature, base58', rows: 2 },
  { name: 'address', label: 'Address', rows: 1 },
] as const

/** Verifies the fields on every change, so that the effect of one changed letter is visible. */
export function VerifyCard({ signed }: { readonly signed: Signed | undefined }) {
  const [values, setValues] = useState(signed ?? { message: '', signature: '', address: '' })
  const { message, signature, address } = values
  const verdict = signature && address ? verifyMessage(message, signature, address) : undefined
  return (
    <Card title="Verify">
      {fields.map(({ name, label, rows }) => (
        <TextAreaField
          key={name}
          label={label}
          className={name === 'message' ? 'keybay-input verify-field' : 'keybay-input keybay-input-mono verify-field'}
          rows={rows}
          spellCheck={name === 'message'}
          value={values[name]}
          change={text => setValues({ ...values, [name]: text })}
        />
      ))}
      {verdict === 'valid' && (
        <Notice kind="good" title="The signature is valid.">
          {`${shorten(address.trim())} signed exactly this message.`}
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
        <p className="soft small">Sign a message above, or paste a message that you received. This page checks it.</p>
      )}
    </Card>
  )
}

/** @param signature base58 @param address base58 of the public key */
export function verifyMessage(message: string, signature: string, address: string) {
  const signed = bs58.decodeUnsafe(signature.trim())
  const publicKey = bs58.decodeUnsafe(address.trim())
  if (signed?.length !== 64 || publicKey?.length !== 32) return 'unreadable'
  return nacl.sign.detached.verify(new TextEncoder().encode(message), signed, publicKey) ? 'valid' : 'invalid'
}
