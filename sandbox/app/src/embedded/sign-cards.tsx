/** Sign with an embedded account of another chain; first connect its wallet if this page does not use it yet. */
import { accountNotFound, KeybayError } from '@keybay/kernel'
import { useAction, useKeybay } from '@keybay/react'
import type { WaasWallet } from '@keybay/waas'
import { SigningStatus } from '@keybay/waas/ui'
import { useState } from 'react'
import { Card, useChange } from '../design/index.js'
import { checkJson, TextForm } from '../sign/text-form.js'
import { OptionCards } from './parts.js'

const TYPED_DATA = {
  types: { Letter: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Letter',
  domain: { name: 'Keybay sandbox', chainId: 1 },
  message: { contents: 'Hello' },
}
const KINDS = [
  { value: 'message', name: 'A message', says: 'Plain text (EIP-191).' },
  { value: 'typed data', name: 'Typed data', says: 'Fields with names, as apps ask for (EIP-712), in JSON.' },
] as const
type Kind = (typeof KINDS)[number]['value']

function useOwnAccount(address: string) {
  const { connect, connectors } = useKeybay()
  return async (signal: AbortSignal) => {
    const { accounts } = await connect('waas', { signal })
    const account = accounts.find(account => account.address === address)
    const features = connectors.get('waas')?.wallet.features
    if (!account || !features) throw new KeybayError(accountNotFound)
    return { account, features }
  }
}

export function EvmSignCard({ wallet: { accountAddress } }: { readonly wallet: WaasWallet }) {
  const [kind, chooseKind] = useState<Kind>('message')
  const findAccount = useOwnAccount(accountAddress)
  const action = useAction(async (signal, kind: Kind, text: string) => {
    const { account, features } = await findAccount(signal)
    const { signature } =
      kind === 'message'
        ? await features['evm:signMessage'].signMessage({ account, message: new TextEncoder().encode(text) })
        : await features['keybay:signTypedData'].signTypedData({ account, typedData: text })
    return signature
  })
  const signing = useChange(action, undefined)
  const choose = (next: Kind) => {
    chooseKind(next)
    action.reset()
  }
  const isMessage = kind === 'message'
  return (
    <Card title="Sign">
      <OptionCards legend="What to sign" options={KINDS} value={kind} disabled={signing.busy} choose={choose} />
      <TextForm
        key={kind}
        label={isMessage ? 'Message' : 'Typed data, as JSON'}
        initial={isMessage ? 'Hello from the Keybay sandbox' : JSON.stringify(TYPED_DATA, null, 2)}
        check={text => (isMessage ? undefined : checkJson(text))}
        sign={text => signing.run(kind, text)}
        signing={signing}
        action={`Sign ${kind}`}
        kind="primary"
        signedLabel="Signature of the Ethereum account"
        copyLabel="Copy signature"
      />
      <SigningStatus state={action.status} address={accountAddress} />
    </Card>
  )
}

function compact(text: string): string {
  return text.replace(/\s/g, '')
}

/** Looks for the base64 prefix of the PSBT magic bytes, `psbt` and 0xff. */
function checkPsbt(text: string): string | undefined {
  const isPsbt = /^cHNidP[A-Za-z0-9+/]+={0,2}$/.test(compact(text))
  return isPsbt ? undefined : 'This is no PSBT in base64. Copy it whole: it begins with cHNidP.'
}

/** Signs with an embedded Bitcoin account: another program creates the transaction and sends it. */
export function PsbtCard({ wallet: { accountAddress } }: { readonly wallet: WaasWallet }) {
  const findAccount = useOwnAccount(accountAddress)
  /** Takes and returns base64. */
  const action = useAction(async (signal, text: string) => {
    const { account, features } = await findAccount(signal)
    const psbt = Uint8Array.from(atob(text), character => character.charCodeAt(0))
    const { signedPsbt } = await features['bitcoin:signTransaction'].signTransaction({ account, psbt })
    return btoa(String.fromCharCode(...signedPsbt))
  })
  const signing = useChange(action, undefined)
  return (
    <Card title="Sign">
      <TextForm
        label="Transaction (PSBT, base64)"
        initial=""
        check={checkPsbt}
        sign={text => signing.run(compact(text))}
        signing={signing}
        action="Sign transaction"
        kind="primary"
        signedLabel="Signed transaction"
        copyLabel="Copy signed transaction"
      />
      <SigningStatus state={action.status} address={accountAddress} />
    </Card>
  )
}
