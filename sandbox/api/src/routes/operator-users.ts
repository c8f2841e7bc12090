/** Lets the operator block, erase and read one user. */

import { tooManyRequests } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { setBlocked } from '../accounts/blocking.js'
import { deleteUserAsOperator } from '../accounts/deletion.js'
import { exportUser, userExportSchema } from '../accounts/user-export.js'
import { notFound, serviceUnavailable } from '../http/errors.js'
import { id, time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'

const route = routesOf('operator')

const params = v.object({ id })
const blockAnswer = v.object({
  blockedAt: v.nullable(time),
  pending: v.pipe(
    v.array(v.string()),
    v.description('Relays and custody that did not answer; the API tells them again every minute'),
  ),
})

function blockRoute(action: 'block' | 'unblock', summary: string): Route {
  return route(`POST /users/{id}/${action}`, {
    summary,
    access: 'operator',
    params,
    answer: blockAnswer,
    errors: [notFound],
    run: async call => {
      const { blockedAt, pending } = await setBlocked(call, call.params.id, action === 'block')
      return { blockedAt, pending: [...pending] }
    },
  })
}

const exportData = route('POST /users/{id}/export', {
  summary: 'Everything that the API, the relays and custody know about the user, as one document without secrets.',
  access: 'operator',
  params,
  answer: userExportSchema,
  errors: [notFound, serviceUnavailable],
  run: call => exportUser(call, call.params.id, false),
})

const erase = route('POST /users/{id}/erase', {
  summary:
    'Schedules the user’s deletion, as the user could: 30 days in which signing in and keeping the account undoes it.',
  access: 'operator',
  params,
  answer: v.object({ deletesAt: time }),
  errors: [notFound, tooManyRequests],
  run: call => deleteUserAsOperator(call, call.params.id),
})

export const operatorUserRoutes: readonly Route[] = [
  exportData,
  erase,
  blockRoute(
    'block',
    'Ends the user’s sessions and refuses sign-in, signatures and exports, until the user is unblocked.',
  ),
  blockRoute('unblock', 'Lets the user sign in and use wallets again.'),
]
