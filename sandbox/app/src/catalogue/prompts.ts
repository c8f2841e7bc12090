/** Prompts of each type that the kit has a view for, in each state, with answers that do nothing. */
import { KeybayError, type PromptInput, requestFailed } from '@keybay/kernel'
import { invalidEmail, wrongSmsVerificationToken } from '@keybay/kernel/spec'

const CODE_MS = 600_000

function never() {
  return new Promise<never>(() => {})
}

async function refuse(): Promise<never> {
  throw new KeybayError(wrongSmsVerificationToken)
}

async function fail(): Promise<never> {
  throw new KeybayError(requestFailed)
}

function createSecondStep(devices: Extract<PromptInput, { type: 'mfa' }>['devices'], challenge: () => Promise<number>) {
  return { type: 'mfa', action: 'wallet.waas.sign', devices, challenge, submit: never } as const
}

async function getExpiry(): Promise<number> {
  return Date.now() + CODE_MS
}

export const PROMPTS: readonly { readonly name: string; create(): PromptInput }[] = [
  {
    name: 'Code by email',
    create: () => ({
      type: 'one-time-code',
      method: 'email',
      sentTo: 'mara@example.com',
      digits: 6,
      expiresAt: Date.now() + CODE_MS,
      submit: never,
      resend: never,
    }),
  },
  {
    name: 'Wrong code',
    create: () => ({
      type: 'one-time-code',
      method: 'phoneNumber',
      sentTo: '+41 79 123 45 67',
      digits: 6,
      expiresAt: Date.now() + CODE_MS,
      submit: refuse,
      resend: fail,
    }),
  },
  {
    name: 'Second step',
    create: () =>
      createSecondStep(
        [
          { id: '1', method: 'totp', name: 'Authenticator app' },
          { id: '2', method: 'email', name: 'Code by email' },
          { id: '3', method: 'passkey', name: 'Mara’s laptop' },
        ],
        getExpiry,
      ),
  },
  {
    name: 'Second step by passkey',
    create: () => createSecondStep([{ id: '3', method: 'passkey', name: 'Mara’s laptop' }], getExpiry),
  },
  { name: 'Second step by recovery code', create: () => createSecondStep([], getExpiry) },
  {
    name: 'Second step not available',
    create: () => createSecondStep([{ id: '2', method: 'email', name: 'Code by email' }], fail),
  },
  { name: 'Merge', create: () => ({ type: 'merge-accounts', expiresAt: Date.now() + CODE_MS }) },
  { name: 'Contact', create: () => ({ type: 'contact', method: 'phoneNumber' }) },
  {
    name: 'Contact with an error',
    create: () => ({ type: 'contact', method: 'email', error: new KeybayError(invalidEmail) }),
  },
  {
    name: 'Provider’s window',
    create: () => ({ type: 'social-window', provider: 'google', name: 'Google', focus() {} }),
  },
  {
    name: 'Provider’s question',
    create: () => ({
      type: 'social-question',
      provider: 'shopify',
      name: 'Shopify',
      label: 'Domain of your shop',
      example: 'acme.myshopify.com',
      submit: () => undefined,
    }),
  },
  { name: 'Unknown', create: () => ({ type: 'catalogue-unknown' }) },
  {
    name: 'Link',
    create: () => ({
      type: 'choice',
      question: { id: 'link', name: 'mara@example.com' },
      title: '',
      options: [
        { id: 'add', label: '' },
        { id: 'cancel', label: '' },
      ],
    }),
  },
  {
    name: 'Choice',
    create: () => ({
      type: 'choice',
      title: 'Which account?',
      text: 'Both are yours.',
      options: [
        { id: '1', label: 'mara@example.com' },
        { id: '2', label: 'mara@work.example' },
      ],
    }),
  },
]
