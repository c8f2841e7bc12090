/** Tests mail to a server that offers no encryption, or whose offer someone on the way removed. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { smtpTransport } from '../src/mail.js'

let server: Server
let said: string
beforeEach(async () => {
  said = ''
  server = createServer(socket => {
    let isMessage = false
    socket.write('220 mail.example\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (isMessage && !said.endsWith('\r\n.\r\n')) return
      const isData = /^DATA/i.test(text)
      isMessage = isData
      socket.write(isData ? '354 go\r\n' : /^STARTTLS/i.test(text) ? '502 no\r\n' : '250 ok\r\n')
    })
    socket.on('error', () => undefined)
  }).listen(0, '0.0.0.0')
  await once(server, 'listening')
})
afterEach(() => void server.close())

async function send(host: string, timeoutMs?: number): Promise<unknown> {
  const transport = smtpTransport(`smtp://${host}:${Object(server.address()).port}`, timeoutMs)
  const message = { from: 'no-reply@acme.example', to: 'ann@example.com', subject: 'Code', text: 'The code is 123456.' }
  return transport.sendMail(message).finally(() => transport.close())
}

it('no code goes in the clear to a mail server of another machine that offers no STARTTLS', async () => {
  // An address that is not a name of this machine, and that leads to it nevertheless.
  await expect(send('0.0.0.0')).rejects.toMatchObject({ code: 'ETLS' })
  expect(said).not.toMatch(/MAIL FROM|ann@example|123456/i)
})

it('a mail server of this machine needs no encryption', async () => {
  await send('127.0.0.1')
  expect(said).toContain('123456')
})

it('gives up a mail server that drips an answer without an end, because a request waits for it', async () => {
  server.removeAllListeners('connection').on('connection', socket => {
    socket.write('220 mail.example\r\n')
    socket.once('data', () => {
      const drip = setInterval(() => socket.write('250-more\r\n'), 50)
      socket.on('close', () => clearInterval(drip)).on('error', () => undefined)
    })
  })
  await expect(send('127.0.0.1', 300)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})
