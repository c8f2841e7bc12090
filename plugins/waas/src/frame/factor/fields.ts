/** The fields of a second factor: which one, the code, and another code by email. */
import { KeybayError } from '@keybay/kernel'
import { tooManyVerificationAttempts } from '@keybay/kernel/spec'
import { type Child, element, field } from '../screen/dom.js'
import type { FactorDevice, FactorQuestion } from './client.js'

export interface FactorFields {
  readonly rows: readonly Child[]
  /** Answers with what was entered. @throws Error that says what is wrong: the question stays */
  read(): Promise<string>
}
const RECOVERY = ''
const HINTS: { readonly [M in FactorDevice['method']]?: string } = {
  totp: 'The six digits that your authenticator app shows.',
  email: 'The six digits that were sent to your email address.',
}

export const factorFields = ({ devices, challenge, answer }: FactorQuestion): FactorFields => {
  const select = element(
    'select',
    { id: 'factor' },
    ...devices.map(({ id, name }) => element('option', { value: id }, name)),
    element('option', { value: RECOVERY }, 'A recovery code'),
  )
  const attributes = { autocomplete: 'one-time-code', spellcheck: 'false', maxlength: '32', required: true }
  const { row, input } = field('Code', attributes)
  const note = element('p', { class: 'note', role: 'status' })
  const resend = element('button', { type: 'button', class: 'quiet' }, 'Send another code')
  const again = element('p', {}, resend)

  /** Way → its challenge. An email's is begun with its code, the others' when they are answered. */
  const challenges = new Map<string, Promise<string>>()
  const begin = (way: string): Promise<string> => {
    const begun = challenge(way === RECOVERY ? undefined : way)
    challenges.set(way, begun)
    begun.catch(() => {
      if (challenges.get(way) === begun) challenges.delete(way)
    })
    return begun
  }
  const chosen = () => devices.find(({ id }) => id === select.value)
  const say = (text: string) => {
    note.textContent = text
  }
  const send = () => {
    const way = select.value
    say('Sending a code')
    const tell = (text: string) => {
      if (select.value === way) say(text)
    }
    begin(way).then(
      () => tell(HINTS.email ?? ''),
      (error: Error) => tell(error.message),
    )
  }
  const choose = () => {
    const method = chosen()?.method
    input.value = ''
    input.setAttribute('inputmode', method ? 'numeric' : 'text')
    again.hidden = method !== 'email'
    if (method === 'email' && !challenges.has(select.value)) send()
    else say(method ? (HINTS[method] ?? '') : 'One of the codes that you kept. It serves once.')
  }
  select.addEventListener('change', choose)
  resend.addEventListener('click', send)
  choose()
  return {
    rows: [
      element('p', { class: 'field' }, element('label', { for: 'factor' }, 'Confirm with'), select),
      row,
      note,
      again,
    ],
    async read() {
      const way = select.value
      const entered = input.value.trim()
      if (entered === '') throw new Error('Enter the code.')
      const challengeId = await (challenges.get(way) ?? begin(way))
      input.value = ''
      try {
        return await answer(challengeId, way === RECOVERY ? { recoveryCode: entered } : { code: entered })
      } catch (error) {
        // No more tries: the next one begins anew, and the person's own limit still counts.
        if (error instanceof KeybayError && error.code === tooManyVerificationAttempts.code) challenges.delete(way)
        throw error
      }
    },
  }
}
