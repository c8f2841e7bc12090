// if passkey
import { useConnect } from '@keybay/react'

/** Creates a passkey and links it to the signed-in user. */
export function AddPasskey() {
  const passkey = useConnect('passkey')
  return (
    <>
      <button type="button" disabled={passkey.status === 'pending'} onClick={() => passkey.run('passkey')}>
        Add a passkey
      </button>
      <p role="alert">{passkey.error?.message}</p>
    </>
  )
}
