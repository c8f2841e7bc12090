/** The worker that makes keys of passwords. */
import { serveKdf } from './password/kdf-worker.js'

serveKdf(self)
