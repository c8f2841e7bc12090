'use client'

/** Accessible UI over the hooks; every part needs `@keybay/react/ui.css`. Start with `ConnectDialog`. */
export { AccountButton } from './account-button.js'
export {
  Button,
  type ButtonLook,
  type ButtonProps,
  buttonClass,
  ConfirmButton,
  type ConfirmButtonProps,
  CopyButton,
  type CopyButtonProps,
  IconButton,
  type IconButtonProps,
} from './button.js'
export { Card, type CardProps, Fact, type FactProps, Item, type ItemProps } from './card.js'
export { type ChoiceText, useChoiceText } from './choice.js'
export { ConnectDialog, type ConnectDialogProps } from './connect-dialog.js'
export { type Dates, useDates } from './dates.js'
export { DialogHead, type DialogHeadProps } from './dialog-head.js'
export { useExplain } from './explain.js'
export {
  Empty,
  type EmptyProps,
  Failure,
  type FailureProps,
  Loading,
  type LoadingProps,
  Notice,
  type NoticeProps,
  Problem,
  type ProblemProps,
  Skeleton,
} from './feedback.js'
export {
  type FieldProps,
  SelectField,
  type SelectFieldProps,
  TextAreaField,
  type TextAreaFieldProps,
  TextField,
  type TextFieldProps,
  useFocus,
} from './field.js'
export { Glyph, type GlyphName, type GlyphProps } from './glyph.js'
export { type Change, useChange, useLostFocus } from './hooks.js'
export { Icon, type IconProps } from './icon.js'
export { type LazyView, type Loadable, lazyView, useIsSettled } from './lazy-view.js'
export { EditText, type EditTextProps, LineForm, type LineFormProps } from './line-form.js'
export { activityMessages } from './locales/en/activity.js'
export { backupMessages } from './locales/en/backup.js'
export { choiceMessages } from './locales/en/choices.js'
export { errorMessages } from './locales/en/errors.js'
export { networkMessages } from './locales/en/network.js'
export { profileMessages } from './locales/en/profile.js'
export { promptMessages } from './locales/en/prompts.js'
export { protectionMessages } from './locales/en/protection.js'
export { securityMessages } from './locales/en/security.js'
export { sendMessages } from './locales/en/send.js'
export { signInMessages } from './locales/en/sign-in.js'
export { signingMessages } from './locales/en/signing.js'
export { walletMessages } from './locales/en/wallet.js'
export { walletErrorMessages } from './locales/en/wallet-errors.js'
export {
  loadMessages,
  type MessageSection,
  type Messages,
  type Translation,
  type UiLocale,
  useMessages,
} from './messages.js'
export { Modal, type ModalProps } from './modal.js'
export { PromptDialog, type PromptViewProps, type PromptViews } from './prompt-dialog.js'
export {
  type Appearance,
  type RootAttributes,
  type ThemePart,
  type ThemeVariable,
  type Ui,
  UiProvider,
  type UiProviderProps,
  usePartClass,
  useRoot,
  useUi,
} from './provider.js'
export { type Recent, useRecent } from './recent.js'
export { type ProgressStep, StepList, type StepListProps } from './steps.js'
export { type Toast, ToastRegion, toast } from './toasts.js'
export { UnknownPromptDialog, useShowsPrompts } from './unknown-prompt.js'
