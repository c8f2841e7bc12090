import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { useCreateWallet, useWalletProgress } from '@keybay/waas/react'
import { type ReactElement, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Page } from '../shell/page.js'
import { BackupNote } from './backup-note.js'
import { chainNames, chainSays, offeredChains } from './chains.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OffersWallets } from './offers-wallets.js'
import { OperationSteps } from './operation-steps.js'
import { type Option, OptionCards } from './option-cards.js'
import { Promises } from './promises.js'
import { SchemeChoice } from './scheme-choice.js'
import { hasBackup, kinds } from './schemes.js'
import { useAttemptKey } from './use-attempt-key.js'
import { useNewWallet } from './use-new-wallet.js'

const KINDS: readonly Option<keyof typeof kinds>[] = [
  { value: 'exportable', name: kinds.exportable.name, says: <p>{kinds.exportable.sentence}</p> },
  { value: 'assembled', name: kinds.assembled.name, says: <p>{kinds.assembled.sentence}</p> },
]

const CHAINS: readonly Option<keyof typeof chainSays>[] = offeredChains.map(value => ({
  value,
  name: chainNames[value],
  says: <p>{chainSays[value]}</p>,
}))

function CreateCard(): ReactElement {
  const [scheme, chooseScheme] = useState<ThresholdSignatureScheme>('TWO_OF_THREE')
  const [chain, chooseChain] = useState<keyof typeof chainSays>('SOL')
  const [kind, chooseKind] = useState<keyof typeof kinds>('exportable')
  const show = useNewWallet()
  const attempt = useAttemptKey()
  const action = useCreateWallet()
  const progress = useWalletProgress()
  const create = useChange(action, 'Your wallet is made', made => {
    attempt.forget()
    show(made)
  })
  const start = () =>
    create.run({
      chain,
      scheme,
      exportable: chain !== 'SOL' || kind === 'exportable',
      idempotencyKey: attempt.keyFor(`${chain} ${scheme} ${kind}`),
      ...(hasBackup(scheme) && { backup: { provider: 'external' } }),
    })
  return (
    <section className="card" aria-labelledby="create">
      <h2 id="create">Your wallet</h2>
      <OptionCards
        legend="Chain"
        options={CHAINS}
        value={chain}
        disabled={create.busy}
        choose={next => chooseChain(next)}
      />
      <SchemeChoice value={scheme} disabled={create.busy} choose={chooseScheme} />
      {chain === 'SOL' && (
        <OptionCards
          legend="Whether the key is ever whole"
          options={KINDS}
          value={kind}
          disabled={create.busy}
          choose={next => chooseKind(next)}
        />
      )}
      <BackupNote scheme={scheme} />
      <div className="row">
        <button type="button" className="button button-primary" aria-disabled={create.busy} onClick={start}>
          {create.busy ? 'Making it …' : 'Create wallet'}
        </button>
      </div>
      <OperationSteps progress={progress} state={action.status} />
      <Problem title="The wallet was not made." error={create.error} />
    </section>
  )
}

export function NewWalletPage(): ReactElement {
  return (
    <Page
      title="Create a wallet"
      width="narrow"
      lead="Its key is divided as it is made. How it signs depends on the chain."
    >
      <NeedsSignIn>
        <OffersWallets>
          <Promises />
          <CreateCard />
        </OffersWallets>
      </NeedsSignIn>
    </Page>
  )
}
