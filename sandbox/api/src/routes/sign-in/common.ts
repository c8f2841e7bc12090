/** Helpers that all sign-in routes share. */
import type { Environment } from '../../environments.js'
import type { Call } from '../../http/call.js'
import { ApiError, methodNotEnabled } from '../../http/errors.js'
import type { Expense } from '../../security/rate-limits.js'

/** @throws ApiError `method_not_enabled` */
export function enabled(environment: Environment, method: Exclude<keyof Environment['signIn'], 'social'>): void {
  if (!environment.signIn[method]) throw new ApiError(methodNotEnabled)
}

/** Budgets of a try to sign in. */
export function getExpenses({ network }: Call): readonly Expense[] {
  return [{ name: 'sign-in per network', who: network }]
}

/** @throws ApiError `too_many_requests` */
export function counted(call: Call): Promise<void> {
  return call.services.limits.spend(call, getExpenses(call))
}
