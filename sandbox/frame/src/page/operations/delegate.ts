/**
 * Lets a server sign without the user, with its own share set and policy. The operator lists the available servers. The
 * user reads the server's name and rules here, and agrees.
 */
import { KeybayError, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { consentRequired, type Delegate, wirePolicy } from '@keybay/waas/protocol'
import { delegatesSchema, hashPolicy } from '@keybay/waas/relay-client'
import { dealForOther } from '../ceremony/join.js'
import { openWindow } from '../core/chain-kit.js'
import { assertSolana, getDevice, type Job, provedBy } from '../core/job.js'
import { keptWallet, readyShare } from '../core/share.js'
import { frameError } from '../errors/errors.js'
import { agreeTo } from '../screen/questions.js'

/** Says who could break the rules: all holders of the delegate's set together. */
export function trustInWords(withR2: boolean): string {
  const [services, all] = withR2 ? ['both wallet services', 'all three'] : ['the wallet service', 'both']
  return `Its operator and ${services} together could move everything. A company that runs ${all} could do so alone.`
}

/** @throws KeybayError `frame_delegate_unknown`, `frame_policy_missing`, `consent_required` in a hidden frame */
export async function delegateKeyShares(initialJob: Job, payload: Delegate) {
  const { frame, context } = initialJob
  const { chainName, accountAddress: address, delegatePublicKey, delegateName, policy, password } = payload
  assertSolana(chainName)
  if (!policy) throw frameError('frame_policy_missing')
  if (!frame.screen.visible) throw new KeybayError(consentRequired)
  const stored = await keptWallet(initialJob, address, 'primary')
  const { environmentId } = frame.configuration
  const sealingKey = toBase64Url(Uint8Array.from(delegatePublicKey))
  const { delegates } = await frame.relay.get(`/sdk/${environmentId}/delegates`, delegatesSchema)
  // Require the name that the page signed for, so that the relay's list cannot change what the user reads.
  const delegate = delegates.find(listed => listed.sealingKey === sealingKey && listed.name === delegateName)
  if (!delegate) throw frameError('frame_delegate_unknown')
  const { sentences, problems } = (await openWindow(frame)).rulesInWords(policy)
  const withR2 = frame.configuration.relays.some(({ party }) => party === 'R2')
  const mfaToken = await agreeTo(
    frame.screen,
    {
      title: `Let “${delegate.name}” sign?`,
      sentences: ['It signs without asking you, within these rules, until you revoke it.', trustInWords(withR2)],
      rules: sentences,
      problems,
      action: 'Allow',
    },
    { address, factor: await initialJob.factor(), signal: context.signal },
  )
  const { authority, user } = provedBy(initialJob, mfaToken)
  const { ready } = await readyShare(initialJob, stored, password)
  frame.screen.busy('Creating its key share…')
  const setId = crypto.randomUUID()
  const { walletId, scheme } = stored
  const dealt = await dealForOther({
    frame,
    authority,
    device: { ...getDevice(stored), consent: true },
    deviceKey: stored.deviceKey,
    share: ready.share,
    scheme,
    recipient: { purpose: 'delegate', setId, sealingKey, policy: wirePolicy(policy), withR2 },
    policyHash: await hashPolicy(wirePolicy(policy)),
  })
  const bundle = { version: 1, environmentId, user, walletId, setId, address, scheme, dealt }
  return { setId, sealedShare: utf8(JSON.stringify(bundle)) }
}
