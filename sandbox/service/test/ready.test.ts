/** Tests `GET /ready` while every connection of the pool is taken. */
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { mountHealth } from '../src/http/json.js'

it('/ready is 503 by its own deadline while the database does not answer, and /health stays 200', async () => {
  const app = new Hono()
  mountHealth(app, () => new Promise(() => undefined))
  const started = performance.now()
  const ready = app.request('/ready')
  expect((await app.request('/health')).status).toBe(200)
  expect((await ready).status).toBe(503)
  expect(performance.now() - started).toBeGreaterThan(1_900)
})
