import { defineConfig } from 'vitest/config'

/** Address of the page in tests: the API of the sandbox answers to the sandbox's own app. */
const url = process.env.KEYBAY_APP_URL ?? 'http://localhost:4000'

export default defineConfig({ test: { environmentOptions: { happyDOM: { url } } } })
