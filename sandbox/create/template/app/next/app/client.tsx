'use client'

/** The border between server and browser: below it, everything runs in both. */
export { App } from '../src/app'

if (process.env.NODE_ENV === 'development' && typeof window !== 'undefined') import('../src/sandbox-wallet') // if wallet-standard
