/** Wallet side of the deep links without a page, for tests of an app's side. */
export { type AnswerParts, answerTo, type Parameters, returnTo } from './answer.js'
export { BRANDS, type Brand } from './brands.js'
export { type Account, type Ask, type Linked, type Links, type Reading, readLink } from './link.js'
export { getManner, impostor, type Manner } from './manners.js'
export { type Refusal, type RefusalCode, refusal } from './refusals.js'
