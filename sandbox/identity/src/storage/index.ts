/** The storage that people have: Google Drive and iCloud. Look at drive.ts, and at cloudkit.ts, first. */
import { Hono } from 'hono'
import type { Services } from '../services.js'
import { cloudKitApp } from './cloudkit.js'
import { driveApp } from './drive.js'

export function storageApp(services: Services): Hono {
  const app = new Hono()
  app.route('/', driveApp(services))
  app.route('/', cloudKitApp(services))
  return app
}
