/** Fields of a second factor: its choice, its code or passkey, a new email code, and a passkey for next time. */
import { KeybayError, tooManyVerificationAttempts } from '@keybay/kernel/spec'
import { checkbox, element, field } from '../screen/dom.js'
import type { FactorFields } from '../screen/questions.js'
import type { Entered, FactorChallenge, FactorDevice, FactorQuestion } from './client.js'
import { askPasskey, passkeysSupported } from './passkey.js'
import { makePasskey } from './set-up.js'

/** Choices other than a device. Device IDs never look like these. */
const RECOVERY = ''
const PASSKEY = ':passkey'
const PAGE = ':page'
const HINTS: { readonly [way: string]: string } = {
  totp: 'The six digits that your authenticator app shows.',
  email: 'The six digits that were sent to your email address.',
  [RECOVERY]: 'One of the codes that you kept. It serves once.',
  [PASSKEY]: 'Your device asks you to touch it, or for its lock, once you agree.',
  [PAGE]: 'For a device that has no passkey for the wallet: the page asks for its own.',
}
const NOT_MADE = 'The passkey for next time was not made. Go on without it.'

/** Keeps one challenge for each choice. Drops a failed one, so that the next attempt gets a new challenge. */
function createChallenges(challenge: FactorQuestion['challenge']) {
  const challenges = new Map<string, Promise<FactorChallenge>>()
  return {
    has: (way: string) => challenges.has(way),
    get: (way: string) => challenges.get(way),
    begin(way: string): Promise<FactorChallenge> {
      const device = way === RECOVERY ? undefined : { deviceId: way }
      const begun = challenge(way === PASSKEY ? { passkey: true } : device)
      challenges.set(way, begun)
      begun.catch(() => {
        if (challenges.get(way) === begun) challenges.delete(way)
      })
      return begun
    },
    delete: (way: string) => void challenges.delete(way),
  }
}

/** Creates the elements: the choice, the input, a note, the resend button, and the offer of a passkey for next time. */
function createElements({ devices, passkey }: FactorQuestion) {
  const option = (value: string, label: string) => element('option', { value }, label)
  const select = element(
    'select',
    { id: 'factor' },
    passkey && passkeysSupported() ? option(PASSKEY, 'Use your passkey') : undefined,
    ...devices.map(({ id, name }) => option(id, name)),
    option(RECOVERY, 'A recovery code'),
    devices.length === 0 ? option(PAGE, 'The page’s passkey') : undefined,
  )
  const choice = element('p', { class: 'field' }, element('label', { for: 'factor' }, 'Confirm with'), select)
  const attributes = { autocomplete: 'one-time-code', spellcheck: 'false', maxlength: '32', required: true }
  const { row, input } = field('Code', attributes)
  const note = element('p', { class: 'note', role: 'status' })
  const resend = element('button', { type: 'button', class: 'quiet' }, 'Send another code')
  const again = element('p', {}, resend)
  const { row: offer, input: nextTime } = checkbox('next-time', 'Next time with a passkey')
  return { select, row, input, note, resend, again, offer, nextTime, rows: [choice, row, note, again, offer] }
}

/** Creates the fields. An email challenge starts with its code, a passkey's when chosen, others when submitted. */
export function factorFields(question: FactorQuestion): FactorFields {
  const { devices, passkey, challenge, answer } = question
  const { select, row, input, note, resend, again, offer, nextTime, rows } = createElements(question)
  const challenges = createChallenges(challenge)
  /** Returns the key of the hint: a device's method, or the choice itself. */
  const getKind = (way: string): FactorDevice['method'] | string => devices.find(({ id }) => id === way)?.method ?? way
  const say = (text: string) => {
    note.textContent = text
  }
  const send = () => {
    const way = select.value
    say('Sending a code')
    const tell = (text: string) => {
      if (select.value === way) say(text)
    }
    challenges.begin(way).then(
      () => tell(HINTS.email ?? ''),
      (error: Error) => tell(error.message),
    )
  }
  const choose = () => {
    const way = select.value
    const kind = getKind(way)
    const isTyped = way !== PASSKEY && way !== PAGE
    input.value = ''
    input.setAttribute('inputmode', way === RECOVERY ? 'text' : 'numeric')
    row.hidden = !isTyped
    offer.hidden = !isTyped || passkey || !passkeysSupported()
    again.hidden = kind !== 'email'
    if (kind === 'email' && !challenges.has(way)) send()
    else say(HINTS[kind] ?? '')
    // Start the challenge now, so that the later click opens the passkey dialog immediately.
    if (way === PASSKEY && !challenges.has(way)) challenges.begin(way).catch(() => {})
  }
  select.addEventListener('change', choose)
  resend.addEventListener('click', send)
  choose()

  const entered = async (way: string, { options }: FactorChallenge, typed: string): Promise<Entered> => {
    if (way === PASSKEY) return { passkey: await askPasskey(options ?? {}) }
    return way === RECOVERY ? { recoveryCode: typed } : { code: typed }
  }
  /** MFA token of a correct code, kept if the passkey for next time could not be created. */
  let proved: string | undefined
  const prove = async (way: string): Promise<string> => {
    const typed = input.value.trim()
    if (way !== PASSKEY && typed === '') throw new Error('Enter the code.')
    const begun = await (challenges.get(way) ?? challenges.begin(way))
    try {
      const proof = await entered(way, begun, typed)
      input.value = ''
      const { mfaToken, enrolment } = await answer(begun.challengeId, proof)
      if (enrolment === undefined || offer.hidden || !nextTime.checked) return mfaToken
      proved = mfaToken
      nextTime.checked = false
      await makePasskey(question, enrolment).catch((error: Error) => {
        throw new Error(`${NOT_MADE} ${error.message}`)
      })
      return mfaToken
    } catch (error) {
      // No attempts are left, or it was a passkey challenge, which works once. The next attempt gets a new one.
      const isOver = error instanceof KeybayError && error.code === tooManyVerificationAttempts.code
      if (isOver || way === PASSKEY) challenges.delete(way)
      throw error
    }
  }
  return {
    rows,
    async read() {
      if (proved !== undefined) return proved
      return select.value === PAGE ? undefined : prove(select.value)
    },
  }
}
