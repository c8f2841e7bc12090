import type { WaasWallet } from '@keybay/waas'
import { type ReactElement, useId, useState } from 'react'
import { useChange } from '../account/use-change.js'
import { TextForm } from '../sign/text-form.js'
import { useSignPsbt } from './use-sign-own.js'

/** Base64 prefix of the PSBT magic bytes, `psbt` and 0xff. */
function isPsbt(text: string): boolean {
  return /^cHNidP[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/** Removes the line breaks that other programs add. */
function compact(text: string): string {
  return text.replace(/\s/g, '')
}

/** Signs with an embedded Bitcoin account: another program creates the transaction and sends it. */
export function PsbtCard({ wallet: { accountAddress } }: { readonly wallet: WaasWallet }): ReactElement {
  const [text, setText] = useState('')
  const id = useId()
  const action = useSignPsbt(accountAddress)
  const sign = useChange(action, undefined)
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>Sign</h2>
      <TextForm
        label="Transaction (PSBT, base64)"
        text={text}
        change={setText}
        check={text =>
          isPsbt(compact(text)) ? undefined : 'This is no PSBT in base64. Copy it whole: it begins with cHNidP.'
        }
        sign={text => sign.run(compact(text))}
        action="Sign transaction"
        busy={sign.busy}
        error={sign.error}
        signed={action.data}
        signedLabel="Signed transaction"
        copyLabel="Copy signed transaction"
      />
    </section>
  )
}
