/** Second factors of the signed-in user: lists, sets up, removes and requires them. */
import type { AccountMfa } from './api.js'
import type { Client } from './client.js'
import type { Authenticate } from './factor.js'
import { read } from './parse/check.js'
import { isConfirmed, isDeviceList, isNewDevice, isRecoveryCodes } from './parse/mfa.js'
import { isSettings, settingsProblem } from './parse/settings.js'
import type { Requests } from './request.js'
import type { Settings } from './settings.js'
import type { Users } from './users.js'

export type ReadSettings = (options?: { readonly signal?: AbortSignal | undefined }) => Promise<Settings>

/** Fetches the settings once; a failure is not cached. */
export function createSettings(client: Client): ReadSettings {
  let known: Settings | undefined
  let asking: Promise<Settings> | undefined
  const ask = async (signal?: AbortSignal) => {
    const answer = await client.send('/settings', { anonymous: true, signal })
    known = read(isSettings, answer, settingsProblem(answer))
    return known
  }
  return async ({ signal } = {}) => {
    if (known) return known
    if (signal) return ask(signal)
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

export function createMfa(
  client: Client,
  { request, token }: Requests,
  settings: ReadSettings,
  users: Users,
  authenticate: Authenticate,
): AccountMfa {
  const devices: AccountMfa['devices'] = async options =>
    read(isDeviceList, await request('/mfa/devices', options)).devices
  const changing = async (path: string, options: Parameters<typeof request>[1]) => {
    const answer = await request(path, options)
    await users.changed()
    return answer
  }
  return {
    devices,
    async add(method, { name, signal } = {}) {
      const { device, totp, challenge } = read(
        isNewDevice,
        await request('/mfa/devices', { body: { method, ...(name !== undefined && { name }) }, signal }),
      )
      const { challengeId, expiresAt, options } = client.local(challenge)
      return {
        device,
        totp,
        expiresAt,
        async confirm(code, { signal } = {}) {
          const proof = method === 'passkey' ? { passkey: await authenticate(options) } : { code: code ?? '' }
          const body = { challengeId, ...proof }
          return {
            recoveryCodes: read(isConfirmed, await changing(`/mfa/devices/${device.id}/confirm`, { body, signal }))
              .recoveryCodes,
          }
        },
      }
    },
    async remove(deviceId, { signal } = {}) {
      await changing(`/mfa/devices/${encodeURIComponent(deviceId)}`, { method: 'DELETE', signal })
    },
    async recoveryCodes({ signal } = {}) {
      return read(isRecoveryCodes, await changing('/mfa/recovery-codes', { method: 'POST', signal })).recoveryCodes
    },
    async token(action, requestHash, { signal } = {}) {
      if (!(await settings({ signal })).mfa.actions.includes(action)) return undefined
      const enrolled = await devices({ signal })
      return enrolled.length ? token({ action, requestHash, devices: enrolled }, signal) : undefined
    },
  }
}
