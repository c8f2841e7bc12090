/** Errors of requests to a relay. */
import { type ErrorSpec, errorSpec } from '@keybay/kernel/spec'

/** A relay's answer is not of the agreed shape, is signed by nobody known, or says something impossible. */
export const relayAnswerWrong: ErrorSpec<'frame_relay_answer_wrong'> = /* @__PURE__ */ errorSpec(
  'frame_relay_answer_wrong',
  'The relay’s answer is wrong',
)
export const relayUnreachable: ErrorSpec<'frame_relay_unreachable'> = /* @__PURE__ */ errorSpec(
  'frame_relay_unreachable',
  'The relay cannot be reached',
)
