/** Helpers that all sign-in routes share. */
import type { Environment } from '../../environments.js'
import type { Call } from '../../http/call.js'
import { ApiError, methodNotEnabled } from '../../http/errors.js'

/** @throws ApiError `method_not_enabled` */
export function enabled(environment: Environment, method: Exclude<keyof Environment['signIn'], 'social'>): void {
  if (!environment.signIn[method]) throw new ApiError(methodNotEnabled)
}

/** @throws ApiError `too_many_requests` */
export function counted(call: Call): Promise<void> {
  return call.services.limits.spend(call, [{ name: 'sign-in per network', who: call.network }])
}
