// if account
import { PromptDialog, type PromptViews } from '@keybay/react/ui'
import { CodeView } from './code-view' // if one-time-code
import { ContactView } from './contact-view' // if one-time-code
import { FactorView } from './factor-view'
import { MergeView } from './merge-view'
import { WindowView } from './window-view' // if social

/** Views of the prompts that a sign-in may open. */
const views: PromptViews = {
  contact: ContactView, // if one-time-code
  'one-time-code': CodeView, // if one-time-code
  'social-window': WindowView, // if social
  mfa: FactorView,
  'merge-accounts': MergeView,
}

export function Prompts() {
  return <PromptDialog views={views} />
}
