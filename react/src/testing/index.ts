/** Helpers for tests of UI that is built on the kit. */
export { getUntranslated } from './untranslated.js'
