import type { SignInOffer } from '@keybay/account/ui'
import { useKeybay } from '@keybay/react'
import { type ReactNode, useEffect } from 'react'
import { useOpenConnect } from '../connect/connect-provider.js'
import { AccountButton, Button, Card, Page, SelectField, toast, type UiLocale, useRoot } from '../design/index.js'
import { useOpenSignIn } from '../sign-in/sign-in-provider.js'
import { changeLook, resetLook, useLook } from './look.js'
import { Buttons, ERROR, Feedback, Fields, Lists } from './primitives.js'
import { PROMPTS } from './prompts.js'
import { ShownState } from './shown-state.js'
import { WalletViews } from './wallet-views.js'

const THEMES = ['auto', 'light', 'dark'] as const
const LOCALES: readonly UiLocale[] = ['en', 'es', 'ar', 'pseudo']
const PRIMITIVES = [
  ['buttons', Buttons],
  ['fields', Fields],
  ['feedback', Feedback],
  ['lists', Lists],
] as const
const OFFERS: readonly SignInOffer[] = ['all', 'email', 'phone', 'wallet', 'social']

/** Returns the language's own name for itself. The browser has it, so that no page loads letters of another script. */
function getLanguage(locale: UiLocale): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
}

function LookCard() {
  const { appearance, locale = 'en' } = useLook()
  return (
    <Card title="Look">
      <SelectField
        label="Theme"
        value={appearance?.theme ?? 'auto'}
        options={THEMES.map(value => ({ value, name: value }))}
        change={theme => changeLook({ appearance: { theme } })}
      />
      <SelectField
        label="Language of the kit"
        value={locale}
        options={LOCALES.map(value => ({ value, name: value === 'pseudo' ? 'Pseudo-locale' : getLanguage(value) }))}
        change={next => changeLook({ locale: next })}
      />
    </Card>
  )
}

function Dialogs() {
  const { catalogue } = useKeybay()
  const openSignIn = useOpenSignIn()
  const openConnect = useOpenConnect()
  return (
    <Card title="Dialogs">
      <div className="keybay-line">
        <AccountButton />
        <Button text="Connect dialog" onClick={openConnect} />
        <Button text="Toast" onClick={() => toast('Saved')} />
        <Button text="Toast: error" onClick={() => toast(ERROR, 'bad')} />
      </div>
      <div className="keybay-line">
        {OFFERS.map(offer => (
          <Button key={offer} text={`Sign-in: ${offer}`} onClick={() => openSignIn(offer)} />
        ))}
      </div>
      <div className="keybay-line">
        {PROMPTS.map(({ name, create }) => (
          <Button
            key={name}
            text={`Prompt: ${name}`}
            onClick={() => void catalogue.ask(create()).catch(() => {})} // closed
          />
        ))}
      </div>
    </Card>
  )
}

function Surface({ children }: { readonly children: ReactNode }) {
  return <div {...useRoot('keybay-stack catalogue')}>{children}</div>
}

/** Every state of the UI kit, in the themes and languages that it has. */
export function CataloguePage() {
  useEffect(() => resetLook, [])
  return (
    <Page title="UI kit" width="narrow" lead="Every part of the kit, in its themes and languages.">
      <LookCard />
      <Surface>
        <Dialogs />
        {PRIMITIVES.map(([name, Primitive]) => (
          <div key={name} data-state={name}>
            <Primitive />
          </div>
        ))}
        <WalletViews />
        <ShownState />
      </Surface>
    </Page>
  )
}
