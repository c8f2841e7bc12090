'use client'

/** The border between server and browser: below it, everything runs in both. */
export { App } from '../src/app'
