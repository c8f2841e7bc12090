/** Words the questions of the prompt `choice` in the language of the UI. */
import type { Prompt } from '@keybay/kernel'
import { choiceMessages } from './locales/en/choices.js'
import { useMessages } from './messages.js'

type Texts = ReturnType<typeof useMessages<typeof choiceMessages.texts>>['text']

export interface ChoiceText {
  readonly title: string
  readonly text?: string | undefined
  readonly options: readonly { readonly id: string; readonly label: string }[]
}
interface Words {
  readonly title: string
  readonly text?: string | undefined
  /** Labels by id of the option. */
  readonly labels?: Readonly<Record<string, string>>
}

function getWords({ question, text }: Prompt<'choice'>, t: Texts): Words | undefined {
  const name = question?.name
  switch (question?.id) {
    case 'link':
      return {
        title: name === undefined ? t('link') : t('linkName', { name }),
        text: t('linkText'),
        labels: { add: t('add'), cancel: t('cancel') },
      }
    case 'recent':
      // A later text says why the last sign-in failed.
      return { title: t('recent'), text: text === choiceMessages.texts.recentText ? t('recentText') : text }
    case 'returned':
      return {
        title: t('returned', { name: name ?? '' }),
        text: t('returnedText', { name: name ?? '' }),
        labels: { open: t('openName', { name: name ?? '' }) },
      }
    case 'mobile':
      return { title: t('mobile'), labels: { open: t('openWallet') } }
    default:
      return undefined
  }
}

/**
 * Returns the texts of a question in the language of the UI; those of the prompt, if the kit does not know the question.
 *
 * @example const { title, text, options } = useChoiceText(prompt)
 */
export function useChoiceText(prompt: Prompt<'choice'>): ChoiceText {
  const { title, text, options } = prompt
  const { text: t } = useMessages(choiceMessages)
  const words = getWords(prompt, t)
  return {
    title: words?.title ?? title,
    text: words?.text ?? text,
    options: options.map(({ id, label }) => ({ id, label: words?.labels?.[id] ?? label })),
  }
}
