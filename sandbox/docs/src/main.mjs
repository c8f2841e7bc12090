/** `npm run docs`: builds the site; `-- --serve` also serves it. Needs the built packages. */
import { buildSite, serveSite, site, writeErrorsPage } from './site.mjs'

writeErrorsPage()
await buildSite()
console.info(`The site is in ${site}`)
if (process.argv.includes('--serve')) await serveSite()
