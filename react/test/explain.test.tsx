// @vitest-environment happy-dom
import { KeybayError, type Prompt } from '@keybay/kernel'
import { insufficientFunds, oauthError } from '@keybay/kernel/spec'
import { describe, expect, it } from 'vitest'
import { getUntranslated } from '../src/testing/index.js'
import {
  type ChoiceText,
  loadMessages,
  Problem,
  ToastRegion,
  toast,
  UiProvider,
  type UiProviderProps,
  useChoiceText,
  useExplain,
} from '../src/ui/index.js'
import { freshPages, host, render, settle, Use } from './helpers.js'

freshPages()

async function explain(error: unknown, props: UiProviderProps = {}): Promise<string> {
  let text = ''
  const hook = () => {
    text = useExplain()(error)
  }
  await render(
    host().keybay,
    <UiProvider {...props}>
      <Use hook={hook} />
    </UiProvider>,
  )
  return text
}

describe('the words for an error', () => {
  it('say that the user cancelled at the provider, without the provider’s code', async () => {
    const message = 'Failed to connect discord social account: access_denied'
    const error = new KeybayError({ ...oauthError, message, walletCode: 3 })
    expect(await explain(error)).toBe('You cancelled at the provider. Try again, or choose another way.')
  })
  it('are the message and advice in English, and one text in another language', async () => {
    const error = new KeybayError(insufficientFunds)
    expect(await explain(error)).toBe(`${error.message} Send less, or get more first.`)
    await loadMessages('es', 'wallet-errors')
    expect(await explain(error, { locale: 'es' })).toBe('No hay suficiente saldo. Envía menos o consigue más antes.')
  })
  it('say why the browser stores nothing for the wallet, and what to do', async () => {
    const message = 'This browser doesn’t allow the wallet to store data. Allow it, or use another browser'
    expect(await explain(new KeybayError({ code: 'frame_storage_unavailable', message }))).toMatch(
      /private window.*third-party cookies.*settings/,
    )
  })
  it('say when to try again', async () => {
    const error = (retryAfter: number) => new KeybayError(insufficientFunds, { details: { retryAfter } })
    expect(await explain(error(30))).toContain('You can try again in 30 seconds.')
    expect(await explain(error(200))).toContain('You can try again in 4 minutes.')
  })
  it('are the message for a code without advice, and the host’s where the host gives them', async () => {
    expect(await explain(new KeybayError({ code: 'acme_odd', message: 'It is odd' }))).toBe('It is odd.')
    expect(await explain(new Error('It is odd'))).toBe('It is odd')
    expect(await explain(new KeybayError(insufficientFunds), { explainError: () => 'Ask Acme.' })).toBe('Ask Acme.')
  })
  it('are general in another language where the code has no text, with the code and the message behind them', async () => {
    await loadMessages('es', 'errors')
    const general = 'Algo salió mal. Inténtalo de nuevo. Si se repite, envía esto al soporte de la app:'
    expect(await explain(new KeybayError({ code: 'acme_odd', message: 'It is odd' }), { locale: 'es' })).toBe(
      `${general} acme_odd: It is odd`,
    )
    expect(await explain(new Error('It is odd'), { locale: 'es' })).toMatch(new RegExp(`^${general} \\w+: It is odd$`))
  })
  it('are those of another language for a code whose message is enough in English', async () => {
    await loadMessages('es', 'codes')
    const error = new KeybayError({ code: 'username_already_exists', message: 'This user name is already in use.' })
    expect(await explain(error)).toBe('This user name is already in use.')
    expect(await explain(error, { locale: 'es' })).toBe('Este nombre de usuario ya está en uso.')
  })
  it('are translated in notices and toasts', async () => {
    await Promise.all(['ui', 'errors', 'wallet-errors'].map(name => loadMessages('pseudo', name)))
    const error = new KeybayError(insufficientFunds)
    await render(
      host().keybay,
      <UiProvider locale="pseudo">
        <Problem title="⟦⟧" error={error} />
        <ToastRegion />
      </UiProvider>,
    )
    await settle(() => toast(error, 'bad'))
    expect(document.querySelectorAll('.keybay-toast')).toHaveLength(1)
    expect(getUntranslated(document.body, [])).toEqual([])
  })
})

describe('the texts of a question', () => {
  async function read(question: Prompt<'choice'>['question']): Promise<ChoiceText | undefined> {
    const prompt: Prompt<'choice'> = {
      type: 'choice',
      title: 'Title',
      text: 'Text',
      options: [{ id: 'open', label: 'Label' }],
      ...(question && { question }),
      promptId: '1',
      connectorId: undefined,
      answer() {},
      cancel() {},
    }
    let texts: ChoiceText | undefined
    const hook = () => {
      texts = useChoiceText(prompt)
    }
    await render(
      host().keybay,
      <UiProvider locale="es">
        <Use hook={hook} />
      </UiProvider>,
    )
    return texts
  }
  it('are in the language of the UI for a question that the kit knows, and the prompt’s for another one', async () => {
    await loadMessages('es', 'choices')
    const options = (label: string) => [{ id: 'open', label }]
    expect(await read(undefined)).toEqual({ title: 'Title', text: 'Text', options: options('Label') })
    expect(await read({ id: 'acme' })).toEqual({ title: 'Title', text: 'Text', options: options('Label') })
    expect(await read({ id: 'mobile' })).toEqual({
      title: 'Conecta tu app de billetera',
      text: 'Text',
      options: options('Abrir billetera'),
    })
    expect((await read({ id: 'returned', name: 'Phantom' }))?.title).toBe('Un paso más en Phantom')
    expect((await read({ id: 'link', name: 'ann@people.example' }))?.title).toContain('ann@people.example')
    expect(await read({ id: 'recent' })).toMatchObject({ text: 'Text', options: options('Label') })
  })
})
