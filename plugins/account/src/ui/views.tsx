/** Views of prompts; each loads when it is first shown. */
import type { Prompt } from '@keybay/kernel'
import { type Loadable, lazyView, type PromptViewProps } from '@keybay/react/ui'
import type { ReactElement } from 'react'

const CodeView = lazyView<PromptViewProps<'one-time-code'>>(async () => (await import('./code-view.js')).CodeView)
const MfaView = lazyView<PromptViewProps<'mfa'>>(async () => (await import('./mfa-view.js')).MfaView)
const MergeView = lazyView<PromptViewProps<'merge-accounts'>>(async () => (await import('./prompt-views.js')).MergeView)
const ContactView = lazyView<PromptViewProps<'contact'>>(async () => (await import('./prompt-views.js')).ContactView)
const WindowView = lazyView<PromptViewProps<'social-window'>>(
  async () => (await import('./prompt-views.js')).WindowView,
)
const QuestionView = lazyView<PromptViewProps<'social-question'>>(
  async () => (await import('./prompt-views.js')).QuestionView,
)
const ChoiceView = lazyView<PromptViewProps<'choice'>>(async () => (await import('./prompt-views.js')).ChoiceView)

/** Types of prompts that the dialog shows. */
export const PROMPT_TYPES = [
  'one-time-code',
  'mfa',
  'merge-accounts',
  'contact',
  'social-window',
  'social-question',
  'choice',
] as const

const VIEWS: { readonly [T in (typeof PROMPT_TYPES)[number]]: Loadable } = {
  'one-time-code': CodeView,
  mfa: MfaView,
  'merge-accounts': MergeView,
  contact: ContactView,
  'social-window': WindowView,
  'social-question': QuestionView,
  choice: ChoiceView,
}

export function isShown(prompt: Prompt): boolean {
  return Object.hasOwn(VIEWS, prompt.type)
}

export function getView(prompt: Prompt | undefined): Loadable | undefined {
  return prompt && isShown(prompt) ? VIEWS[prompt.type] : undefined
}

export function renderPrompt(prompt: Prompt, titleId: string): ReactElement | undefined {
  const key = prompt.promptId
  switch (prompt.type) {
    case 'one-time-code':
      return <CodeView key={key} prompt={prompt} titleId={titleId} />
    case 'mfa':
      return <MfaView key={key} prompt={prompt} titleId={titleId} />
    case 'merge-accounts':
      return <MergeView key={key} prompt={prompt} titleId={titleId} />
    case 'contact':
      return <ContactView key={key} prompt={prompt} titleId={titleId} />
    case 'social-window':
      return <WindowView key={key} prompt={prompt} titleId={titleId} />
    case 'social-question':
      return <QuestionView key={key} prompt={prompt} titleId={titleId} />
    case 'choice':
      return <ChoiceView key={key} prompt={prompt} titleId={titleId} />
    default:
      return undefined
  }
}
