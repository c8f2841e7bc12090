/** What belongs to a user, for queries that read it in one statement. */
import { relations } from 'drizzle-orm'
import { credentials, embeddedWallets, mfaDevices, recoveryCodes, sessions, users } from './schema.js'

export const userRelations = relations(users, ({ many }) => ({
  credentials: many(credentials),
  embeddedWallets: many(embeddedWallets),
  mfaDevices: many(mfaDevices),
  recoveryCodes: many(recoveryCodes),
}))

export const sessionRelations = relations(sessions, ({ one }) => ({
  user: one(users, { fields: [sessions.userId], references: [users.id] }),
}))

export const credentialRelations = relations(credentials, ({ one }) => ({
  user: one(users, { fields: [credentials.userId], references: [users.id] }),
}))

export const embeddedWalletRelations = relations(embeddedWallets, ({ one }) => ({
  user: one(users, { fields: [embeddedWallets.userId], references: [users.id] }),
}))

export const mfaDeviceRelations = relations(mfaDevices, ({ one }) => ({
  user: one(users, { fields: [mfaDevices.userId], references: [users.id] }),
}))

export const recoveryCodeRelations = relations(recoveryCodes, ({ one }) => ({
  user: one(users, { fields: [recoveryCodes.userId], references: [users.id] }),
}))
