/** Mounts the users' storage: Google Drive and iCloud. Start reading at drive.ts and cloudkit.ts. */
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
