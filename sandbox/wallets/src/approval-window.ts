/** Approval window: always shows the oldest pending request. Escape and closing the window reject it. */
import { TOKEN_ACCOUNT, toView } from './approval-view.js'
import { div, h, p, span } from './dom.js'
import { accountRow, site, windowHeader } from './parts.js'
import type { ApprovalRequest } from './requests.js'
import { getTokenOwner } from './rpc.js'

export interface ApprovalWindowParts {
  readonly root: ShadowRoot
  readonly name: string
  readonly icon: string
  /** Account label, such as `Account 2`. */
  label(address: string): string
  approve(): void
  reject(): void
}
/** Replaces each recipient's token account by its owner, as soon as the node tells who that is. */
async function showOwners(body: ParentNode, url: string): Promise<void> {
  for (const place of body.querySelectorAll(`.${TOKEN_ACCOUNT}`)) {
    const owner = await getTokenOwner(url, place.textContent ?? '').catch(() => undefined)
    if (owner !== undefined) place.parentElement?.replaceChildren('to ', span('mono', owner))
  }
}

export function createApprovalWindow(parts: ApprovalWindowParts) {
  const { root, name, icon, label, approve, reject } = parts
  let shown: ApprovalRequest | undefined
  const dialog = h('dialog', { 'aria-labelledby': 'approval-title', 'aria-describedby': 'approval-lead' })
  dialog.addEventListener('close', () => {
    // Rejects when Escape closed the dialog; an answered request is gone by then, and the next one may be open.
    if (shown && !dialog.open) reject()
  })
  root.append(dialog)

  return {
    /** @param waiting how many requests there are, this one included */
    show: (request: ApprovalRequest | undefined, waiting: number) => {
      if (request === shown) return
      shown = request
      if (!request) return dialog.close()
      const view = toView(request)
      const title = h('h2', { id: 'approval-title' }, view.title)
      const body = h(
        'div',
        { className: 'body', tabIndex: 0, role: 'group', 'aria-label': 'Request' },
        div('', title, h('p', { id: 'approval-lead', className: 'lead' }, view.lead)),
        site(request.origin),
        ...view.details,
        accountRow(label(request.address), request.address),
        waiting > 1 && p('small', `${waiting - 1} more waiting after this`),
      )
      const no = h('button', { type: 'button', onclick: reject }, 'Reject')
      const yes = h('button', { type: 'button', className: 'primary', onclick: approve }, view.approve)
      dialog.replaceChildren(windowHeader(icon, name, view.badge), body, div('foot', no, yes))
      if (!dialog.open) dialog.showModal()
      if (request.kind === 'transaction' && request.rpcUrl !== undefined) void showOwners(body, request.rpcUrl)
      // Focus is not on Approve, because a late key press must not sign. Unlocking signs nothing.
      const first = request.kind === 'unlock' ? yes : no
      first.focus()
    },
  }
}
