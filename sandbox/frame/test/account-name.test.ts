/** Tests the account that the window names: as the product API says for the token, whatever the page says or conceals. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { attempt, clickUnseen, create, enter, open } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()
const PATH = '**/auth/frame-account'

/** Opens a window whose request has no statement for a second factor. @returns the lines that say who and where */
async function readLines(page: Page, address: string): Promise<readonly string[]> {
  const setting = attempt(page, 'setPassword', address)
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Set a wallet password' }).waitFor()
  const lines = await frame.locator('p.host').allTextContents()
  await clickUnseen(frame.getByRole('button', { name: 'Cancel' }))
  expect((await setting).code).toBe('user_rejected')
  return lines.map(line => line.replace(/^Your phrase .*/, 'Your phrase'))
}

/** From now on the page gives frames another token. */
function replaceToken(page: Page, forge: 'claims' | 'other', other = ''): Promise<void> {
  return page.evaluate(
    ([forge, other]) => {
      const { postMessage } = MessagePort.prototype
      const forged = (token: string) => {
        if (forge === 'other') return other
        const [head, body = '', signature] = token.split('.')
        const claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
        const lies = { ...claims, account: 'rich@bank.example', email: 'rich@bank.example', name: 'rich@bank.example' }
        return [head, btoa(JSON.stringify(lies)).replace(/=+$/, ''), signature].join('.')
      }
      const change = (value: unknown): void => {
        for (const part of Array.isArray(value) ? value : []) {
          if (Array.isArray(part)) change(part)
          else if (typeof part === 'object' && part && 'exchange' in part && 'authToken' in part)
            part.authToken = forged(String(part.authToken))
        }
      }
      MessagePort.prototype.postMessage = function (data: unknown) {
        change(data)
        postMessage.call(this, data)
      }
    },
    [forge, other] as const,
  )
}

it('names the account where no second factor is asked for, and no page, address or message holds the name', async () => {
  const { page, user, address } = await open(world)
  const said: string[] = []
  page.on('console', message => said.push(message.text()))
  page.on('request', request => said.push(request.url(), request.postData() ?? ''))
  expect(await readLines(page, address)).toEqual([
    expect.stringContaining('Asked by'),
    `Account ${user}`,
    'Your phrase',
  ])
  expect(said.join('\n')).toContain('/auth/frame-account')
  expect(said.join('\n')).not.toContain(user)
})

it('a page that lies in its token gets a window without a name', async () => {
  const { page, address } = await open(world)
  await replaceToken(page, 'claims')
  expect(await readLines(page, address)).toEqual([expect.stringContaining('Asked by'), 'Your phrase'])
})

it('a page with the token of another user gets no window for this wallet', async () => {
  const { page, address } = await open(world)
  const { page: otherPage } = await enter(world)
  const token = await otherPage.evaluate(() => window.host.keybay.session.bearer())
  await page.bringToFront()
  await replaceToken(page, 'other', token)
  expect((await attempt(page, 'setPassword', address)).code).toBe('frame_token_missing')
})

it('asks without a name if the API refuses, lies or is out of reach', async () => {
  const { page, user } = await enter(world)
  const { address } = await create(page, 'TWO_OF_TWO')
  const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/json' }
  for (const [status, body] of [
    [500, '{}'],
    [200, 'no JSON'],
    [200, JSON.stringify({ account: { toString: user } })],
    [200, JSON.stringify({ account: 'x'.repeat(257) })],
  ] as const) {
    await page.route(PATH, route => route.fulfill({ status, body, headers }))
    expect(await readLines(page, address)).not.toContainEqual(expect.stringContaining('Account'))
    await page.unroute(PATH)
  }
  await page.route(PATH, route => route.abort())
  expect(await readLines(page, address)).not.toContainEqual(expect.stringContaining('Account'))
  await page.unroute(PATH)
  expect(await readLines(page, address)).toContain(`Account ${user}`)
})
