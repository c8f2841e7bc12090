// if social
'use client'

import { finishSocialSignIn, type ReturnOutcome } from '@keybay/social/return'
import { useEffect, useState } from 'react'

const TEXTS: { readonly [O in ReturnOutcome]?: string } = {
  posted: 'You can close this window.',
  unheard: 'You are not signed in. Go back to the app and try again.',
}

/** One for the page, because React runs effects twice in development. */
let finished: Promise<ReturnOutcome> | undefined

/** The window that a social provider returns to. */
export default function SocialReturn() {
  const [outcome, show] = useState<ReturnOutcome>()
  useEffect(() => {
    finished ??= finishSocialSignIn()
    finished.then(show)
  }, [])
  return <p role="status">{outcome && TEXTS[outcome]}</p>
}
