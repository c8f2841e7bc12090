/** Helpers that all sign-in routes share. */
import { invalidSessionPublicKey } from '@keybay/kernel/spec'
import type { Environment } from '../../environments.js'
import type { Call } from '../../http/call.js'
import { ApiError, invalidProof, methodNotEnabled } from '../../http/errors.js'

/** Errors of every call that a session key proves. */
export const keyErrors = [invalidSessionPublicKey, invalidProof] as const

/** @throws ApiError `method_not_enabled` */
export function enabled(environment: Environment, method: Exclude<keyof Environment['signIn'], 'social'>): void {
  if (!environment.signIn[method]) throw new ApiError(methodNotEnabled)
}

/** @throws ApiError `too_many_requests` */
export function counted({ services, network }: Call): Promise<void> {
  return services.limits.hit('sign-in per network', network)
}
