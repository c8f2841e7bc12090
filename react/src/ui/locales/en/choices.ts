/** Texts of the questions that plugins ask, by `question.id` of the prompt `choice`. */
export const choiceMessages = {
  name: 'choices',
  texts: {
    add: 'Add',
    cancel: 'Cancel',
    link: 'Add this login to the account that is signed in?',
    linkName: 'Add this login to the account of {name}?',
    linkText: 'If this isn’t your account, cancel and sign out first.',
    mobile: 'Connect your wallet app',
    openName: 'Open {name}',
    openWallet: 'Open wallet',
    recent: 'Sign in again to continue',
    recentText: 'This change needs a recent sign-in.',
    returned: 'One more step in {name}',
    returnedText: '{name} is connected. Open it again and sign a message to prove that this address is yours.',
  },
} as const
