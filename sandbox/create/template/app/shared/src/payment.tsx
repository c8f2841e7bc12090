// if solana
import { useAction, useActiveAccount, useKeybay } from '@keybay/react'
import { formatSol, parseSol } from '@keybay/solana'
import { useBalance, useNetwork, useSendTransaction } from '@keybay/solana/react'

/** Shows the balance of the active account, and pays from it. */
export function Payment() {
  const { account } = useActiveAccount('solana')
  const { balance } = useBalance()
  const { network } = useNetwork()
  return (
    <section>
      <h2>Pay</h2>
      {account ? (
        <>
          <p>Balance: {balance === undefined ? '…' : `${formatSol(balance)} SOL`}</p>
          {network?.isTestnet && <Airdrop address={account.address} />}
          <Transfer />
        </>
      ) : (
        <p>Connect a wallet first.</p>
      )}
    </section>
  )
}

/** Gets SOL for tests. */
function Airdrop({ address }: { readonly address: string }) {
  const { solana } = useKeybay()
  const airdrop = useAction(() => solana.requestAirdrop(address, parseSol('1')))
  return (
    <>
      <button type="button" disabled={airdrop.status === 'pending'} onClick={() => airdrop.run()}>
        Get 1 SOL for tests
      </button>
      <p role="alert">{airdrop.error?.message}</p>
    </>
  )
}

function Transfer() {
  const { run, status, steps, error } = useSendTransaction()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        run({ to: String(form.get('to')).trim(), lamports: parseSol(String(form.get('amount'))) })
      }}
    >
      <label>
        To <input name="to" placeholder="Address" autoComplete="off" required />
      </label>
      <label>
        SOL <input name="amount" inputMode="decimal" pattern="[0-9]{1,9}(\.[0-9]{1,9})?" defaultValue="0.1" required />
      </label>
      <button type="submit" disabled={status === 'pending'}>
        Send
      </button>
      <p role="status">{steps.map(({ step }) => step).join(' → ')}</p>
      <p role="alert">{error?.message}</p>
    </form>
  )
}
