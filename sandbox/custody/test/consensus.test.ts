/** Policies and consent, and the client's handling of incomplete activities. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { assertActivityCompleted, createActivityPoller, type TurnkeyClient } from '@turnkey/http'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { decide, type Question } from '../src/policy/decide.js'
import { parsePolicy } from '../src/policy/parse.js'
import { attest, type Person, passkeyClient, RP_ID, startWorld, type World } from './world.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let world: World
let ann: Person
beforeAll(async () => {
  // The test drives the service's interval timers.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  world = await startWorld()
  ann = await world.person()
}, 120_000)
afterAll(async () => {
  await world.stop()
  vi.useRealTimers()
})

function envelope<T extends string, P>(type: T, parameters: P) {
  return { type, timestampMs: world.now(), organizationId: ann.organizationId, parameters }
}

function sign(payload: string) {
  return envelope('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
    signWith: ann.addresses[0],
    payload,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
  })
}

async function addUser(name: string): Promise<{ userId: string; client: TurnkeyClient }> {
  const authenticator = newAuthenticator(RP_ID)
  const { activity } = await ann.client.createUsers(
    envelope('ACTIVITY_TYPE_CREATE_USERS_V4', {
      users: [
        { userName: name, apiKeys: [], authenticators: [attest(authenticator)], oauthProviders: [], userTags: [] },
      ],
    }),
  )
  const [userId = ''] = activity.result.createUsersResult?.userIds ?? []
  return { userId, client: passkeyClient(world.custody.internalUrl, authenticator) }
}

function addPolicy(
  policyName: string,
  rule: { effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'; condition?: string; consensus?: string },
) {
  return ann.client.createPolicy(envelope('ACTIVITY_TYPE_CREATE_POLICY_V3', { policyName, notes: '', ...rule }))
}

it('a user who is not a root user signs only what a policy allows', async () => {
  const clerk = await addUser('Clerk')
  await expect(clerk.client.signRawPayload(sign('01'))).rejects.toMatchObject({ code: 7 })
  await addPolicy('clerk signs', {
    effect: 'EFFECT_ALLOW',
    condition: `activity.action == 'SIGN' && wallet_account.address == '${ann.addresses[0]}'`,
    consensus: `approvers.any(user, user.id == '${clerk.userId}')`,
  })
  expect((await clerk.client.signRawPayload(sign('02'))).activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
  const other = { ...sign('03'), parameters: { ...sign('03').parameters, signWith: ann.addresses[1] } }
  await expect(clerk.client.signRawPayload(other)).rejects.toMatchObject({ code: 7 })
  await addPolicy('nobody signs 04', { effect: 'EFFECT_DENY', condition: "activity.params.payload == '04'" })
  await expect(clerk.client.signRawPayload(sign('04'))).rejects.toMatchObject({ code: 7 })
})

it('an activity that needs consensus waits, completes when approved, and does not complete when rejected', async () => {
  const [first, second] = [await addUser('First'), await addUser('Second')]
  await addPolicy('two sign', {
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN' && activity.params.payload in ['0a', '0b']",
    consensus: `approvers.filter(user, user.id in ['${first.userId}', '${second.userId}']).count() >= 2`,
  })
  const { activity } = await first.client.signRawPayload(sign('0a'))
  expect(activity.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  expect(() => assertActivityCompleted(activity)).toThrow('Activity requires consensus')
  const { fingerprint } = activity
  const approved = await second.client.approveActivity(envelope('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
  expect(approved.activity).toMatchObject({ id: activity.id, status: 'ACTIVITY_STATUS_COMPLETED' })
  expect(approved.activity.result.signRawPayloadResult?.r).toMatch(/^[0-9a-f]{64}$/)

  const waiting = (await first.client.signRawPayload(sign('0b'))).activity
  await second.client.rejectActivity(envelope('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint: waiting.fingerprint }))
  const after = await first.client.getActivity({ organizationId: ann.organizationId, activityId: waiting.id })
  expect(after.activity.status).toBe('ACTIVITY_STATUS_REJECTED')
  expect(() => assertActivityCompleted(after.activity)).toThrow(
    'Expected COMPLETED status, got ACTIVITY_STATUS_REJECTED',
  )
})

it('approvals expire a day after the first approval, and the activity waits for new approvals', async () => {
  const [first, second] = [await addUser('Early'), await addUser('Late')]
  await addPolicy('two sign slowly', {
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN' && activity.params.payload in ['0c', '0d', '0e']",
    consensus: `approvers.filter(user, user.id in ['${first.userId}', '${second.userId}']).count() >= 2`,
  })
  const ask = async (payload: string) => (await first.client.signRawPayload(sign(payload))).activity
  const approve = async ({ client }: typeof first, fingerprint: string) =>
    (await client.approveActivity(envelope('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity.status
  const seenByFirst = async (activityId: string) => {
    const { activity } = await first.client.getActivity({ organizationId: ann.organizationId, activityId })
    return { canApprove: activity.canApprove, votes: activity.votes.map(({ userId }) => userId) }
  }
  const [inTime, late, left] = [await ask('0c'), await ask('0d'), await ask('0e')]
  world.custody.clock.advance(DAY - MINUTE)
  expect(await approve(second, inTime.fingerprint)).toBe('ACTIVITY_STATUS_COMPLETED')
  expect(await seenByFirst(late.id)).toEqual({ canApprove: false, votes: [first.userId] })

  world.custody.clock.advance(MINUTE)
  expect(await seenByFirst(late.id)).toEqual({ canApprove: true, votes: [] })
  expect(await approve(second, late.fingerprint)).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  expect(await seenByFirst(late.id)).toEqual({ canApprove: true, votes: [second.userId] })
  expect(await approve(first, late.fingerprint)).toBe('ACTIVITY_STATUS_COMPLETED')
  // A completed activity keeps its approvals.
  expect((await seenByFirst(inTime.id)).votes).toHaveLength(2)

  const expired = async () => {
    const entries: readonly { activityId: string; what: string }[] = (await auditEntries()).map(
      ({ entry }: { entry: string }) => JSON.parse(entry),
    )
    return entries.filter(({ what }) => what === 'approvals-expired').map(({ activityId }) => activityId)
  }
  expect(await expired()).toEqual([late.id])
  vi.advanceTimersByTime(MINUTE)
  await vi.waitFor(async () => expect(await expired()).toEqual([late.id, left.id]))
})

it('polling finds a pending activity completed', async () => {
  const slow = await startWorld({ patience: 0 })
  try {
    const person = await slow.operator.createSubOrganization({
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
      timestampMs: slow.now(),
      organizationId: slow.custody.organizationId,
      parameters: {
        subOrganizationName: 'Slow',
        rootQuorumThreshold: 1,
        rootUsers: [
          { userName: 'slow', apiKeys: [], authenticators: [attest(newAuthenticator(RP_ID))], oauthProviders: [] },
        ],
      },
    })
    expect(person.activity.status).toBe('ACTIVITY_STATUS_PENDING')
    const poll = createActivityPoller({ client: slow.operator, requestFn: async () => person, refreshIntervalMs: 20 })
    const done = await poll({
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
      timestampMs: slow.now(),
      organizationId: slow.custody.organizationId,
      parameters: { subOrganizationName: '', rootUsers: [], rootQuorumThreshold: 1 },
    })
    expect(done.result.createSubOrganizationResultV8?.subOrganizationId).toBeTruthy()
  } finally {
    await slow.stop()
  }
})

async function auditEntries() {
  const body = JSON.stringify({ organizationId: ann.organizationId })
  const { stamp } = (await ann.client.stampGetWhoami({ organizationId: ann.organizationId })) ?? {}
  const response = await fetch(`${world.custody.internalUrl}/public/v1/query/list_audit_entries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [stamp?.stampHeaderName ?? '']: stamp?.stampHeaderValue ?? '' },
    body,
  })
  const { entries } = await response.json()
  return entries
}

it('the audit chain lists every activity, and cannot be continued from another head', async () => {
  const entries = await auditEntries()
  const { auditHash } = await import('../src/audit.js')
  let head = ''
  for (const { sequence, entry, hash } of entries) {
    expect(hash).toBe(auditHash(head, entry))
    head = hash
    expect(entries[sequence - 1].hash).toBe(hash)
  }
  const { activities } = await ann.client.getActivities({ organizationId: ann.organizationId })
  const told = new Set(entries.map(({ entry }: { entry: string }) => JSON.parse(entry).activityId))
  expect(activities.filter(({ id }) => !told.has(id))).toEqual([])
})

function question(rules: Question['rules'], approverIds: readonly string[], facts = {}): Question {
  return { rootUserIds: ['root', 'other'], rootThreshold: 2, approverIds, rules, facts }
}
it.each<[string, Question, string]>([
  ['both roots', question([], ['root', 'other']), 'allow'],
  ['one root of two', question([], ['root']), 'consensus'],
  ['nobody’s policy', question([], ['clerk']), 'deny'],
  ['an open policy', question([{ effect: 'EFFECT_ALLOW', condition: '', consensus: '' }], ['clerk']), 'allow'],
  [
    'a denial wins',
    question(
      [
        { effect: 'EFFECT_ALLOW', condition: '', consensus: '' },
        { effect: 'EFFECT_DENY', condition: '', consensus: '' },
      ],
      ['clerk'],
    ),
    'deny',
  ],
  [
    'a wallet that is not there is equal to nothing',
    question([{ effect: 'EFFECT_ALLOW', condition: 'wallet.id != "w"', consensus: '' }], ['clerk']),
    'deny',
  ],
])('policies and approvers decide about an activity: %s', (_, asked, outcome) => expect(decide(asked)).toBe(outcome))

it.each([
  'activity.type = 1',
  'unknown.id == 1',
  "approvers.map(u, u.id == '1')",
  'activity.type == ',
  '(activity.action',
  'approvers.any(wallet, true)',
  `${'!'.repeat(100)}true`,
  'process.exit()',
])('refuses a policy that is not in the policy language: %s', text => {
  expect(() => parsePolicy(text)).toThrow('the policy cannot be read')
})
