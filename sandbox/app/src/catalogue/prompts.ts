/** One prompt of each type that the kit has a view for, with answers that do nothing. */
import type { PromptInput } from '@keybay/kernel'

const CODE_MS = 600_000

function never() {
  return new Promise<never>(() => {})
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
    name: 'Second step',
    create: () => ({
      type: 'mfa',
      action: 'wallet.waas.sign',
      devices: [
        { id: '1', method: 'totp', name: 'Authenticator app' },
        { id: '2', method: 'email', name: 'Code by email' },
        { id: '3', method: 'passkey', name: 'Mara’s laptop' },
      ],
      challenge: async () => Date.now() + CODE_MS,
      submit: never,
    }),
  },
  { name: 'Merge', create: () => ({ type: 'merge-accounts', expiresAt: Date.now() + CODE_MS }) },
  { name: 'Contact', create: () => ({ type: 'contact', method: 'phoneNumber' }) },
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
