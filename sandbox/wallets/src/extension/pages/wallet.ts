/// <reference types="chrome" />
/** Wallet's own window, opened by its browser button: accounts, lock and trusted apps. */
import { div, h, p, span } from '../../dom.js'
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

function button(text: string, onclick: () => void) {
  return h('button', { type: 'button', onclick }, text)
}

function accountButton(state: State, index: number) {
  const { solana, evm } = getActive({ ...state, active: index })
  const pressed = { 'aria-pressed': String(index === state.active), onclick: change(() => ({ active: index })) }
  const row = accountRow(`Account ${index + 1}`, solana)
  return h('li', {}, h('button', { type: 'button', className: 'account', ...pressed }, row, span('small mono', evm)))
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

function siteButton(origin: string) {
  const disconnect = change(({ trusted }) => ({ trusted: trusted.filter(site => site !== origin) }))
  return h('li', {}, button(`Disconnect ${new URL(origin).host}`, disconnect))
}

async function draw() {
  const state = await store.read()
  const { [RPC_URL]: url } = await chrome.storage.local.get(RPC_URL)
  const node = h('input', { id: 'node', type: 'url', value: typeof url === 'string' ? url : DEFAULT_RPC_URL })
  node.addEventListener('change', () => void chrome.storage.local.set({ [RPC_URL]: node.value }))
  const add = change(({ accounts }) => ({ accounts: [...accounts, newAccount()], active: accounts.length }))
  const lock = change(({ locked }) => ({ locked: !locked }))
  const body = div(
    'body',
    h('h2', {}, 'Accounts'),
    h('ul', { 'aria-label': 'Accounts' }, ...state.accounts.map((_, index) => accountButton(state, index))),
    div('actions', button('Add account', add), button(state.locked ? 'Unlock wallet' : 'Lock wallet', lock)),
    h('h2', {}, 'Sites'),
    state.trusted.length === 0 && p('small', 'No site is connected.'),
    h('ul', { 'aria-label': 'Sites' }, ...state.trusted.map(siteButton)),
    h('label', { htmlFor: 'node', className: 'small' }, 'Where transactions are sent'),
    node,
    h('label', { htmlFor: 'fate', className: 'small' }, 'EVM transactions'),
    fateSelect(state),
    p('warning', 'For the sandbox only: the keys lie unencrypted in this browser.'),
  )
  const header = windowHeader(ICON, 'Sandbox extension', state.locked ? 'Locked' : 'Unlocked')
  root.replaceChildren(h('main', {}, header, body))
}
chrome.storage.onChanged.addListener(() => void draw())
void draw()
