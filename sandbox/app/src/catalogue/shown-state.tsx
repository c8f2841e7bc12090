/** Shows one state at a time, because each view takes the whole page to itself: a dialog, or landmarks. */
import { KeybayProvider } from '@keybay/react'
import { useState } from 'react'
import { Button, Card } from '../design/index.js'
import { ACCOUNT_STATES } from './account-states.js'
import { WALLET_STATES } from './wallet-states.js'

const STATES = { ...ACCOUNT_STATES, ...WALLET_STATES }

export function ShownState() {
  const [shown, show] = useState<{ readonly name: string; readonly round: number }>()
  const state = shown && STATES[shown.name]
  return (
    <>
      <Card title="One at a time">
        <div className="keybay-line">
          {Object.keys(STATES).map(name => (
            <Button
              key={name}
              small
              text={`Show: ${name}`}
              onClick={() => show(last => ({ name, round: (last?.round ?? 0) + 1 }))}
            />
          ))}
        </div>
      </Card>
      {state && (
        <div key={shown.round} data-state="shown">
          <KeybayProvider keybay={state.keybay}>{state.view(() => show(undefined))}</KeybayProvider>
        </div>
      )}
    </>
  )
}
