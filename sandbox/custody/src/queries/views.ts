/** Database rows in the protocol's format. */

import type { ActivityRow } from '../activities/advance.js'
import { getKind } from '../activities/kinds.js'
import type {
  apiKeys,
  authenticators,
  policies,
  privateKeys,
  users,
  votes,
  walletAccounts,
  wallets,
} from '../db/schema.js'
import { timestamp } from '../protocol.js'

function stamps(createdAt: number, updatedAt = createdAt) {
  return { createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}

export function activityView(
  row: ActivityRow,
  validVotes: readonly (typeof votes.$inferSelect)[] = [],
  mayVote = false,
) {
  return {
    id: row.id,
    organizationId: row.organizationId,
    status: row.status,
    type: row.type,
    intent: { [getKind(row.type)?.intent ?? 'intent']: row.parameters },
    result: row.result ?? {},
    // Leave out the fields that the protocol does not have.
    votes: validVotes.map(({ createdAt, credential: _, credentialId: __, isVerified: ___, ...vote }) => ({
      ...vote,
      message: '',
      createdAt: timestamp(createdAt),
    })),
    fingerprint: row.fingerprint,
    canApprove: mayVote,
    canReject: mayVote,
    ...(row.failure && { failure: { ...row.failure, details: [] } }),
    ...stamps(row.createdAt, row.updatedAt),
  }
}

function authenticatorView(row: typeof authenticators.$inferSelect) {
  return {
    authenticatorId: row.id,
    authenticatorName: row.name,
    credentialId: row.credentialId,
    credential: { publicKey: row.publicKey, type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR' },
    transports: row.transports,
    attestationType: row.attestationType,
    aaguid: row.aaguid,
    model: '',
    ...stamps(row.createdAt),
  }
}

function apiKeyView(row: typeof apiKeys.$inferSelect) {
  return {
    apiKeyId: row.id,
    apiKeyName: row.name,
    credential: { publicKey: row.publicKey, type: row.type },
    ...(row.expirationSeconds !== null && { expirationSeconds: String(row.expirationSeconds) }),
    ...stamps(row.createdAt),
  }
}

export function userView(
  row: typeof users.$inferSelect,
  passkeys: readonly (typeof authenticators.$inferSelect)[],
  keys: readonly (typeof apiKeys.$inferSelect)[],
) {
  return {
    userId: row.id,
    userName: row.name,
    ...(row.email !== null && { userEmail: row.email }),
    authenticators: passkeys.filter(({ userId }) => userId === row.id).map(authenticatorView),
    apiKeys: keys.filter(({ userId }) => userId === row.id).map(apiKeyView),
    userTags: [],
    oauthProviders: [],
    mfaPolicies: [],
    ...stamps(row.createdAt, row.updatedAt),
  }
}

export function walletView(row: typeof wallets.$inferSelect) {
  return {
    walletId: row.id,
    walletName: row.name,
    exported: row.exported,
    imported: row.imported,
    ...stamps(row.createdAt),
  }
}

export function accountView(row: typeof walletAccounts.$inferSelect) {
  return {
    walletAccountId: row.id,
    organizationId: row.organizationId,
    walletId: row.walletId,
    curve: row.curve,
    pathFormat: 'PATH_FORMAT_BIP32',
    path: row.path,
    addressFormat: row.addressFormat,
    address: row.address,
    publicKey: row.publicKey,
    ...stamps(row.createdAt),
  }
}

export function privateKeyView(row: typeof privateKeys.$inferSelect) {
  return {
    privateKeyId: row.id,
    privateKeyName: row.name,
    publicKey: row.publicKey,
    curve: row.curve,
    addresses: row.addresses,
    privateKeyTags: [],
    exported: row.exported,
    imported: row.imported,
    ...stamps(row.createdAt),
  }
}

export function policyView(row: typeof policies.$inferSelect) {
  return {
    policyId: row.id,
    policyName: row.name,
    effect: row.effect,
    condition: row.condition,
    consensus: row.consensus,
    notes: row.notes,
    ...stamps(row.createdAt),
  }
}
