/** Last step of the build: makes the template of databases once. Services that start together would each make one. */
import { openPglite } from './template.js'

const client = await openPglite(undefined)
await client.close()
