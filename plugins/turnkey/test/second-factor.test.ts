// @vitest-environment happy-dom
/** Tests environments that require a second factor: the custody service does nothing with the passkey alone. */
import { asked, wrongFor } from '@keybay/sandbox-api/testing/page-world'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { generateP256KeyPair } from '@turnkey/crypto'
import { expect, it } from 'vitest'
import { accountOn, type Host, setUpWorld, sign, signIn } from './support.js'

const setup = setUpWorld({ environment: { custody: { enabled: true, secondFactor: true } } })

const STEP_MS = 30_000
let moved = 0
/** Each code works once, so this advances the services' clocks to the next. */
async function nextCode(secret: string): Promise<string> {
  await setup.world.advance(STEP_MS)
  moved += STEP_MS
  return totpAt(secret, Date.now() + moved)
}

async function guarded() {
  const wallet = await setup.withWallet()
  const { keybay } = wallet
  const enrolment = await keybay.account.mfa.add('totp')
  const secret = enrolment.totp?.secret ?? ''
  await enrolment.confirm(await nextCode(secret))
  const confirm = async () => {
    const prompt = await asked(keybay, 'mfa')
    const [{ id: deviceId = '' } = {}] = prompt.devices
    prompt.answer(await prompt.submit({ deviceId, code: await nextCode(secret) }))
    return prompt.action
  }
  return { ...wallet, secret, confirm }
}

it('[S6.3] a user without a second factor signs without step-up: the product API approves directly', async () => {
  const { keybay } = await setup.withWallet()
  expect((await sign(keybay, 'one'))[0]?.signature).toHaveLength(64)
  expect((await sign(keybay, 'one', 'two'))[1]?.signature).toHaveLength(64)
})
it('[S6.3] [S3.1] signing a message requires the second factor; a refusal is MESSAGE_SIGNATURE_DENIED and signs nothing', async () => {
  const { keybay, confirm, secret } = await guarded()
  const [signed, action] = await Promise.all([sign(keybay, 'with it'), confirm()])
  expect(action).toBe('wallet.waas.sign')
  expect(signed[0]?.signature).toHaveLength(64)

  const declined = sign(keybay, 'without it')
  const prompt = await asked(keybay, 'mfa')
  const [{ id: deviceId = '' } = {}] = prompt.devices
  const wrong = wrongFor(await nextCode(secret))
  await expect(prompt.submit({ deviceId, code: wrong })).rejects.toMatchObject({ code: 'mfa_invalid_code' })
  prompt.cancel()
  await expect(declined).rejects.toMatchObject({ code: 'user_rejected', walletCode: 3 })
  const statuses = (await keybay.turnkey.activities())
    .filter(({ type }) => type === 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2')
    .map(({ status }) => status)
  expect(statuses.sort()).toEqual(['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_CONSENSUS_NEEDED'])
})
it('[S6.3] exporting requires the second factor', async () => {
  const { keybay, confirm } = await guarded()
  const { publicKeyUncompressed: targetPublicKey } = generateP256KeyPair()
  const { address } = accountOn(keybay, 'solana:')
  const [bundle, action] = await Promise.all([
    keybay.turnkey.exportWalletAccount(address, { targetPublicKey }),
    confirm(),
  ])
  expect(action).toBe('wallet.waas.export')
  expect(JSON.parse(bundle)).toHaveProperty('dataSignature')
})
it('a passkey alone cannot sign or lower the quorum, and the product API approves neither for another user', async () => {
  const { keybay, organizationId, client, request } = await guarded()
  const { userId } = await client.getWhoami({ organizationId })
  const { activity } = await client.signRawPayload(
    request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: accountOn(keybay, 'solana:').address,
      payload: 'aa',
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
    }),
  )
  expect(activity.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const lower = await client.updateRootQuorum(
    request('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [userId] }),
  )
  const approve = (host: Host, activityId: string) =>
    host.account.request('/custody/approvals', { method: 'POST', body: { activityId } })
  expect(await approve(keybay, lower.activity.id)).toEqual({ status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', result: null })
  await keybay.account.signOut()
  const other = setup.open()
  await signIn(setup.world, other)
  await expect(approve(other, activity.id)).rejects.toMatchObject({ code: 'custody_wallet_missing' })
  await other.turnkey.createWallet()
  await expect(approve(other, activity.id)).rejects.toMatchObject({ code: 'not_found' })
})
it('[S1.14] a recovered passkey is not a second factor', async () => {
  const { keybay, address, confirm } = await guarded()
  const [begun] = await Promise.all([keybay.turnkey.beginRecovery(), confirm()])
  const code = await setup.world.recoveryCode(address)
  await keybay.turnkey.completeRecovery({ code, recoveryUserId: begun.recoveryUserId ?? '', email: address })
  const [signed, action] = await Promise.all([sign(keybay, 'recovered'), confirm()])
  expect(action).toBe('wallet.waas.sign')
  expect(signed[0]?.signature).toHaveLength(64)
})
