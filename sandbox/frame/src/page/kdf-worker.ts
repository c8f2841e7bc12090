/** The worker that makes keys of passwords. */
import { serveKdf } from '@keybay/waas/frame'

serveKdf(self)
