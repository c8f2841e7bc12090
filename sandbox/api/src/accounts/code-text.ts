/**
 * Builds the message with a one-time code. It says what the code does, so the user knows what sharing it would allow.
 */

export type CodeEffect = 'sign-in' | 'link' | 'merge'

export interface CodeText {
  readonly subject: string
  readonly text: string
}

interface CodeFacts {
  readonly effect: CodeEffect
  readonly channel: 'email' | 'phone'
  readonly name: string
  readonly code: string
}

export function codeText({ effect, channel, name, code }: CodeFacts): CodeText {
  const address = channel === 'email' ? 'email address' : 'phone number'
  const valid = 'It is valid for 10 minutes.'
  switch (effect) {
    case 'sign-in':
      return {
        subject: `Your code for ${name}`,
        text: `${code} is your code to sign in to ${name}. ${valid} If you did not ask for it, ignore this message.`,
      }
    case 'link':
      return {
        subject: `Confirm your ${address} for ${name}`,
        text: `${code} is your code to add this ${address} to an account at ${name}. ${valid} If you did not ask for it, ignore this message.`,
      }
    case 'merge':
      return {
        subject: `Merge your accounts at ${name}`,
        text: `${code} is your code to merge accounts at ${name}. This ${address} already belongs to an account. Confirming merges that account into another one: it is deleted, and its ways to sign in move. ${valid} If you did not ask to merge accounts, ignore this message and don’t share the code.`,
      }
  }
}
