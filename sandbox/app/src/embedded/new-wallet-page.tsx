import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { useCreateWallet, useWalletProgress } from '@keybay/waas/react'
import { type ReactElement, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { Page } from '../shell/page.js'
import { BackupNote } from './backup-note.js'
import { NeedsSignIn } from './needs-sign-in.js'
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

function CreateCard(): ReactElement {
  const [scheme, chooseScheme] = useState<ThresholdSignatureScheme>('TWO_OF_THREE')
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
      scheme,
      exportable: kind === 'exportable',
      idempotencyKey: attempt.keyFor(`${scheme} ${kind}`),
      ...(hasBackup(scheme) && { backup: { provider: 'external' } }),
    })
  return (
    <section className="card" aria-labelledby="create">
      <h2 id="create">Your wallet</h2>
      <SchemeChoice value={scheme} disabled={create.busy} choose={chooseScheme} />
      <OptionCards
        legend="Whether the key is ever whole"
        options={KINDS}
        value={kind}
        disabled={create.busy}
        choose={next => chooseKind(next)}
      />
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
      lead="Its key is divided as it is made, and signs without ever being put together."
    >
      <NeedsSignIn>
        <Promises />
        <CreateCard />
      </NeedsSignIn>
    </Page>
  )
}
