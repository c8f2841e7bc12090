import { account } from '@keybay/account'
import { useSignIn } from '@keybay/account/react'
import { createKeybay } from '@keybay/kernel'
import { passkey } from '@keybay/passkey'
import { useActiveAccount } from '@keybay/react'
import { waas } from '@keybay/waas'

// The home page shows the rest of this file.
export const keybay = createKeybay({
  appName: 'Acme',
  baseApiUrl: 'https://api.acme.example/api/v0',
  plugins: [account(), passkey(), waas()],
})

export function Home() {
  const { account } = useActiveAccount()
  const { run } = useSignIn()
  if (account) return <p>Your wallet: {account.address}</p>
  return (
    <button type="button" onClick={() => run('passkey')}>
      Sign in with a passkey
    </button>
  )
}
