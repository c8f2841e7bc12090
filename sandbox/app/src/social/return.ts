/** Page that providers redirect users back to: contains only the kit's own helper, so that it loads fast. */
import { finishSocialSignIn } from '@keybay/social/return'
import '../design/layers.css'
import '../design/tokens.css'
import '../design/base.css'

function say(text: string) {
  const status = document.getElementById('status')
  if (status) status.textContent = text
}
/** The app's tab was closed or reloaded. */
function sayGone() {
  const title = document.querySelector('h1')
  if (title) title.textContent = 'You are not signed in'
  say('The page that asked for this is gone, so nothing was done. ')
  const link = document.createElement('a')
  link.href = '/'
  link.textContent = 'Open the app, and sign in again'
  document.getElementById('status')?.append(link)
}
finishSocialSignIn().then(
  outcome => {
    if (outcome === 'posted') say('You can close this window and go back to the app.')
    if (outcome === 'unheard') sayGone()
  },
  () => say('Something went wrong. Close this window, go back to the app and try again.'),
)
