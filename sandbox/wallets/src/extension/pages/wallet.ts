/// <reference types="chrome" />
/** Wallet's own window, opened by its browser button: accounts, lock and trusted apps. */
import { h } from '../../dom.js'
import { ICON } from '../../icon.js'
import { accountRow, windowHeader } from '../../parts.js'
import { createStyleSheet } from '../../styles.js'
import { FATES, type Fate, getActive, newAccount, type State } from '../core/state.js'
import { DEFAULT_RPC_URL, RPC_URL } from '../messages.js'
import { stateStore } from '../storage.js'

const store = stateStore()
const host = document.createElement('div')
const root = host.attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [createStyleSheet()]
document.body.append(host)

function change(update: (state: State) => Partial<State>) {
  return () => void store.update(update)
}

function button(text: string, onclick: () => void, disabled = false) {
  return h('button', { type: 'button', onclick, disabled }, text)
}

function accountButton(state: State, index: number) {
  const { solana, evm } = getActive({ ...state, active: index })
  return h(
    'li',
    {},
    h(
      'button',
      {
        type: 'button',
        className: 'account',
        'aria-pressed': String(index === state.active),
        onclick: change(() => ({ active: index })),
      },
      accountRow(`Account ${index + 1}`, solana),
      h('span', { className: 'small mono' }, evm),
    ),
  )
}
const FATE_NAMES: Readonly<Record<Fate, string>> = {
  done: 'come into a block',
  undone: 'come into a block, undone',
  never: 'never come into a block',
}

function fateSelect(state: State) {
  const select = h(
    'select',
    { id: 'fate' },
    ...FATES.map(fate => h('option', { value: fate, selected: fate === state.fate }, FATE_NAMES[fate])),
  )
  select.addEventListener('change', () => {
    const fate = FATES.find(fate => fate === select.value)
    if (fate) void store.update(() => ({ fate }))
  })
  return select
}

async function draw() {
  const state = await store.read()
  const { [RPC_URL]: found } = await chrome.storage.local.get(RPC_URL)
  const node = h('input', { id: 'node', type: 'url', value: typeof found === 'string' ? found : DEFAULT_RPC_URL })
  node.addEventListener('change', () => void chrome.storage.local.set({ [RPC_URL]: node.value }))
  root.replaceChildren(
    h(
      'main',
      {},
      windowHeader(ICON, 'Sandbox extension', state.locked ? 'Locked' : 'Unlocked'),
      h(
        'div',
        { className: 'body' },
        h('h2', {}, 'Accounts'),
        h('ul', { 'aria-label': 'Accounts' }, ...state.accounts.map((_, index) => accountButton(state, index))),
        h(
          'div',
          { className: 'actions' },
          button(
            'Add account',
            change(({ accounts }) => ({ accounts: [...accounts, newAccount()], active: accounts.length })),
          ),
          button(
            state.locked ? 'Unlock wallet' : 'Lock wallet',
            change(({ locked }) => ({ locked: !locked })),
          ),
        ),
        h('h2', {}, 'Sites'),
        state.trusted.length === 0 && h('p', { className: 'small' }, 'No site is connected.'),
        h(
          'ul',
          { 'aria-label': 'Sites' },
          ...state.trusted.map(origin =>
            h(
              'li',
              {},
              button(
                `Disconnect ${new URL(origin).host}`,
                change(({ trusted }) => ({ trusted: trusted.filter(one => one !== origin) })),
              ),
            ),
          ),
        ),
        h('label', { htmlFor: 'node', className: 'small' }, 'Where transactions are sent'),
        node,
        h('label', { htmlFor: 'fate', className: 'small' }, 'EVM transactions'),
        fateSelect(state),
        h('p', { className: 'warning' }, 'For the sandbox only: the keys lie unencrypted in this browser.'),
      ),
    ),
  )
}
chrome.storage.onChanged.addListener(() => void draw())
void draw()
