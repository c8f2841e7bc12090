/**
 * Lets a server sign without the user, with its own share set and policy. The operator lists the available servers. The
 * user reads the server's name and rules here, and agrees.
 */
import { KeybayError, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { consentRequired, type Delegate, type HandlerContext, type ResultOf, wirePolicy } from '@keybay/waas/protocol'
import { delegatesSchema } from '@keybay/waas/relay-client'
import { dealForOther } from '../ceremony/join.js'
import { rulesInWords } from '../chains/solana/rules.js'
import type { Frame } from '../core/frame.js'
import { assertSolana, getDevice, provedBy, startJob } from '../core/job.js'
import { keptWallet, readyShare } from '../core/share.js'
import { delegateUnknown, policyMissing } from '../errors/errors.js'
import { agreeTo } from '../screen/questions.js'

/** @throws KeybayError `frame_delegate_unknown`, `frame_policy_missing`, `consent_required` in a hidden frame */
export async function delegateKeyShares(
  frame: Frame,
  payload: Delegate,
  context: HandlerContext,
): Promise<ResultOf<'delegateKeyShares'>> {
  const { chainName, accountAddress: address, delegatePublicKey, delegateName, policy, password } = payload
  assertSolana(chainName)
  const asked = await startJob(frame, 'delegateKeyShares', payload, context)
  if (!policy) throw new KeybayError(policyMissing)
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const kept = await keptWallet(asked, address, 'primary')
  const { environmentId } = frame.configuration
  const sealingKey = toBase64Url(Uint8Array.from(delegatePublicKey))
  const { delegates } = await frame.relay.get(`/sdk/${environmentId}/delegates`, delegatesSchema)
  // Require the name that the page signed for, so that the relay's list cannot change what the user reads.
  const delegate = delegates.find(listed => listed.sealingKey === sealingKey && listed.name === delegateName)
  if (!delegate) throw new KeybayError(delegateUnknown)
  const { sentences, problems } = rulesInWords(policy)
  const mfaToken = await agreeTo(
    frame.screen,
    {
      title: `Let “${delegate.name}” sign?`,
      sentences: ['It signs without asking you, within these rules, until you revoke it.', ...sentences],
      problems,
      action: 'Allow',
    },
    { address, factor: await asked.factor(), signal: context.signal },
  )
  const { authority, user } = provedBy(asked, mfaToken)
  const { ready } = await readyShare(asked, kept, password)
  frame.screen.busy('Creating its key share…')
  const setId = crypto.randomUUID()
  const { walletId, scheme } = kept
  const dealt = await dealForOther({
    frame,
    authority,
    device: { ...getDevice(kept), consent: true },
    share: ready.share,
    scheme,
    recipient: { purpose: 'delegate', setId, sealingKey, policy: wirePolicy(policy) },
  })
  frame.screen.clear()
  const bundle = { version: 1, environmentId, user, walletId, setId, address, scheme, dealt }
  return { setId, sealedShare: utf8(JSON.stringify(bundle)) }
}
