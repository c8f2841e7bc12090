#!/usr/bin/env node
/**
 * A key-management service for tests: keeps its keys in its own folder, and fails as the file `fault` there says. It
 * writes down what it was asked and how many of it ran at once.
 */
import { spawn } from 'node:child_process'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
/** @param {string} name */
function place(name) {
  return join(folder, name)
}
/** @param {string} name */
function read(name) {
  return existsSync(place(name)) ? readFileSync(place(name), 'utf8') : ''
}

mkdirSync(place('running'), { recursive: true })
writeFileSync(place(`running/${process.pid}`), '')
const atOnce = readdirSync(place('running')).length
process.on('exit', () => rmSync(place(`running/${process.pid}`), { force: true }))

const request = JSON.parse(readFileSync(0, 'utf8'))
/** @type {{ id: string, key: string }[]} */
const keys = JSON.parse(read('keys.json'))
const fault = read('fault')
appendFileSync(place('calls'), `${JSON.stringify({ argv: process.argv.slice(2), atOnce, action: request.action })}\n`)
const count = read('calls').trim().split('\n').length

/** Binds to the context, unless the fault is to ignore it. */
const context = Buffer.from(fault === 'unbound' ? '' : (request.context ?? ''))

function wrap() {
  const [{ id, key } = { id: '', key: '' }] = keys
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), iv).setAAD(context)
  const dataKey = fault === 'wrong' ? randomBytes(32) : Buffer.from(request.dataKey, 'base64url')
  const wrapped = Buffer.concat([iv, cipher.update(dataKey), cipher.final(), cipher.getAuthTag()])
  return { keyId: id, wrapped: wrapped.toString('base64url') }
}

function unwrap() {
  const key = keys.find(({ id }) => id === request.keyId)?.key ?? ''
  const bytes = Buffer.from(request.wrapped, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), bytes.subarray(0, 12))
  decipher.setAAD(context).setAuthTag(bytes.subarray(-16))
  const dataKey = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
  return { dataKey: (fault === 'wrong' ? randomBytes(32) : dataKey).toString('base64url') }
}

/** @returns {object} */
function answer() {
  if (request.action === 'describe') return { keyIds: keys.map(({ id }) => id) }
  return request.action === 'wrap' ? wrap() : unwrap()
}

/** Starts a program that outlives this one, and never ends by itself. */
function startChild() {
  const { pid } = spawn('sleep', ['600'], { stdio: ['ignore', 'inherit', 'ignore'] })
  writeFileSync(place('processes'), JSON.stringify([process.pid, pid]))
}

function fail(/** @type {string} */ text) {
  if (fault.endsWith('children')) startChild()
  if (fault === 'garbage') process.stdout.write('{"dataKey":"c2VjcmV0"')
  else if (fault === 'short') process.stdout.write('{"dataKey":"c2VjcmV0"}')
  else if (fault.startsWith('flood')) process.stdout.write('x'.repeat(64 * 1024))
  else if (fault === 'half') process.stdout.write(text.slice(0, 8), () => process.kill(process.pid, 'SIGKILL'))
  else if (fault === 'hang') setInterval(() => undefined, 1000)
  else if (fault === `kill at ${count}`) process.kill(process.ppid, 'SIGKILL')
  else if (fault === 'exit') {
    process.stderr.write('secret text\n')
    process.exitCode = 7
  } else process.stdout.write(text)
}

fail(JSON.stringify(answer()))
