/** Errors of requests to a relay. */
import type { ErrorSpec } from '@keybay/kernel/spec'

/** A relay's response has another shape than agreed, an unknown signer, or impossible content. */
export const relayAnswerWrong: ErrorSpec<'frame_relay_answer_wrong'> = {
  code: 'frame_relay_answer_wrong',
  message: 'The relay sent an invalid response',
}
export const relayUnreachable: ErrorSpec<'frame_relay_unreachable'> = {
  code: 'frame_relay_unreachable',
  message: 'The relay can’t be reached. Try again',
}
