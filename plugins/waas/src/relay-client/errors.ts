/** Errors of requests to a relay. */
import { type ErrorSpec, errorSpec } from '@keybay/kernel/spec'

/** A relay's response has another shape than agreed, an unknown signer, or impossible content. */
export const relayAnswerWrong: ErrorSpec<'frame_relay_answer_wrong'> = /* @__PURE__ */ errorSpec(
  'frame_relay_answer_wrong',
  'The relay sent an invalid response',
)
export const relayUnreachable: ErrorSpec<'frame_relay_unreachable'> = /* @__PURE__ */ errorSpec(
  'frame_relay_unreachable',
  'The relay can’t be reached. Try again',
)
