/** HTTP helpers for services that send JSON. */
export { type Answer, type AnswerOptions, answerRequest, type Failure, type Reply } from './answer.js'
export { bodyReader, isStorable } from './body.js'
export { type ErrorDetails, HttpError } from './error.js'
export { JSON_HEADERS, sqlState, TRACE_HEADERS } from './json.js'
export { getNetwork, getSite, networkReader } from './network.js'
export { createParser } from './parse.js'
export { TokenBuckets } from './token-buckets.js'
