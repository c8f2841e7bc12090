/** Worker that derives keys from passwords. */
import { serveKdf } from './password/kdf-worker.js'

serveKdf(self)
