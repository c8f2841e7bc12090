import { useActiveAccount, useSignMessage } from '@keybay/react'

/** Signs a message with the active account. */
export function Message() {
  const { account } = useActiveAccount()
  const sign = useSignMessage()
  return (
    <section>
      <h2>Sign a message</h2>
      <button
        type="button"
        disabled={!account || sign.status === 'pending'}
        onClick={() => sign.run({ message: 'Hello from acme-app' })}
      >
        Sign “Hello from acme-app”
      </button>
      <p role="status">
        {sign.status === 'success' && 'Signed.'}
        {!account && 'Connect a wallet first.'}
      </p>
      <p role="alert">{sign.error?.message}</p>
    </section>
  )
}
