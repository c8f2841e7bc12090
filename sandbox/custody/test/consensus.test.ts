/** Policies and consent, and the client's handling of incomplete activities. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { assertActivityCompleted, createActivityPoller, type TurnkeyClient } from '@turnkey/http'
import { afterAll, expect, it, vi } from 'vitest'
import { auditHash } from '../src/audit.js'
import { decide, type Question } from '../src/policy/decide.js'
import { parsePolicy } from '../src/policy/parse.js'
import { attest, COMPLETED, CONSENSUS_NEEDED, post, RP_ID, startWorld } from './world.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

// The test drives the service's interval timers.
vi.useFakeTimers({ toFake: ['setInterval'] })
const world = await startWorld()
const ann = await world.user()
const { request, organizationId } = ann
afterAll(async () => {
  await world.stop()
  vi.useRealTimers()
})

async function addUser(userName: string): Promise<{ userId: string; client: TurnkeyClient }> {
  const authenticator = newAuthenticator(RP_ID)
  const none = { apiKeys: [], oauthProviders: [], userTags: [] }
  const users = [{ ...none, userName, authenticators: [attest(authenticator)] }]
  const { activity } = await ann.client.createUsers(request('ACTIVITY_TYPE_CREATE_USERS_V4', { users }))
  const [userId = ''] = activity.result.createUsersResult?.userIds ?? []
  return { userId, client: world.clientBy(authenticator) }
}

function addPolicy(
  policyName: string,
  rule: { effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'; condition?: string; consensus?: string },
) {
  return ann.client.createPolicy(request('ACTIVITY_TYPE_CREATE_POLICY_V3', { policyName, notes: '', ...rule }))
}

async function addPair(policyName: string, payloads: string) {
  const [first, second] = [await addUser(`${policyName} 1`), await addUser(`${policyName} 2`)]
  await addPolicy(policyName, {
    effect: 'EFFECT_ALLOW',
    condition: `activity.action == 'SIGN' && activity.params.payload in [${payloads}]`,
    consensus: `approvers.filter(user, user.id in ['${first.userId}', '${second.userId}']).count() >= 2`,
  })
  const ask = async (payload: string) => (await first.client.signRawPayload(ann.signature(payload))).activity
  return { first, second, ask }
}

it('a user who is not a root user signs only what a policy allows', async () => {
  const clerk = await addUser('Clerk')
  await expect(clerk.client.signRawPayload(ann.signature('01'))).rejects.toMatchObject({ code: 7 })
  await addPolicy('clerk signs', {
    effect: 'EFFECT_ALLOW',
    condition: `activity.action == 'SIGN' && wallet_account.address == '${ann.addresses[0]}'`,
    consensus: `approvers.any(user, user.id == '${clerk.userId}')`,
  })
  expect((await clerk.client.signRawPayload(ann.signature('02'))).activity.status).toBe(COMPLETED)
  await expect(clerk.client.signRawPayload(ann.signature('03', ann.addresses[1]))).rejects.toMatchObject({ code: 7 })
  await addPolicy('no user signs 04', { effect: 'EFFECT_DENY', condition: "activity.params.payload == '04'" })
  await expect(clerk.client.signRawPayload(ann.signature('04'))).rejects.toMatchObject({ code: 7 })
})

it('an activity that needs consensus waits, completes when approved, and does not complete when rejected', async () => {
  const { first, second, ask } = await addPair('two sign', "'0a', '0b'")
  const activity = await ask('0a')
  expect(activity.status).toBe(CONSENSUS_NEEDED)
  expect(() => assertActivityCompleted(activity)).toThrow('Activity requires consensus')
  const { fingerprint } = activity
  const approved = await second.client.approveActivity(request('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
  expect(approved.activity).toMatchObject({ id: activity.id, status: COMPLETED })
  expect(approved.activity.result.signRawPayloadResult?.r).toMatch(/^[0-9a-f]{64}$/)

  const waiting = await ask('0b')
  await second.client.rejectActivity(request('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint: waiting.fingerprint }))
  const after = await first.client.getActivity({ organizationId, activityId: waiting.id })
  expect(after.activity.status).toBe('ACTIVITY_STATUS_REJECTED')
  expect(() => assertActivityCompleted(after.activity)).toThrow(
    'Expected COMPLETED status, got ACTIVITY_STATUS_REJECTED',
  )
})

it('approvals expire a day after the first approval, and the activity waits for new approvals', async () => {
  const { first, second, ask } = await addPair('two sign slowly', "'0c', '0d', '0e'")
  const approve = async ({ client }: typeof first, fingerprint: string) =>
    (await client.approveActivity(request('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity.status
  const seenByFirst = async (activityId: string) => {
    const { activity } = await first.client.getActivity({ organizationId, activityId })
    return { canApprove: activity.canApprove, votes: activity.votes.map(({ userId }) => userId) }
  }
  const [inTime, late, left] = [await ask('0c'), await ask('0d'), await ask('0e')]
  world.custody.clock.advance(DAY - MINUTE)
  expect(await approve(second, inTime.fingerprint)).toBe(COMPLETED)
  expect(await seenByFirst(late.id)).toEqual({ canApprove: false, votes: [first.userId] })

  world.custody.clock.advance(MINUTE)
  expect(await seenByFirst(late.id)).toEqual({ canApprove: true, votes: [] })
  expect(await approve(second, late.fingerprint)).toBe(CONSENSUS_NEEDED)
  expect(await seenByFirst(late.id)).toEqual({ canApprove: true, votes: [second.userId] })
  expect(await approve(first, late.fingerprint)).toBe(COMPLETED)
  // A completed activity keeps its approvals.
  expect((await seenByFirst(inTime.id)).votes).toHaveLength(2)

  const expired = async () => {
    const entries = (await auditEntries()).map(({ entry }) => entry)
    return entries.filter(({ what }) => what === 'approvals-expired').map(({ activityId }) => activityId)
  }
  expect(await expired()).toEqual([late.id])
  vi.advanceTimersByTime(MINUTE)
  await expect.poll(expired).toEqual([late.id, left.id])
})

it('polling finds a pending activity completed', async () => {
  const slow = await startWorld({ patience: 0 })
  try {
    const { organizationId: parentId } = slow.custody
    const rootUsers = [{ userName: 'slow', apiKeys: [], authenticators: [attest()], oauthProviders: [] }]
    const parameters = { subOrganizationName: 'Slow', rootQuorumThreshold: 1, rootUsers }
    const body = slow.request(parentId, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', parameters)
    const created = await slow.operator.createSubOrganization(body)
    expect(created.activity.status).toBe('ACTIVITY_STATUS_PENDING')
    const poll = createActivityPoller({ client: slow.operator, requestFn: async () => created, refreshIntervalMs: 20 })
    const done = await poll(body)
    expect(done.result.createSubOrganizationResultV8?.subOrganizationId).toBeTruthy()
  } finally {
    await slow.stop()
  }
})

interface Entry {
  readonly sequence: number
  readonly text: string
  readonly entry: { readonly activityId: string; readonly what: string }
  readonly hash: string
}

async function auditEntries(): Promise<readonly Entry[]> {
  const signed = await ann.client.stampGetWhoami({ organizationId })
  const { entries } = (await post(world.custody.internalUrl, 'query/list_audit_entries', signed)).answer
  return entries.map(({ entry, ...rest }: { entry: string }) => ({ ...rest, text: entry, entry: JSON.parse(entry) }))
}

it('the audit chain lists every activity, and cannot be continued from another head', async () => {
  const entries = await auditEntries()
  let head = ''
  for (const { sequence, text, hash } of entries) {
    expect(hash).toBe(auditHash(head, text))
    head = hash
    expect(entries[sequence - 1]?.hash).toBe(hash)
  }
  const { activities } = await ann.client.getActivities({ organizationId })
  const listed = new Set(entries.map(({ entry }) => entry.activityId))
  expect(activities.filter(({ id }) => !listed.has(id))).toEqual([])
})

function question(rules: Question['rules'], approverIds: readonly string[], facts = {}): Question {
  return { rootUserIds: ['root', 'other'], rootThreshold: 2, approverIds, rules, facts }
}
const open = { effect: 'EFFECT_ALLOW', condition: '', consensus: '' } as const
it.each<[string, Question, string]>([
  ['both roots', question([], ['root', 'other']), 'allow'],
  ['one root of two', question([], ['root']), 'consensus'],
  ['no policy', question([], ['clerk']), 'deny'],
  ['an open policy', question([open], ['clerk']), 'allow'],
  ['a denial wins', question([open, { ...open, effect: 'EFFECT_DENY' }], ['clerk']), 'deny'],
  ['a missing wallet is equal to nothing', question([{ ...open, condition: 'wallet.id != "w"' }], ['clerk']), 'deny'],
])('policies and approvers decide about an activity: %s', (_, input, outcome) => expect(decide(input)).toBe(outcome))

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
